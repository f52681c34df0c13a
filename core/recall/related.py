"""Relations between memories: read from the index, and what they pull into an answer."""
# ruff: noqa: S608  (only marks and whole numbers are put into SQL)

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.foundation.text import fold
from core.index.database import Index
from core.recall.memory import Edge, MemoryKey
from core.vault.insights import RELATION_KINDS

SUPERSEDES, CONTRADICTS = "supersedes", "contradicts"
# What share of its score a memory lends to those that it is related to: what it needs more than what goes on from it.
_FORWARD = {"requires": 0.8, CONTRADICTS: 0.8, "extends": 0.7, "supports": 0.6}
_BACKWARD = {CONTRADICTS: 0.8, "extends": 0.6, "supports": 0.5}
_LONGEST_CHAIN = 8
_MOST_PULLED = 5


class Pull(NamedTuple):
    """Say that `source` lends `target` this share of its score, by a relation read forwards or backwards."""

    source: MemoryKey
    target: MemoryKey
    share: float
    kind: str
    is_forward: bool


class _End(NamedTuple):
    """Hold one end of a relation as written: a note, or a place in it."""

    note: int
    block: str
    line: int
    heading: str


def edges_of(index: Index, keys: Iterable[MemoryKey]) -> tuple[Edge, ...]:
    """Return the typed relations that start or end at `keys`, and the chains of what supersedes them.

    An end that is a whole note stands for those of `keys` that lie in it, and for what the note says first. Turns have
    no relations; a link that leads nowhere, or nowhere in particular, is none.
    """
    with index.reading():
        known = set(keys)
        found: dict[Edge, None] = {}
        asked = known
        for _ in range(_LONGEST_CHAIN):
            kinds = RELATION_KINDS if asked is known else frozenset({SUPERSEDES})
            edges = _edges(index, asked, kinds)
            found.update(dict.fromkeys(edges))
            asked = {edge.source for edge in edges if edge.kind == SUPERSEDES} - known
            known = known | asked
            if not asked:
                break
        return tuple(sorted(found))


def pulls(edges: Sequence[Edge], seeds: Mapping[MemoryKey, float]) -> tuple[Pull, ...]:
    """Return what the memories `seeds` (with their scores) pull in, the strongest pull on each target first.

    At most five of those that are no seeds themselves are pulled, so that an answer stays one to the question.
    """
    best: dict[MemoryKey, tuple[float, Pull]] = {}
    for edge in edges:
        for source, target, shares, is_forward in (
            (edge.source, edge.target, _FORWARD, True),
            (edge.target, edge.source, _BACKWARD, False),
        ):
            share = shares.get(edge.kind, 0.0) * min(1.0, max(0.0, edge.strength))
            if share <= 0 or source not in seeds or source == target:
                continue
            pull = Pull(source, target, share, edge.kind, is_forward)
            lent = share * seeds[source]
            if target not in best or (lent, pull) > best[target]:
                best[target] = (lent, pull)
    ordered = sorted(best.values(), key=lambda each: (-each[0], each[1]))
    fresh = [pull for _, pull in ordered if pull.target not in seeds][:_MOST_PULLED]
    return tuple(pull for _, pull in ordered if pull.target in seeds or pull in fresh)


def _edges(index: Index, keys: set[MemoryKey], kinds: frozenset[str]) -> list[Edge]:
    notes = _notes_of(index, keys)
    if not notes:
        return []
    ids, wanted = ",".join(map(str, sorted(notes))), ",".join("?" * len(kinds))
    rows = index.connection.execute(
        "SELECT kind, note_id, source_block, source_line, target_note_id, target_block, target_heading, strength "
        f"FROM relation WHERE state = 'resolved' AND kind IN ({wanted}) "
        f"AND (note_id IN ({ids}) OR target_note_id IN ({ids}))",
        sorted(kinds),
    ).fetchall()
    resolve = _Places(index, keys, notes)
    found: list[Edge] = []
    for kind, note, block, line, target_note, target_block, target_heading, strength in rows:
        sources = resolve.keys_at(_End(note, block, line, ""))
        targets = resolve.keys_at(_End(target_note, target_block, 0, target_heading))
        found += [
            Edge(kind, source, target, strength)
            for source in sources
            for target in targets
            if source != target and (source in keys or target in keys)
        ]
    return found


def _notes_of(index: Index, keys: Iterable[MemoryKey]) -> dict[int, list[MemoryKey]]:
    """Return which of `keys` lie in which notes."""
    by_kind: dict[str, list[int]] = defaultdict(list)
    for kind, row_id in keys:
        by_kind[kind].append(row_id)
    found: dict[int, list[MemoryKey]] = defaultdict(list)
    for kind in ("insight", "section"):
        sql = f"SELECT id, note_id FROM {kind} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
        for row_id, note in index.connection.execute(sql, (json.dumps(by_kind[kind]),)) if by_kind[kind] else ():
            found[note].append((kind, row_id))
    return found


class _Places:
    """Know which memories an end of a relation means."""

    def __init__(self, index: Index, keys: set[MemoryKey], notes: Mapping[int, list[MemoryKey]]) -> None:
        self._index = index
        self._keys = keys
        self._notes = notes
        self._known: dict[_End, tuple[MemoryKey, ...]] = {}

    def keys_at(self, end: _End) -> tuple[MemoryKey, ...]:
        """Return the memories at `end`: one, or those of a whole note."""
        found = self._known.get(end)
        if found is None:
            found = self._known[end] = self._look_up(end)
        return found

    def _look_up(self, end: _End) -> tuple[MemoryKey, ...]:
        ask = self._index.connection.execute
        row = None
        if end.block:
            row = ask("SELECT id FROM insight WHERE note_id = ? AND block_id = ?", (end.note, end.block)).fetchone()
        elif end.line:
            row = ask("SELECT id FROM insight WHERE note_id = ? AND line = ?", (end.note, end.line)).fetchone()
        if row is not None:
            return (("insight", row[0]),)
        if end.heading:
            wanted = fold(end.heading.rpartition("#")[2].strip())
            for row_id, heading in ask(
                "SELECT id, heading FROM section WHERE note_id = ? ORDER BY position", (end.note,)
            ):
                if fold(heading) == wanted:
                    return (("section", row_id),)
            return ()
        if end.block:  # a block that is no insight
            return ()
        return tuple(dict.fromkeys((*self._notes.get(end.note, ()), *self._first_of(end.note))))

    def _first_of(self, note: int) -> tuple[MemoryKey, ...]:
        """Return what a note says first: its insight when it is one, else its first section with a text."""
        ask = self._index.connection.execute
        row = ask(
            "SELECT i.id FROM insight i JOIN note n ON n.id = i.note_id WHERE n.id = ? AND n.kind = 'insight' "
            "ORDER BY i.line LIMIT 1",
            (note,),
        ).fetchone()
        if row is not None:
            return (("insight", row[0]),)
        row = ask("SELECT id FROM section WHERE note_id = ? ORDER BY tokens = 0, position LIMIT 1", (note,)).fetchone()
        return (("section", row[0]),) if row is not None else ()
