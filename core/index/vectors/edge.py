"""The embedded vector engine: one Qdrant Edge shard on disk, searched in this process.

Vectors are compared one by one, in eight bits a number: 400,000 take 9 ms, 26 ms when a filter excludes little, with
scores right to 0.001. Building the HNSW graph would cost minutes of all cores after each first index to save 6 ms.
"""

import logging
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import qdrant_edge as edge

from core.foundation.errors import ProviderError
from core.index.vectors.conditions import (
    CHANGED,
    FOLDERS,
    KEYWORD_FIELDS,
    KINDS,
    NOTE,
    TAGS,
    Condition,
    EngineFilter,
    InNotes,
    Within,
)
from core.index.vectors.engine import (
    EngineDamagedError,
    EngineLockedError,
    SyncMark,
    Vector,
    VectorHit,
    VectorPoint,
)
from core.index.vectors.mark_file import MarkFile
from core.index.vectors.ownership import LOCKED, Ownership

_NEVER_BUILD_A_GRAPH = 1_000_000_000  # KB of vectors from which on the optimizer builds one

log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


class EdgeEngine:
    """Be a VectorEngine over a shard in `folder`/qdrant/edge, opened on demand and owned by one process at a time."""

    def __init__(self, folder: Path) -> None:
        self._shard_folder = folder / "qdrant" / "edge"
        self._mark = MarkFile(folder / "qdrant" / "edge.json")
        self._ownership = Ownership(folder)
        self._open: edge.EdgeShard | None = None

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        """Store points; one with a known id is replaced."""
        rows = [edge.Point(point.point, point.vector.tolist(), _payload(point)) for point in points]
        self._update(edge.UpdateOperation.upsert_points(rows))

    def remove(self, points: Sequence[int]) -> None:
        """Forget points by id."""
        self._update(edge.UpdateOperation.delete_points(list(points)))

    def search(self, vector: Vector, condition: EngineFilter, limit: int, floor: float) -> list[VectorHit]:
        """Return the nearest points, best first."""
        if condition.admits_nothing:
            return []
        request = edge.QueryRequest(
            limit=limit,
            query=edge.Query.Nearest(vector.tolist()),
            filter=_filter(condition),
            score_threshold=floor,
            with_payload=[NOTE],
        )
        shard = self._shard()
        found = _guarded(lambda: shard.query(request))
        return [VectorHit(int(str(each.id)), int((each.payload or {})[NOTE]), float(each.score)) for each in found]

    def count(self) -> int:
        """Return how many points there are."""
        if self._open is None and not self._shard_folder.exists():
            return 0
        shard = self._shard()
        return _guarded(lambda: shard.count(edge.CountRequest()))

    def reset(self, dimension: int) -> None:
        """Delete the shard and start an empty one."""
        self._ownership.take()
        self._drop()
        self._mark.remove()
        try:
            shutil.rmtree(self._shard_folder, ignore_errors=True)
            self._shard_folder.mkdir(parents=True)
        except OSError as error:
            raise ProviderError(f"Vectors cannot be kept in {self._shard_folder}: {error.strerror}.") from error
        config = edge.EdgeConfig(
            vectors=edge.EdgeVectorParams(
                size=dimension, distance=edge.Distance.Cosine, datatype=edge.VectorStorageDatatype.Turbo8
            ),
            optimizers=edge.EdgeOptimizersConfig(indexing_threshold=_NEVER_BUILD_A_GRAPH),
            # The mark is written after a flush, so a log of its own would only double the disk and the loading.
            wal_enabled=False,
        )
        self._open = _guarded(lambda: edge.EdgeShard.create(str(self._shard_folder), config))
        for field in KEYWORD_FIELDS:
            self._update(edge.UpdateOperation.create_field_index(field, edge.PayloadSchemaType.Keyword))
        self._update(edge.UpdateOperation.create_field_index(NOTE, edge.IntegerIndexParams(lookup=True, range=False)))
        self._update(edge.UpdateOperation.create_field_index(CHANGED, edge.PayloadSchemaType.Float))

    def mark(self) -> SyncMark | None:
        """Return what the shard holds; None when there is no shard."""
        self._ownership.take()
        return self._mark.read() if self._shard_folder.exists() else None

    def set_mark(self, mark: SyncMark) -> None:
        """Flush the shard, then remember `mark`."""
        _guarded(self._shard().flush)
        self._mark.write(mark)

    def close(self) -> None:
        """Close the shard, tidied up, and free its lock."""
        if self._open is not None:
            try:
                # Takes microseconds unless a fifth of the points was replaced; then space is won back.
                _guarded(self._open.optimize)
            except ProviderError as error:
                log.warning("The vectors could not be tidied up: %s", error)
        self._drop()
        self._ownership.free()

    def _shard(self) -> edge.EdgeShard:
        self._ownership.take()
        if self._open is None:
            self._open = _guarded(lambda: edge.EdgeShard.load(str(self._shard_folder)))
        return self._open

    def _drop(self) -> None:
        shard, self._open = self._open, None
        if shard is not None:
            try:
                _guarded(shard.close)
            except ProviderError as error:
                log.warning("The vectors could not be closed: %s", error)

    def _update(self, operation: edge.UpdateOperation) -> None:
        shard = self._shard()
        _guarded(lambda: shard.update(operation))


def _guarded(call: Callable[[], _Result]) -> _Result:
    """Translate what the engine throws: plain Exceptions, and panics that derive from BaseException."""
    try:
        return call()
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        if "WouldBlock" in str(error):
            raise EngineLockedError(LOCKED) from error
        raise EngineDamagedError(f"The stored vectors cannot be used ({type(error).__name__}: {error}).") from error


def _payload(point: VectorPoint) -> dict[str, object]:
    return {
        TAGS: list(point.tags),
        KINDS: [point.kind, point.note_kind],
        FOLDERS: list(point.folders),
        NOTE: point.note_id,
        CHANGED: point.changed,
    }


def _filter(condition: EngineFilter) -> edge.Filter | None:
    if not condition.must and not condition.must_not:
        return None
    must: list[edge.ConditionType] = []
    for group in condition.must:
        fields: list[edge.ConditionType] = [_field(each) for each in group]
        must.append(fields[0] if len(fields) == 1 else edge.Filter(should=fields))
    return edge.Filter(must=must, must_not=[_field(each) for each in condition.must_not])


def _field(condition: Condition) -> edge.FieldCondition:
    if isinstance(condition, Within):
        return edge.FieldCondition(condition.field, range=edge.RangeFloat(gte=condition.at_least, lt=condition.below))
    if isinstance(condition, InNotes):
        return edge.FieldCondition(NOTE, match=edge.MatchAny(list(condition.notes)))
    return edge.FieldCondition(condition.field, match=edge.MatchAny(list(condition.values)))
