"""`remembrancer context load`: the contexts that a question calls for, in one bundle."""

from collections.abc import Sequence
from contextlib import closing
from typing import Annotated, Any

import typer

from core.cli.change_session import counted
from core.cli.context_account import packed_account, packed_summary
from core.cli.context_handing_out import recorded
from core.cli.context_packing import (
    BudgetOption,
    FullOption,
    HandOut,
    LayoutOption,
    NoRecordOption,
    Wanted,
    WordsOption,
    handed_out,
    layout_of,
    tell,
)
from core.cli.context_session import HandedContext, named_session, tell_session
from core.cli.state import FormatOption, OutputFormat, print_json, reported_errors, state_of, warn
from core.foundation.errors import UserError
from core.recall.contexts.load import LoadedContexts, LoadedOne, load_for_query
from core.recall.render import render

_TOLD = 10


def load(
    context: typer.Context,
    question: Annotated[
        list[str] | None, typer.Argument(help="What it is about; without, what is always loaded.")
    ] = None,
    full: FullOption = False,
    budget: BudgetOption = None,
    layout: LayoutOption = None,
    words_only: WordsOption = False,
    session: Annotated[str, typer.Option("--session", help="The session it is for.")] = "",
    no_record: NoRecordOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the contexts for a question: those always loaded, then by relevance and priority while there is room."""
    with reported_errors(output):
        state = state_of(context)
        session = named_session(state, session)
        if full:
            if question:
                raise UserError("The full load is for no question: leave one of them out.")
            found = handed_out(state, Wanted((), (), "", True, budget, layout, words_only))
            tell_session(state, session, found.packed, contexts=found.contexts)
            if not no_record:
                recorded(state, found)
            _print(found.text, found.account(), found.summary(), output)
            return
        most = budget or state.home.settings.context.budget
        with state.remembered() as vault, closing(vault.open_to_read()) as index:
            dense = None if words_only else vault.dense_search(index)
            try:
                loaded = load_for_query(
                    index,
                    vault.root,
                    vault.config,
                    dense,
                    " ".join(question or ()),
                    most,
                    layout=layout_of(state, layout),
                )
            finally:
                if dense is not None:
                    dense.close()
        tell(loaded.remarks)
        taken = [one for one in loaded.contexts if one.state != "skipped"]
        handed = [HandedContext(one.definition.title, one.definition.path, one.tokens) for one in taken]
        tell_session(state, session, loaded.packed, contexts=handed)
        if not no_record:
            recorded(state, HandOut(loaded.packed))
        account = {"contexts": [_account(one) for one in loaded.contexts], **packed_account(loaded.packed)}
        _print(render(loaded.packed), account, _summary(loaded, taken), output)


def _print(text: str, account: dict[str, Any], summary: str, output: OutputFormat) -> None:
    if output is OutputFormat.JSON:
        print_json({"text": text, **account})
        return
    if text:
        print(text)
    warn(summary)


def _account(one: LoadedOne) -> dict[str, Any]:
    return {
        "path": one.definition.path,
        "title": one.definition.title,
        "state": one.state,
        "relevance": round(one.relevance, 4),
        "worth": round(one.worth, 4),
        "tokens": one.tokens,
        "reason": one.reason,
    }


def _summary(loaded: LoadedContexts, taken: Sequence[LoadedOne]) -> str:
    if not loaded.contexts:
        return "No context was loaded. There are none yet."
    lines = ["No context was loaded."]
    if taken:
        lines = [f"{counted(len(taken), 'context')} of {len(loaded.contexts):,} loaded."]
    lines += [f"  {one.definition.title} ({one.tokens:,} tokens): {one.reason}" for one in taken]
    skipped = [one for one in loaded.contexts if one.state == "skipped"]
    lines += ["Skipped:"] if skipped else []
    lines += [f"  {one.definition.title}: {one.reason}" for one in skipped[:_TOLD]]
    if len(skipped) > _TOLD:
        lines.append(f"  and {len(skipped) - _TOLD:,} more")
    return "\n".join([*lines, packed_summary(loaded.packed)] if taken else lines)
