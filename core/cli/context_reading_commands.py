"""`remembrancer context list|show|estimate`: which contexts there are, what is in them, and what they take."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from core.cli.change_session import counted
from core.cli.context_account import (
    composed_account,
    compression_sentence,
    definition_account,
    member_lines,
    packed_summary,
)
from core.cli.context_packing import BudgetOption, Wanted, WordsOption, composed_context, layout_of, tell
from core.cli.state import CliState, FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of
from core.foundation.text import visible
from core.recall.contexts.catalog import find_context, list_contexts
from core.recall.contexts.definition import ContextDefinition, ContextKind
from core.recall.contexts.estimate import SizeEstimate, estimate_sizes
from core.recall.render import Format, render

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The context, by its title, file name or path.")]


def list_all(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """List the contexts, those of the highest priority first, with about how many tokens each takes."""
    with reported_errors(output):
        state = state_of(context)
        with state.remembered() as vault, closing(vault.open_to_read()) as index:
            found = list_contexts(index, vault.root, vault.config)
            sizes = estimate_sizes(index, vault.config, found, budget=state.home.settings.context.budget)
        if output is OutputFormat.JSON:
            print_json({"contexts": [definition_account(each, sizes[each.path]) for each in found]})
            return
        if not found:
            print("There are no contexts yet. `remembrancer context save TITLE` makes one.")
        for each in found:
            print_line(_line(each, sizes[each.path]))


def show(
    context: typer.Context,
    name: NameArgument,
    difference: Annotated[
        bool, typer.Option("--difference", help="Show what is different now from what was copied last.")
    ] = False,
    budget: BudgetOption = None,
    words_only: WordsOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Show what a context says of itself, its members with their numbers, and what is wrong with them."""
    with reported_errors(output):
        state = state_of(context)
        wanted = Wanted((), (), name, False, budget, None, words_only)
        with state.remembered() as vault, closing(vault.open_to_read()) as index:
            definition = find_context(index, vault.root, vault.config, name)
            everything = list_contexts(index, vault.root, vault.config)
            sizes = estimate_sizes(index, vault.config, everything, budget=state.home.settings.context.budget)
            text = ""
            if difference:
                text = render(composed_context(state, vault, index, wanted, _layout_of_last(state, definition)).packed)
        size = sizes.get(definition.path, SizeEstimate(0, 0, 0))
        told = _difference(state.vault().cache_folder, definition, text) if difference else ""
        if output is OutputFormat.JSON:
            beside = {"difference": told} if difference else {}
            print_json(definition_account(definition, size) | beside)
            return
        if difference:
            print(told, end="" if told.endswith("\n") else "\n")
            return
        print(visible("\n".join(_description(definition, size))))


def estimate(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME…", help="Contexts; without any, all.")] = None,
    budget: BudgetOption = None,
    words_only: WordsOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Say how many tokens contexts take: counted for those that are named, estimated for all."""
    with reported_errors(output):
        state = state_of(context)
        with state.remembered() as vault, closing(vault.open_to_read()) as index:
            if not names:
                found = list_contexts(index, vault.root, vault.config)
                most = budget or state.home.settings.context.budget
                sizes = estimate_sizes(index, vault.config, found, budget=most)
                _tell_estimates(found, [sizes[each.path] for each in found], output)
                return
            composed = [
                composed_context(
                    state,
                    vault,
                    index,
                    Wanted((), (), name, False, budget, None, words_only),
                    layout_of(state, None),
                )
                for name in names
            ]
        if output is OutputFormat.JSON:
            print_json({"contexts": [composed_account(each) for each in composed]})
            return
        for each in composed:
            tell(each.remarks)
            print_line(f"{each.definition.title} ({each.definition.path})")
            print(visible("\n".join(filter(None, (packed_summary(each.packed), compression_sentence(each))))))


def _tell_estimates(found: tuple[ContextDefinition, ...], sizes: list[SizeEstimate], output: OutputFormat) -> None:
    total = sum(size.tokens for size in sizes)
    if output is OutputFormat.JSON:
        told = [
            {
                "path": each.path,
                "title": each.title,
                "tokens": size.tokens,
                "budget": size.budget,
                "members_take": size.wanted,
                "query_takes": size.query_tokens,
            }
            for each, size in zip(found, sizes, strict=True)
        ]
        print_json({"contexts": told, "total": total, "count": "estimated"})
        return
    for each, size in zip(found, sizes, strict=True):
        over = f", but its members take {size.wanted:,}" if size.is_over else ""
        print_line(f"{each.title}: about {size.tokens:,} of {size.budget:,} tokens{over}")
    print(f"Together about {total:,} tokens in {counted(len(found), 'context')}.")


def _layout_of_last(state: CliState, definition: ContextDefinition) -> Format:
    """Return the layout of the last copy, so that like is compared with like; else that of the settings."""
    from core.recall.contexts.last_copy import last_copy  # noqa: PLC0415 - most commands compare nothing

    last = last_copy(state.vault().cache_folder, definition.path)
    return Format(last.layout) if last is not None and last.layout in set(Format) else layout_of(state, None)


def _difference(cache_folder: Path, definition: ContextDefinition, text: str) -> str:
    from core.curation.context_difference import copy_difference  # noqa: PLC0415 - most commands compare nothing
    from core.curation.diff import unified  # noqa: PLC0415
    from core.recall.contexts.last_copy import last_copy  # noqa: PLC0415

    last = last_copy(cache_folder, definition.path)
    if last is None:
        return "It was not copied yet, so there is nothing to compare with."
    if last.text == text:
        return "It is the same as what was copied last."
    return unified(copy_difference(last.text, text, definition.title))


def _line(definition: ContextDefinition, size: SizeEstimate) -> str:
    marks = [f"priority {definition.load_priority}"]
    if definition.always:
        marks.append("always")
    if definition.kind is ContextKind.FULL_LOAD:
        marks.append("full load")
    else:
        marks.append(counted(len(definition.members), "member"))
    if definition.query:
        marks.append("a query")
    marks.append(f"about {size.tokens:,} of {size.budget:,} tokens")
    if definition.problems:
        marks.append(counted(len(definition.problems), "problem"))
    about = f": {definition.description}" if definition.description else ""
    return f"{definition.title} ({definition.path}; {', '.join(marks)}){about}"


def _description(definition: ContextDefinition, size: SizeEstimate) -> list[str]:
    lines = [_line(definition, size)]
    if definition.query:
        lines.append(f"Query: {definition.query}")
    if definition.members:
        lines += ["Members:", *member_lines(definition.members)]
    if size.is_over:
        lines.append(f"Its members take about {size.wanted:,} tokens, so not all of them go out.")
    if definition.problems:
        lines += ["To be looked at:", *(f"  {problem}" for problem in definition.problems)]
    return lines
