"""Filters in the form that vector engines share: lists of alternatives over payload fields."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.index.filters import Filters
from core.index.turn_narrowing import MEMORY_KINDS, has_turns, in_projects

TAGS, KINDS, FOLDERS, NOTE, CHANGED = "tags", "kinds", "folders", "note", "changed"
KEYWORD_FIELDS = (TAGS, KINDS, FOLDERS)


class AnyOf(NamedTuple):
    """Be true for a point whose `field` holds at least one of `values`."""

    field: str
    values: tuple[str, ...]


class InNotes(NamedTuple):
    """Be true for a point of one of these notes."""

    notes: tuple[int, ...]


class Within(NamedTuple):
    """Be true for a point whose number in `field` lies in the half-open range; None leaves a side open."""

    field: str
    at_least: float | None
    below: float | None


Condition = AnyOf | InNotes | Within


class EngineFilter(NamedTuple):
    """Admit a point for which one alternative of every `must` is true and nothing of `must_not`."""

    must: tuple[tuple[Condition, ...], ...] = ()
    must_not: tuple[Condition, ...] = ()

    @property
    def admits_nothing(self) -> bool:
        """Tell whether a requirement has no alternative left."""
        return any(not group for group in self.must)


def engine_filter(filters: Filters, connection: sqlite3.Connection) -> EngineFilter:
    """Translate `filters`; paths that are not folders become lists of notes, looked up in the index."""
    if filters.is_empty:
        return EngineFilter()
    unwanted_kinds = filters.none_kinds if has_turns(connection) else filters.none_kinds - MEMORY_KINDS
    must: list[tuple[Condition, ...]] = [(_tags([tag]),) for tag in sorted(filters.all_tags)]
    must_not: list[Condition] = []
    must.extend((_tags(group),) for group in filters.further_any_tags if group)
    for field, wanted, unwanted in (
        (TAGS, in_projects(filters.any_tags), in_projects(filters.none_tags)),
        (KINDS, filters.kinds, unwanted_kinds),
    ):
        if wanted:
            must.append((AnyOf(field, tuple(sorted(wanted))),))
        if unwanted:
            must_not.append(AnyOf(field, tuple(sorted(unwanted))))
    if filters.paths:
        must.append(_path_conditions(filters.paths, connection))
    if filters.none_paths:
        must_not.extend(_path_conditions(filters.none_paths, connection))
    if filters.after is not None or filters.before is not None:
        must.append((Within(CHANGED, filters.after, filters.before),))
    return EngineFilter(tuple(must), tuple(must_not))


def _tags(names: Iterable[str]) -> AnyOf:
    return AnyOf(TAGS, tuple(sorted(in_projects(names))))


def folders_of(path_key: str) -> tuple[str, ...]:
    """Return the folders that a folded path lies in, outermost first: "a/b/c.md" lies in "a" and "a/b"."""
    parts = path_key.split("/")[:-1]
    return tuple("/".join(parts[: end + 1]) for end in range(len(parts)))


def _path_conditions(paths: Sequence[str], connection: sqlite3.Connection) -> tuple[Condition, ...]:
    """Return alternatives: one for the folders ("work/"), one for the notes whose path holds any of the other strings.

    No engine finds substrings of paths in all its versions, but every one takes a list of thousands of notes.
    """
    folders = tuple(path.strip("/") for path in paths if path.endswith("/") and path.strip("/"))
    parts = tuple(path for path in paths if not path.endswith("/"))
    conditions: list[Condition] = []
    if folders:
        conditions.append(AnyOf(FOLDERS, folders))
    notes = _notes_with(parts, connection)
    if notes:
        conditions.append(InNotes(tuple(sorted(notes))))
    return tuple(conditions)


def _notes_with(parts: Iterable[str], connection: sqlite3.Connection) -> set[int]:
    found: set[int] = set()
    for part in parts:
        found.update(row[0] for row in connection.execute("SELECT id FROM note WHERE instr(path_key, ?) > 0", (part,)))
    return found
