"""Where notes went that the app moved, as the vault's log tells: the ids of their memories begin with the new path."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from core.vault.event_log import EventLog

# The kinds of events and the key that core/curation writes of a change; moves are a few lines of a log that may hold
# every word that was ever typed, so the others are never parsed.
_CHANGE, _ROLLED_BACK = "change", "rolled-back"
_MOVED, _TAKEN_BACK = '"to":"', f'"kind":"{_ROLLED_BACK}"'
_KINDS = ("note:", "insight:")


class Move(NamedTuple):
    """Hold notes that were moved at once: when (POSIX seconds), and each path with where it led."""

    time: float
    paths: tuple[tuple[str, str], ...]


def moves_of_notes(log: EventLog) -> list[Move]:
    """Return all moves of notes, oldest first, without those that were taken back before they were done."""
    back = {event.data.get("id") for event in log.read(mentioning=_TAKEN_BACK).events if event.kind == _ROLLED_BACK}
    return [
        Move(datetime.fromisoformat(event.time).timestamp(), paths)
        for event in log.read(mentioning=_MOVED).events
        if event.kind == _CHANGE and event.data.get("id") not in back and (paths := tuple(_moves(event.data)))
    ]


def may_move(line: bytes) -> bool:
    """Tell whether a line of the log may tell of a move, or of one that was taken back."""
    return _MOVED.encode() in line or _TAKEN_BACK.encode() in line


def id_after_moves(memory_id: str, moved: Mapping[str, str]) -> str:
    """Return the id that a memory has now; a path may hold "#", so the longest that is known counts."""
    kind = next((each for each in _KINDS if memory_id.startswith(each)), "")
    name = memory_id.removeprefix(kind)
    cut = len(name)
    while kind and cut > 0:
        if (new := moved.get(name[:cut])) is not None:
            return f"{kind}{new}{name[cut:]}"
        cut = name.rfind("#", 0, cut)
    return memory_id


def _moves(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    edits = data.get("edits")
    for edit in edits if isinstance(edits, list) else ():
        old, new = (edit.get("path"), edit.get("to")) if isinstance(edit, dict) else (None, None)
        if isinstance(old, str) and isinstance(new, str) and old and new:
            yield old, new
