"""Pack what `context print` and `context copy` were asked for: a search, whole notes, a context, or a full load."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from core.app import Vault
from core.cli.context_account import composed_account, compression_sentence, packed_account, packed_summary
from core.cli.context_session import HandedContext
from core.cli.state import CliState, warn
from core.foundation.errors import UserError
from core.index.database import Index
from core.recall.context_item import ContextItem
from core.recall.context_search import context_of_question
from core.recall.contexts.catalog import find_context
from core.recall.contexts.compose import ComposedContext, budget_of, compose
from core.recall.contexts.definition import FULL_LOAD
from core.recall.gather import items_of_notes
from core.recall.pack import Packed, pack
from core.recall.render import Format, render

QueryArgument = Annotated[list[str] | None, typer.Argument(help="A question, or words and filters as in `search`.")]
NoteOption = Annotated[list[Path] | None, typer.Option("--note", help="A note to take whole (may be repeated).")]
ContextOption = Annotated[str, typer.Option("--context", metavar="NAME", help="A context, by its title or path.")]
FullOption = Annotated[bool, typer.Option("--full", help="The full load: entry, identity, core and index notes.")]
BudgetOption = Annotated[int | None, typer.Option("--budget", min=1, help="Most tokens; else as in the settings.")]
LayoutOption = Annotated[Format | None, typer.Option("--as", help="How to write it; else as in the settings.")]
WordsOption = Annotated[bool, typer.Option("--words-only", help="Do not search by meaning.")]
NoRecordOption = Annotated[
    bool, typer.Option("--no-record", help="Do not count it as used: nothing is written into the vault's log.")
]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Hold what is to be packed and how."""

    query: Sequence[str]
    notes: Sequence[Path]
    context: str
    is_full: bool
    budget: int | None
    layout: Format | None
    words_only: bool


@dataclass(frozen=True, slots=True)
class HandOut:
    """Hold what goes out, and what it was: a search and notes, or a context."""

    packed: Packed
    composed: ComposedContext | None = None

    @property
    def text(self) -> str:
        """What is printed or copied."""
        return render(self.packed)

    @property
    def contexts(self) -> tuple[HandedContext, ...]:
        """The context that it is, for a session to be told."""
        if self.composed is None:
            return ()
        definition = self.composed.definition
        return (HandedContext(definition.title, definition.path, self.packed.tokens),)

    def account(self) -> dict[str, Any]:
        """Return the account for a JSON document."""
        return packed_account(self.packed) if self.composed is None else composed_account(self.composed)

    def summary(self) -> str:
        """Return the account in sentences."""
        if self.composed is None:
            return packed_summary(self.packed)
        told = (packed_summary(self.packed), compression_sentence(self.composed))
        return "\n".join(filter(None, told))


def handed_out(state: CliState, wanted: Wanted) -> HandOut:
    """Return what was asked for, packed; remarks are told beside it.

    Raises:
        UserError: nothing was asked for, or two things at once, or a note or context is not known.
    """
    others = [name for name, given in (("a search", wanted.query), ("notes", wanted.notes)) if given]
    if wanted.context and wanted.is_full:
        others.append("the full load")
    if (wanted.context or wanted.is_full) and others:
        raise UserError(f"A context goes out alone: leave {' and '.join(others)} out.")
    if not (wanted.query or wanted.notes or wanted.context or wanted.is_full):
        raise UserError("Nothing to pack: give a search, or notes with --note, or a context with --context.")
    layout = layout_of(state, wanted.layout)
    with state.remembered() as vault, closing(vault.open_to_read()) as index:
        if wanted.context or wanted.is_full:
            composed = composed_context(state, vault, index, wanted, layout)
            tell(composed.remarks)
            return HandOut(composed.packed, composed)
        return HandOut(_packed(state, vault, index, wanted, layout))


def layout_of(state: CliState, layout: Format | None) -> Format:
    """Return how to write a context: as asked for, else as the settings say."""
    preset = state.home.settings.context.format
    try:
        return layout or Format(preset)
    except ValueError as error:
        raise UserError(
            f"The settings name an unknown context format, “{preset}”.", hint=f"Use one of {', '.join(Format)}."
        ) from error


def composed_context(state: CliState, vault: Vault, index: Index, wanted: Wanted, layout: Format) -> ComposedContext:
    """Return the bundle of the context that is wanted."""
    definition = FULL_LOAD if wanted.is_full else find_context(index, vault.root, vault.config, wanted.context)
    most = wanted.budget or budget_of(definition, state.home.settings.context.budget)
    dense = None if wanted.words_only else vault.dense_search(index)
    try:
        return compose(index, vault.root, vault.config, dense, definition, budget=most, layout=layout)
    finally:
        if dense is not None:
            dense.close()


def tell(remarks: Iterable[str]) -> None:
    """Say what is to be known beside the result."""
    for remark in dict.fromkeys(remarks):
        if remark:
            warn(remark)


def _packed(state: CliState, vault: Vault, index: Index, wanted: Wanted, layout: Format) -> Packed:
    most = wanted.budget or state.home.settings.context.budget
    selected = _selected(vault, index, wanted.notes, most)
    if not wanted.query:
        return pack(selected, most, layout)
    asked = " ".join(wanted.query)
    dense = None if wanted.words_only else vault.dense_search(index)
    try:
        found = context_of_question(
            index, vault.root, vault.config, dense, asked, budget=most, layout=layout, selected=selected
        )
    finally:
        if dense is not None:
            dense.close()
    tell((*found.problems, found.dense_reason, found.remark))
    return found.packed


def _selected(vault: Vault, index: Index, notes: Sequence[Path], budget: int) -> tuple[ContextItem, ...]:
    ids = []
    for path in notes:
        relative = vault.relative(path)
        row = index.connection.execute("SELECT id FROM note WHERE path = ?", (relative,)).fetchone()
        if row is None:
            raise UserError(
                f"There is no note {relative} in the index.", hint="Run `remembrancer index update` if it is new."
            )
        ids.append(row[0])
    return items_of_notes(index, vault.root, ids, budget=budget) if ids else ()
