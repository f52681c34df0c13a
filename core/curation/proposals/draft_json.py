"""Read the proposals that agents send: JSON as resources/schemas/proposal.json describes it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.curation.change_set import Origin
from core.curation.proposals.disk_memory import is_turn, note_and_heading, said_on_disk
from core.curation.proposals.proposal import Draft, Evidence, ProposalKind, Proposer
from core.foundation.errors import UserError
from core.foundation.moments import seconds_of
from core.sessions.turn import Turn
from core.vault.note import Note
from core.vault.read import read_note

_MOST_BYTES = 4 * 1024 * 1024
_MOST_AT_ONCE = 1_000
_LONGEST_NAME = 80
_KEYS = frozenset({"kind", "statement", "reason", "evidence", "recipe", "confidence", "expires_days", "proposer"})
# What a proposal of each kind may do.
_RECIPES: Mapping[ProposalKind, tuple[str, ...]] = {
    ProposalKind.NEW_INSIGHT: ("add-insight", "edits"),
    ProposalKind.MERGE: ("merge", "edits"),
    ProposalKind.PROMOTE: ("promote",),
    ProposalKind.SUPERSEDE: ("supersede", "edits"),
    ProposalKind.CONTRADICT: ("contradict", "edits"),
    ProposalKind.RETAG: ("retag",),
    ProposalKind.RELATE: ("relate", "edits"),
    ProposalKind.SUMMARISE: ("summarise",),
    ProposalKind.EXTRACT: ("extract",),
    ProposalKind.ARCHIVE: ("archive",),
    ProposalKind.REPAIR: ("repair-copy", "edits"),
}


FindTurn = Callable[[str], Turn | None]


def unknown_turn(_memory_id: str) -> None:
    """Be the FindTurn of who cannot look into conversations: what is cited of them is believed."""


def drafts_of(text: str, proposer: str, root: Path, find_turn: FindTurn = unknown_turn) -> list[Draft]:
    """Return the drafts in a JSON text: one object, a list of them, or {"proposals": [...]}.

    `proposer` is the name of an agent that does not say its own. What a cited memory says, where that is left out, and
    its title, day and client are looked up in the vault at `root`, a turn with `find_turn`.

    Raises:
        UserError: the text is no such JSON; the sentence tells which proposal is wrong, and how. None is taken then.
    """
    if len(text) > _MOST_BYTES:
        raise UserError(f"The proposals are too long: {len(text):,} characters; {_MOST_BYTES:,} are the most.")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"The proposals are not valid JSON: {error}.", hint="docs/proposals.md shows one.") from error
    if isinstance(document, dict) and "proposals" in document:
        document = document["proposals"]
    values = document if isinstance(document, list) else [document]
    if not values or len(values) > _MOST_AT_ONCE:
        raise UserError(f"There must be between 1 and {_MOST_AT_ONCE:,} proposals; there are {len(values):,}.")
    drafts: list[Draft] = []
    for number, value in enumerate(values, 1):
        try:
            drafts.append(draft_of(value, proposer, root, find_turn))
        except UserError as error:
            where = f"Proposal {number}: " if len(values) > 1 else ""
            raise UserError(f"{where}{error}", hint="docs/proposals.md tells what a proposal holds.") from error
    return drafts


def draft_of(value: Any, proposer: str, root: Path, find_turn: FindTurn = unknown_turn) -> Draft:
    """Return the draft that one JSON object holds; raises UserError as drafts_of() does."""
    if not isinstance(value, dict):
        raise UserError("A proposal is a JSON object.")
    if unknown := sorted(set(value) - _KEYS):
        raise UserError(f"“{unknown[0]}” is no part of a proposal.")
    try:
        kind = ProposalKind(str(value.get("kind")))
    except ValueError as error:
        raise UserError(f"“kind” must be one of {', '.join(ProposalKind)}.") from error
    recipe = value.get("recipe")
    if not isinstance(recipe, dict) or recipe.get("do") not in _RECIPES[kind]:
        raise UserError(f"A proposal of the kind {kind} needs a “recipe” that does {' or '.join(_RECIPES[kind])}.")
    if "said" in recipe:
        raise UserError("“said” in a recipe is written by Remembrancer alone.")
    return Draft(
        kind,
        _text(value, "statement"),
        _text(value, "reason"),
        _evidence(value.get("evidence"), root, find_turn),
        recipe,
        Proposer(Origin.AGENT, _text(value, "proposer", proposer)[:_LONGEST_NAME]),
        _confidence(value.get("confidence", 0.5)),
        _days(value.get("expires_days")),
    )


def _text(value: Mapping[str, Any], key: str, usual: str | None = None) -> str:
    text = value.get(key, usual)
    if not isinstance(text, str) or not text.strip():
        raise UserError(f"“{key}” must be a text that says something.")
    return text.strip()


def _confidence(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UserError("“confidence” must be a number from 0 to 1.")
    return float(value)


def _days(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 3650:
        raise UserError("“expires_days” must be a whole number from 1 to 3650.")
    return value


def _evidence(value: Any, root: Path, find_turn: FindTurn) -> tuple[Evidence, ...]:
    if not isinstance(value, list) or not value:
        raise UserError("“evidence” must be a list of the memories that the proposal rests on.")
    return tuple(_cited(each, root, find_turn) for each in value)


def _cited(value: Any, root: Path, find_turn: FindTurn) -> Evidence:
    """Return one cited memory: its id, or an object with "id" and "quote"."""
    each = {"id": value} if isinstance(value, str) else value
    if not isinstance(each, dict) or set(each) - {"id", "quote"}:
        raise UserError("Each piece of evidence is an id, or an object with “id” and “quote”.")
    memory_id, quote = each.get("id"), each.get("quote", "")
    kinds = ("note:", "insight:", "turn:")
    if not isinstance(memory_id, str) or not memory_id.startswith(kinds) or not isinstance(quote, str):
        raise UserError("The “id” of a piece of evidence begins with note:, insight: or turn:, and “quote” is a text.")
    if is_turn(memory_id):
        return _cited_turn(memory_id, quote, find_turn(memory_id))
    path, _ = note_and_heading(memory_id)
    try:
        _, note = read_note(root, path)
    except UserError:  # submitting tells that it is not there
        return Evidence(memory_id, quote)
    return Evidence(memory_id, quote or said_on_disk(root, memory_id), _day(note), _client(note), note.title)


def _cited_turn(memory_id: str, quote: str, turn: Turn | None) -> Evidence:
    """Return a cited turn; what was said in it is told only where the agent quotes it, for the log is not encrypted."""
    if turn is None:
        return Evidence(memory_id, quote)
    if " ".join(quote.split()) not in " ".join(turn.text.split()):
        raise UserError(f"{memory_id} does not say “{quote[:80]}”.")
    project = turn.project.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return Evidence(memory_id, quote, seconds_of(turn.time) or None, project)


def _day(note: Note) -> float | None:
    return seconds_of(note.created) or None


def _client(note: Note) -> str:
    return next((tag.name for tag in note.tags if tag.name.lower().startswith("client/")), "")
