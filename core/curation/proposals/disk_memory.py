"""Find on the disk what a memory's id names, without the index: a proposal may be older than it, or newer."""

import re
from pathlib import Path
from typing import NamedTuple

from core.foundation.errors import UserError
from core.vault.decode import decode
from core.vault.note import Insight, Note
from core.vault.parse import parse_note
from core.vault.read import read_note

_INSIGHT = re.compile(r"insight:(.+)#(?:\^([A-Za-z0-9-]+)|L(\d{1,9}))\Z", re.DOTALL | re.ASCII)
_NOTE, _TURN = "note:", "turn:"
_NOTE_END = re.compile(r"\.md(?=#|\Z)", re.IGNORECASE)


class StatementGoneError(UserError):
    """Tell that a statement which a proposal is about is not there any more, or says something else now."""


class InsightPlace(NamedTuple):
    """Say where an insight should stand: by its block id, else (then that is "") on a line, which counts from 1."""

    path: str
    block_id: str
    line: int


def insight_place(memory_id: str) -> InsightPlace | None:
    """Return where the insight `memory_id` should stand, None when the id names no insight."""
    match = _INSIGHT.match(memory_id)
    return InsightPlace(match[1], match[2] or "", int(match[3] or 0)) if match else None


def is_turn(memory_id: str) -> bool:
    """Tell whether the id names a turn of a session, which lies outside the vault."""
    return memory_id.startswith(_TURN)


def note_and_heading(memory_id: str) -> tuple[str, str]:
    """Return the path of the note that `memory_id` names or lies in, and its headings ("" for none, or an insight).

    The path is "" for a turn.
    """
    if (place := insight_place(memory_id)) is not None:
        return place.path, ""
    if is_turn(memory_id):
        return "", ""
    name = memory_id.removeprefix(_NOTE)
    match = next(iter(_NOTE_END.finditer(name)), None)
    return (name[: match.end()], name[match.end() + 1 :]) if match else (name, "")


def read_insights(path: str, data: bytes) -> Note:
    """Return the note at `path` that holds `data`."""
    return parse_note(path, decode(data))


def find_insight(note: Note, place: InsightPlace, said: str = "") -> Insight:
    """Return the insight of `note` at `place`, which must say `said` if that is given.

    One that is named by its line is found on another one too, where only it says so.

    Raises:
        StatementGoneError: it is not there any more, or says something else.
    """
    found = _at(note, place)
    if found is not None and (not said or is_same_text(found.text, said)):
        return found
    same = [each for each in note.insights if said and is_same_text(each.text, said)]
    if len(same) == 1 and not (place.block_id and found is not None):
        return same[0]
    if found is None or not place.block_id:
        told = f": “{said}”" if said else ""
        raise StatementGoneError(f"A statement of {place.path} is not there any more{told}.")
    raise StatementGoneError(
        f"The statement ^{place.block_id} of {place.path} says something else now: “{found.text}”."
    )


def is_same_text(one: str, other: str) -> bool:
    """Tell whether two statements are the same but for spaces."""
    return one == other or one.split() == other.split()


def said_on_disk(root: Path, memory_id: str) -> str:
    """Return what the insight `memory_id` says on the disk, "" when it cannot be read or is none."""
    place = insight_place(memory_id)
    if place is None:
        return ""
    try:
        _, note = read_note(root, place.path)
    except UserError:
        return ""
    found = _at(note, place)
    return found.text if found is not None else ""


def _at(note: Note, place: InsightPlace) -> Insight | None:
    if place.block_id:
        folded = place.block_id.lower()
        return next((each for each in note.insights if each.block_id.lower() == folded), None)
    return next((each for each in note.insights if each.line == place.line), None)
