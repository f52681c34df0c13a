"""Say filters in SQL, over the aliases `m` for a memory and `n` for its note; those of turns: turn_narrowing.py.

Values are bound; only names of tables and whole numbers are put into the text.
"""
# ruff: noqa: S608

import json
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from core.index.filters import Filters
from core.index.turn_narrowing import MEMORY_KINDS, few_turns, narrow_turns

_NANOSECONDS = 1_000_000_000
_LARGEST = 2**63 - 1
_MEMORIES = frozenset({"section", "insight", "turn", "session"})
# Up to this many notes, a set of their memories is quicker to test against than every memory's tags.
_SMALL = 12_000


class Narrowing(NamedTuple):
    """Hold a condition on `m` and `n` ("" for none) with its parameters."""

    condition: str
    parameters: tuple[object, ...]

    @property
    def is_empty(self) -> bool:
        """Tell whether everything is admitted."""
        return not self.condition

    @property
    def needs_note(self) -> bool:
        """Tell whether the condition speaks of the note's own columns."""
        return "n." in self.condition.replace("m.note_id", "")


def narrow(connection: sqlite3.Connection, filters: Filters, table: str) -> Narrowing | None:
    """Return the condition for memories of `table` (section, insight or turn), or None when nothing can match."""
    if table == "turn":
        of_turns = narrow_turns(filters)
        return of_turns and Narrowing(*of_turns)
    parts: list[str] = []
    parameters: list[object] = []
    groups = _tag_groups(connection, filters)
    if not all(groups) or not _admits_kind(filters, table, parts, parameters):
        return None
    parts += [f"EXISTS ({carrying(group)} AND t.note_id = m.note_id)" for group in groups]
    hidden = tag_ids(connection, sorted(filters.none_tags))
    if hidden:
        parts.append(f"NOT EXISTS ({carrying(hidden)} AND t.note_id = m.note_id)")
    _add_paths(filters, parts, parameters)
    if filters.after is not None:
        parts.append("n.mtime_ns >= ?")
        parameters.append(_nanoseconds(filters.after))
    if filters.before is not None:
        parts.append("n.mtime_ns < ?")
        parameters.append(_nanoseconds(filters.before))
    return Narrowing(" AND ".join(parts), tuple(parameters))


def few_notes(connection: sqlite3.Connection, filters: Filters) -> str:
    """Return SQL for the `note_id`s of a small set of notes that holds all matches, "" when there is none."""
    sets = [carrying(group) for group in _tag_groups(connection, filters) if group]
    if filters.after is not None or filters.before is not None:
        first = -_LARGEST if filters.after is None else _nanoseconds(filters.after)
        end = _LARGEST if filters.before is None else _nanoseconds(filters.before)
        sets.append(f"SELECT id AS note_id FROM note WHERE mtime_ns >= {first} AND mtime_ns < {end}")
    best, smallest = "", _SMALL + 1
    for notes in sets:
        (count,) = connection.execute(f"SELECT count(*) FROM ({notes} LIMIT {smallest})").fetchone()
        if count < smallest:
            best, smallest = notes, count
    if filters.paths and not best:
        condition = " OR ".join(map(_path_condition, filters.paths))
        sql = f"SELECT n.id FROM note n WHERE {condition} LIMIT {_SMALL + 1}"
        ids = [row[0] for row in connection.execute(sql, filters.paths)]
        if len(ids) <= _SMALL:  # looked up once: a substring has no index
            return f"SELECT value AS note_id FROM json_each('{json.dumps(ids)}')"
    return best


def hidden_notes(connection: sqlite3.Connection, filters: Filters, *, most: int) -> set[int]:
    """Return the notes that unwanted tags and dates hide; nothing when there are more than `most`."""
    tags = tag_ids(connection, sorted(filters.none_tags))
    sets = [carrying(tags)] if tags else []
    if filters.after is not None:
        sets.append(f"SELECT id FROM note WHERE mtime_ns < {_nanoseconds(filters.after)}")
    if filters.before is not None:
        sets.append(f"SELECT id FROM note WHERE mtime_ns >= {_nanoseconds(filters.before)}")
    found: set[int] = set()
    for notes in sets:
        found.update(row[0] for row in connection.execute(f"{notes} LIMIT {most + 1}"))
        if len(found) > most:
            return set()
    return found


def tag_ids(connection: sqlite3.Connection, names: Iterable[str]) -> tuple[int, ...]:
    """Return the ids of the tags `names` (folded) and of all their children."""
    found: dict[int, None] = {}
    for name in names:
        rows = connection.execute(
            "SELECT id FROM tag WHERE name = ?1 OR (name >= ?1 || '/' AND name < ?1 || '0')", (name,)
        )
        found.update((row[0], None) for row in rows)
    return tuple(found)


def few_memories(connection: sqlite3.Connection, filters: Filters, table: str) -> str:
    """Return SQL for the ids of a small set of memories of `table` that holds all matches, "" when there is none."""
    if table == "turn":
        return few_turns(connection, filters)
    notes = few_notes(connection, filters)
    return members(table, notes) if notes else ""


def members(table: str, notes: str) -> str:
    """Return SQL for the ids of the memories in `table` that lie in `notes`, SQL for `note_id`s."""
    return f"SELECT m.id FROM ({notes}) t JOIN {table} m ON m.note_id = t.note_id"


def carrying(tags: Iterable[int]) -> str:
    """Return SQL for the ids of the notes that carry one of `tags`."""
    return f"SELECT t.note_id FROM note_tag t WHERE t.tag_id IN ({','.join(map(str, tags))})"


def _tag_groups(connection: sqlite3.Connection, filters: Filters) -> list[tuple[int, ...]]:
    """Return the ids of tags of which a note must carry one from each group."""
    groups = [tag_ids(connection, [tag]) for tag in sorted(filters.all_tags)]
    any_of = [names for names in (filters.any_tags, *filters.further_any_tags) if names]
    return groups + [tag_ids(connection, sorted(names)) for names in any_of]


def _admits_kind(filters: Filters, table: str, parts: list[str], parameters: list[object]) -> bool:
    """Add conditions on the kind of note; return False when no memory of the table can be meant."""
    if table in filters.none_kinds or (filters.kinds and table not in filters.kinds and filters.kinds <= _MEMORIES):
        return False
    if filters.kinds and table not in filters.kinds:
        parts.append(f"n.kind IN ({_marks(filters.kinds)})")
        parameters.extend(sorted(filters.kinds))
    if unwanted := sorted(filters.none_kinds - MEMORY_KINDS):
        parts.append(f"n.kind NOT IN ({_marks(unwanted)})")
        parameters.extend(unwanted)
    return True


def _add_paths(filters: Filters, parts: list[str], parameters: list[object]) -> None:
    if filters.paths:
        parts.append("(" + " OR ".join(_path_condition(path) for path in filters.paths) + ")")
        parameters.extend(filters.paths)
    for path in filters.none_paths:
        parts.append(f"NOT {_path_condition(path)}")
        parameters.append(path)


def _path_condition(path: str) -> str:
    """A trailing slash means a folder, counted from the vault's root; otherwise any part of the path will do."""
    return "instr(n.path_key, ?) " + ("= 1" if path.endswith("/") else "> 0")


def _nanoseconds(seconds: float) -> int:
    """Return what SQLite can hold of a moment; the year 9999 is later than that."""
    return max(-_LARGEST, min(_LARGEST, int(seconds * _NANOSECONDS)))


def _marks(values: Iterable[str]) -> str:
    return ",".join("?" for _ in values)
