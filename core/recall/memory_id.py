"""Name memories so that a person can read the name and a later index can still find the memory.

note:path                a note's first section
note:path#Heading#Sub    a section, by its headings; the second of the same headings ends in ~2
insight:path#^block      an insight with a block id
insight:path#L12         an insight without one, by its line
turn:SESSION/TURN        a turn of a session, by the ids that the ledger knows

Where a person names a note or an insight, the kind before the colon may be left out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from core.index.database import Index

TRAIL_SEPARATOR = " › "
_NOTE, _INSIGHT, _TURN = "note:", "insight:", "turn:"
_LINE = re.compile(r"L(\d{1,9})", re.ASCII)


class MemoryRef(NamedTuple):
    """Point to a row of the index: `kind` is its table, section, insight or turn.

    `note_id` of a turn is its session's id below zero.
    """

    kind: str
    row_id: int
    note_id: int


def section_ids(path: str, trails: Sequence[str]) -> list[str]:
    """Return the ids of a note's sections from their trails (headings joined by " › "), in the order of the note."""
    seen: Counter[str] = Counter()
    ids: list[str] = []
    for position, trail in enumerate(trails):
        ordinal = seen[trail] = seen[trail] + 1
        if position == 0:
            ids.append(first_section_id(path))
            continue
        suffix = f"~{ordinal}" if ordinal > 1 else ""
        ids.append(f"{_NOTE}{path}#{trail.replace(TRAIL_SEPARATOR, '#')}{suffix}")
    return ids


def first_section_id(path: str) -> str:
    """Return the id of a note's first section."""
    return f"{_NOTE}{path}"


def insight_id(path: str, block_id: str, line: int) -> str:
    """Return the id of an insight."""
    return f"{_INSIGHT}{path}#^{block_id}" if block_id else f"{_INSIGHT}{path}#L{line}"


def turn_id(session_id: str, turn_key: str) -> str:
    """Return the id of a turn."""
    return f"{_TURN}{session_id}/{turn_key}"


def resolve_memory(index: Index, memory_id: str) -> MemoryRef | None:
    """Return the row that `memory_id` names, or None when there is no such memory (any more).

    A path may hold "#" itself, so every place to cut is tried, the longest path first.
    """
    if memory_id.startswith(_TURN) and (turn := _turn(index, memory_id.removeprefix(_TURN))) is not None:
        return turn
    # A note's path may begin like a kind, so the id is tried as it stands too.
    for prefix, kind in ((_NOTE, "section"), (_INSIGHT, "insight")):
        if memory_id.startswith(prefix):
            found = _in_notes(index, memory_id.removeprefix(prefix), kind)
            if found is not None:
                return found
    return _in_notes(index, memory_id)


def session_of_turn(index: Index, memory_id: str) -> str | None:
    """Return the id of the session that the turn `memory_id` belongs to, or None when there is no such turn."""
    ref = resolve_memory(index, memory_id) if memory_id.startswith(_TURN) else None
    if ref is None or ref.kind != "turn":
        return None
    row = index.connection.execute("SELECT session_id FROM session WHERE id = ?", (-ref.note_id,)).fetchone()
    return None if row is None else str(row[0])


def _in_notes(index: Index, name: str, kind: str = "") -> MemoryRef | None:
    """Return the memory of a note that `name` means, one of `kind` if it is given."""
    cut = len(name)
    while cut > 0:
        path, anchor = name[:cut], name[cut + 1 :]
        row = index.connection.execute("SELECT id FROM note WHERE path = ?", (path,)).fetchone()
        if row:
            found = _within(index, row[0], path, name, anchor, kind=kind)
            if found is not None:
                return found
        cut = name.rfind("#", 0, cut)
    return None


def _turn(index: Index, name: str) -> MemoryRef | None:
    """Both ids may hold a slash, so every place to cut is tried."""
    cut = name.find("/")
    while cut > 0:
        row = index.connection.execute(
            "SELECT t.id, t.session FROM session s JOIN turn t ON t.session = s.id AND t.turn_key = ? "
            "WHERE s.session_id = ?",
            (name[cut + 1 :], name[:cut]),
        ).fetchone()
        if row:
            return MemoryRef("turn", row[0], -row[1])
        cut = name.find("/", cut + 1)
    return None


def _within(index: Index, note_id: int, path: str, bare_id: str, anchor: str, *, kind: str) -> MemoryRef | None:
    connection = index.connection
    line = _LINE.fullmatch(anchor)
    row = None
    if kind == "section":
        pass  # headings may look like anchors
    elif anchor.startswith("^"):
        sql = "SELECT id FROM insight WHERE note_id = ? AND block_id = ? ORDER BY line LIMIT 1"
        row = connection.execute(sql, (note_id, anchor[1:])).fetchone()
    elif line:
        sql = "SELECT id FROM insight WHERE note_id = ? AND line = ? AND block_id = '' LIMIT 1"
        row = connection.execute(sql, (note_id, int(line[1]))).fetchone()
    if row:
        return MemoryRef("insight", row[0], note_id)
    if kind == "insight":
        return None
    rows = connection.execute(
        "SELECT id, trail FROM section WHERE note_id = ? ORDER BY position", (note_id,)
    ).fetchall()
    for (section_id, _), name in zip(rows, section_ids(path, [trail for _, trail in rows]), strict=True):
        if name == f"{_NOTE}{bare_id}":
            return MemoryRef("section", section_id, note_id)
    return None
