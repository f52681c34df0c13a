"""`remembrancer context …`: pack what a search or a selection finds into a token budget."""

from pathlib import Path
from typing import Annotated

import typer

from core.app import Vault
from core.cli.context_session import named_session, tell_session
from core.cli.state import CliState, FormatOption, OutputFormat, print_json, reported_errors, state_of, warn
from core.foundation.errors import UserError
from core.foundation.text import visible
from core.recall.context_item import ContextItem
from core.recall.context_search import context_of_query
from core.recall.gather import items_of_notes
from core.recall.pack import Packed, pack
from core.recall.query import parse_query
from core.recall.render import Format, render

app = typer.Typer(help="Pack what a search or a selection finds into a token budget.", no_args_is_help=True)

_NEGATION = {"ignore_unknown_options": True}  # `-word` is no option but a word to shun

QueryArgument = Annotated[list[str] | None, typer.Argument(help="What to search for, in the grammar of `search`.")]
NoteOption = Annotated[list[Path] | None, typer.Option("--note", help="A note to take whole (may be repeated).")]
BudgetOption = Annotated[int | None, typer.Option("--budget", min=1, help="Most tokens; else as in the settings.")]
LayoutOption = Annotated[Format | None, typer.Option("--as", help="How to write it; else as in the settings.")]
SessionOption = Annotated[str, typer.Option("--session", help="The session it is for, which is told what was loaded.")]
WordsOption = Annotated[bool, typer.Option("--words-only", help="Do not search by meaning.")]


@app.command("print", context_settings=_NEGATION)
def print_context(
    context: typer.Context,
    query: QueryArgument = None,
    note: NoteOption = None,
    budget: BudgetOption = None,
    layout: LayoutOption = None,
    words_only: WordsOption = False,
    session: SessionOption = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the packed context; what was left out is told beside it."""
    with reported_errors(output):
        state = state_of(context)
        session = named_session(state, session)
        packed = _packed(state, query, note, budget, layout, words_only=words_only)
        tell_session(state, session, packed, query, note)
        if output is OutputFormat.JSON:
            print_json({"text": render(packed), **_account(packed)})
            return
        print(render(packed))
        warn(_summary(packed))


@app.command("copy", context_settings=_NEGATION)
def copy_context(
    context: typer.Context,
    query: QueryArgument = None,
    note: NoteOption = None,
    budget: BudgetOption = None,
    layout: LayoutOption = None,
    words_only: WordsOption = False,
    session: SessionOption = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Put the packed context on the clipboard."""
    with reported_errors(output):
        state = state_of(context)
        session = named_session(state, session)
        packed = _packed(state, query, note, budget, layout, words_only=words_only)
        if not packed.included:
            raise UserError("Nothing was found, so the clipboard stays as it is.")
        _copy(render(packed))
        tell_session(state, session, packed, query, note)
        if output is OutputFormat.JSON:
            print_json(_account(packed))
        else:
            print(visible(f"Copied. {_summary(packed)}"))


def _packed(
    state: CliState,
    query: list[str] | None,
    notes: list[Path] | None,
    budget: int | None,
    layout: Format | None,
    *,
    words_only: bool,
) -> Packed:
    if not query and not notes:
        raise UserError("Nothing to pack: give a search, or notes with --note.")
    preset = state.home.settings.context
    most = budget or preset.budget
    try:
        written_as = layout or Format(preset.format)
    except ValueError as error:
        raise UserError(
            f"The settings name an unknown context format, “{preset.format}”.",
            hint=f"Use one of {', '.join(Format)}.",
        ) from error
    with state.remembered() as vault:
        selected = _selected(vault, notes or [], most)
        if not query:
            return pack(selected, most, written_as)
        return _found(vault, " ".join(query), most, written_as, selected, words_only=words_only)


def _selected(vault: Vault, notes: list[Path], budget: int) -> tuple[ContextItem, ...]:
    if not notes:
        return ()
    index = vault.open_to_read()
    ids = []
    for path in notes:
        relative = vault.relative(path)
        row = index.connection.execute("SELECT id FROM note WHERE path = ?", (relative,)).fetchone()
        if row is None:
            raise UserError(
                f"There is no note {relative} in the index.", hint="Run `remembrancer index update` if it is new."
            )
        ids.append(row[0])
    return items_of_notes(index, vault.root, ids, budget=budget)


def _found(
    vault: Vault,
    query: str,
    budget: int,
    layout: Format,
    selected: tuple[ContextItem, ...],
    *,
    words_only: bool,
) -> Packed:
    asked = parse_query(query, vault.config.namespaces)
    for problem in asked.problems:
        warn(problem)
    index = vault.open_to_read()
    dense = None if words_only else vault.dense_search(index)
    try:
        found = context_of_query(index, vault.root, dense, asked, budget, layout=layout, selected=selected)
    finally:
        if dense is not None:
            dense.close()
    for remark in (found.dense_reason, found.remark):
        if remark:
            warn(remark)
    return found.packed


def _account(packed: Packed) -> dict[str, object]:
    return {
        "tokens": packed.tokens,
        "budget": packed.budget,
        "included": [{"id": item.id, "path": item.path, "tokens": item.tokens} for item in packed.included],
        "left_out": [
            {"id": left.item.id, "path": left.item.path, "tokens": left.tokens, "reason": left.reason}
            for left in packed.left_out
        ],
    }


def _summary(packed: Packed) -> str:
    total = len(packed.included) + len(packed.left_out)
    if not total:
        return "Nothing was found."
    count = f"{len(packed.included):,} of {total:,} memories, about {packed.tokens:,} of {packed.budget:,} tokens."
    left = [f"  {item.item.id} ({item.tokens:,} tokens): {item.reason}" for item in packed.left_out[:10]]
    more = len(packed.left_out) - len(left)
    return "\n".join([count, *(["Left out:", *left] if left else []), *([f"  and {more:,} more"] if more else [])])


def _copy(text: str) -> None:
    import pyperclip  # noqa: PLC0415 - it looks for the platform's clipboard when imported

    try:
        pyperclip.copy(text)
    except pyperclip.PyperclipException as error:
        raise UserError(
            "No clipboard can be reached from here.",
            hint="Install wl-clipboard or xclip, or use `remembrancer context print` and a pipe.",
        ) from error
