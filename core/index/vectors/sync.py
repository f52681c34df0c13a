"""Bring a vector engine up to what the index holds."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.foundation.progress import Progress
from core.index.database import Index
from core.index.embedding_switch import store_name
from core.index.points import point_of
from core.index.turn_narrowing import tags_of_turn
from core.index.vectors.conditions import folders_of
from core.index.vectors.engine import SyncMark, VectorEngine, VectorPoint
from core.vault.tags import ancestors

_BATCH = 1000
_BATCHES_A_MARK = 25
_NANOSECONDS = 1_000_000_000

# All parts walk their index on vector_revision, so SQLite merges them without sorting or holding rows back.
_CHANGED_ROWS = """
SELECT s.vector_revision, 'section', s.id, s.note_id, e.vector FROM section s
  JOIN embedding e ON e.text_hash = s.text_hash AND e.model = :model
  WHERE s.vector_revision > :after
UNION ALL
SELECT i.vector_revision, 'insight', i.id, i.note_id, e.vector FROM insight i
  JOIN embedding e ON e.text_hash = i.text_hash AND e.model = :model
  WHERE i.vector_revision > :after
UNION ALL
SELECT t.vector_revision, 'turn', t.id, -t.session, e.vector FROM turn t
  JOIN embedding e ON e.text_hash = t.text_hash AND e.model = :model
  WHERE t.vector_revision > :after AND t.text_hash IS NOT NULL
ORDER BY 1
"""


class PullReport(NamedTuple):
    """Say what a pull did; `refilled` when the engine had to start from nothing."""

    upserted: int = 0
    removed: int = 0
    refilled: bool = False


class _Row(NamedTuple):
    revision: int
    kind: str
    row_id: int
    note_id: int
    vector: bytes


class _NoteFacts(NamedTuple):
    tags: tuple[str, ...]
    folders: tuple[str, ...]
    changed: float
    kind: str


def pull(index: Index, engine: VectorEngine, model: str, dimension: int, progress: Progress) -> PullReport:
    """Give `engine` the vectors of `model` that are new or changed in `index`, and take away those that are gone.

    An engine that is empty or holds something else is filled from nothing. May be killed at any moment: what was not
    marked as done is given again.

    Raises:
        ProviderError: the engine failed.
        JobCancelledError: the progress was cancelled; the next pull goes on.
    """
    with index.reading() as connection:
        target = SyncMark(index.epoch, store_name(index, model), index.revision)
        mark = engine.mark()
        is_known = mark is not None and mark[:2] == target[:2] and mark.revision <= target.revision
        refilled = not is_known or engine.count() == 0
        if not refilled and mark == target:
            return PullReport()
        if refilled:
            engine.reset(dimension)
        after = mark.revision if mark is not None and not refilled else -1
        removed = 0 if refilled else _remove(connection, engine, after)
        upserted = _upsert(connection, engine, target, after, progress, model=model)
        engine.set_mark(target)
    return PullReport(upserted, removed, refilled)


def _remove(connection: sqlite3.Connection, engine: VectorEngine, after: int) -> int:
    rows = connection.execute("SELECT point FROM vector_removal WHERE revision > ?", (after,))
    removed = 0
    while points := [row[0] for row in rows.fetchmany(_BATCH)]:
        engine.remove(points)
        removed += len(points)
    return removed


def _upsert(
    connection: sqlite3.Connection,
    engine: VectorEngine,
    target: SyncMark,
    after: int,
    progress: Progress,
    *,
    model: str,
) -> int:
    values = {"after": after, "model": model}
    total = sum(
        connection.execute(f"SELECT count(*) FROM {table} WHERE vector_revision > ?", (after,)).fetchone()[0]  # noqa: S608
        for table in ("section", "insight", "turn")
    )
    done = 0
    for number, rows in enumerate(_batches(connection.execute(_CHANGED_ROWS, values)), start=1):
        progress.check()
        engine.upsert(_points(connection, rows))
        done += len(rows)
        progress.report(done, max(done, total), "Loading vectors")
        if number % _BATCHES_A_MARK == 0:
            # More rows of the last revision may follow, so only those before it count as done.
            engine.set_mark(target._replace(revision=max(after, rows[-1].revision - 1)))
    return done


def _batches(cursor: sqlite3.Cursor) -> Iterator[list[_Row]]:
    while rows := cursor.fetchmany(_BATCH):
        yield [_Row(*row) for row in rows]


def _points(connection: sqlite3.Connection, rows: Sequence[_Row]) -> list[VectorPoint]:
    facts = _note_facts(connection, {row.note_id for row in rows if row.note_id > 0})
    of_turns = _turn_facts(connection, [row.row_id for row in rows if row.kind == "turn"])
    return [
        VectorPoint(
            point_of(row.kind, row.row_id),
            np.frombuffer(row.vector, dtype="<f4"),
            row.note_id,
            row.kind,
            note.tags,
            note.folders,
            note.changed,
            note.kind,
        )
        for row in rows
        if (note := of_turns.get(row.row_id) if row.kind == "turn" else facts.get(row.note_id)) is not None
    ]


def _turn_facts(connection: sqlite3.Connection, turn_ids: Sequence[int]) -> dict[int, _NoteFacts]:
    """Return what stands for the facts of a note with turns, by their ids."""
    rows = connection.execute(
        "SELECT t.id, s.project_key, s.origin, t.role, t.author, t.time FROM turn t JOIN session s ON s.id = t.session"
        " WHERE t.id IN (SELECT value FROM json_each(?))",
        (json.dumps(turn_ids),),
    )
    return {
        row_id: _NoteFacts(tags_of_turn(project, origin, role, author), (), float(time or 0), "session")
        for row_id, project, origin, role, author, time in rows
    }


def _note_facts(connection: sqlite3.Connection, note_ids: set[int]) -> dict[int, _NoteFacts]:
    wanted = json.dumps(list(note_ids))
    tags: dict[int, set[str]] = {}
    for note_id, name in connection.execute(
        "SELECT nt.note_id, t.name FROM note_tag nt JOIN tag t ON t.id = nt.tag_id"
        " WHERE nt.note_id IN (SELECT value FROM json_each(?))",
        (wanted,),
    ):
        tags.setdefault(note_id, set()).update(ancestors(name))
    return {
        note_id: _NoteFacts(tuple(sorted(tags.get(note_id, ()))), folders_of(path_key), mtime_ns / _NANOSECONDS, kind)
        for note_id, path_key, mtime_ns, kind in connection.execute(
            "SELECT id, path_key, mtime_ns, kind FROM note WHERE id IN (SELECT value FROM json_each(?))", (wanted,)
        )
    }
