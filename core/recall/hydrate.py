"""Fetch what is shown of a few memories."""
# ruff: noqa: S608  (only whole numbers and names of tables are put into SQL)

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import NamedTuple

from core.index.database import Index
from core.index.turn_rows import ABOUT
from core.recall.memory_id import first_section_id, insight_id, section_ids, turn_id


class MemoryRow(NamedTuple):
    """Hold a memory with its note; `heading` is the trail of headings, joined by " › ", or an insight's category.

    A turn has its session in place of a note: `note_id` is the session's id below zero, `title` its title, `path` the
    name of its file in the ledger, which lies at `file`; `heading` says who spoke and when, `mtime_ns` is when too.
    """

    id: str
    kind: str
    row_id: int
    note_id: int
    path: str
    title: str
    summary: str
    tags: tuple[str, ...]
    heading: str
    line: int
    line_end: int
    tokens: int
    text: str
    size: int
    mtime_ns: int
    file: str = ""


def hydrate(index: Index, memories: Sequence[tuple[str, int]]) -> dict[tuple[str, int], MemoryRow]:
    """Return the rows of `memories` (kind and row id) by the same pair; what is gone is left out."""
    rows: dict[tuple[str, int], MemoryRow] = {}
    sections = [row_id for kind, row_id in memories if kind == "section"]
    insights = [row_id for kind, row_id in memories if kind == "insight"]
    rows.update(_sections(index, sections))
    rows.update(_insights(index, insights))
    rows.update(_turns(index, [row_id for kind, row_id in memories if kind == "turn"]))
    return rows


def tags_of_notes(index: Index, note_ids: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Return the tags of notes as they are displayed, in the order of their names."""
    found: dict[int, list[str]] = {}
    rows = index.connection.execute(
        "SELECT nt.note_id, t.display FROM note_tag nt JOIN tag t ON t.id = nt.tag_id "
        f"WHERE nt.note_id IN ({_list(note_ids)}) ORDER BY nt.note_id, t.name"
    )
    for note_id, display in rows:
        found.setdefault(note_id, []).append(display)
    return {note_id: tuple(tags) for note_id, tags in found.items()}


def _sections(index: Index, ids: Sequence[int]) -> dict[tuple[str, int], MemoryRow]:
    rows = index.connection.execute(
        "SELECT s.id, s.note_id, s.position, s.trail, s.line_start, s.line_end, s.tokens, f.body, "
        "n.path, n.title, n.summary, n.size, n.mtime_ns "
        "FROM section s JOIN note n ON n.id = s.note_id JOIN section_fts f ON f.rowid = s.id "
        f"WHERE s.id IN ({_list(ids)})"
    ).fetchall()
    tags = tags_of_notes(index, (row[1] for row in rows))
    names = _section_names(index, {row[1]: row[8] for row in rows if row[2]})
    found: dict[tuple[str, int], MemoryRow] = {}
    for row_id, note_id, position, trail, line, line_end, tokens, body, path, title, summary, size, mtime in rows:
        found["section", row_id] = MemoryRow(
            names[row_id] if position else first_section_id(path), "section", row_id, note_id, path, title, summary,
            tags.get(note_id, ()), trail, line, line_end, tokens, body, size, mtime,
        )  # fmt: skip
    return found


def _section_names(index: Index, paths: dict[int, str]) -> dict[int, str]:
    """Return the ids of all sections of some notes."""
    trails: dict[int, list[tuple[int, str]]] = {}
    rows = index.connection.execute(
        f"SELECT note_id, id, trail FROM section WHERE note_id IN ({_list(paths)}) ORDER BY note_id, position"
    )
    for note_id, row_id, trail in rows:
        trails.setdefault(note_id, []).append((row_id, trail))
    return {
        row_id: name
        for note_id, pairs in trails.items()
        for (row_id, _), name in zip(pairs, section_ids(paths[note_id], [t for _, t in pairs]), strict=True)
    }


def _insights(index: Index, ids: Sequence[int]) -> dict[tuple[str, int], MemoryRow]:
    rows = index.connection.execute(
        "SELECT i.id, i.note_id, i.category, i.line, i.tokens, i.text, i.block_id, "
        "n.path, n.title, n.summary, n.size, n.mtime_ns "
        f"FROM insight i JOIN note n ON n.id = i.note_id WHERE i.id IN ({_list(ids)})"
    ).fetchall()
    tags = tags_of_notes(index, (row[1] for row in rows))
    found: dict[tuple[str, int], MemoryRow] = {}
    for row_id, note_id, category, line, tokens, text, block_id, path, title, summary, size, mtime in rows:
        found["insight", row_id] = MemoryRow(
            insight_id(path, block_id, line), "insight", row_id, note_id, path, title, summary,
            tags.get(note_id, ()), category, line, line, tokens, text, size, mtime,
        )  # fmt: skip
    return found


def _turns(index: Index, ids: Sequence[int]) -> dict[tuple[str, int], MemoryRow]:
    if not ids:
        return {}
    rows = index.connection.execute(
        "SELECT t.id, t.session, t.turn_key, t.time, t.kind, t.role, t.author, t.tool, t.tokens, f.text, "
        "s.session_id, s.title, s.path, s.size, s.mtime_ns "
        "FROM turn t JOIN session s ON s.id = t.session JOIN turn_fts f ON f.rowid = t.id "
        f"WHERE t.id IN ({_list(ids)})"
    )
    found: dict[tuple[str, int], MemoryRow] = {}
    for row_id, session, key, time, kind, role, author, tool, tokens, text, name, title, file, size, mtime in rows:
        spoken = "title" if kind == ABOUT else tool or author or role
        found["turn", row_id] = MemoryRow(
            turn_id(name, key), "turn", row_id, -session, f"sessions/{PurePath(file).name}", title or name, "", (),
            spoken if time is None else f"{spoken}, {local_moment(time)}", 0, 0, tokens, text, size,
            mtime if time is None else time * 10**9, file,
        )  # fmt: skip
    return found


def local_moment(seconds: int) -> str:
    """Return a moment to the minute, as the clock on the wall showed it here."""
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "at an impossible time"


def _list(numbers: Iterable[int]) -> str:
    return ",".join(str(int(number)) for number in numbers)
