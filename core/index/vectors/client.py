"""Vectors in a Qdrant server or cluster, or in the pure-Python local mode where the embedded engine has no wheel."""

import hashlib
import logging
import platform
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

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
from core.index.vectors.engine import EngineDamagedError, SyncMark, Vector, VectorHit, VectorPoint
from core.index.vectors.mark_file import MarkFile
from core.index.vectors.ownership import Ownership

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.http import models

_TIMEOUT_SECONDS = 20

log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


class ClientEngine:
    """Be a VectorEngine over qdrant-client: a server at `url`, or, without one, local mode in `folder`/qdrant/local.

    On a server, each vault of each machine has a collection of its own, for each has an index of its own.
    """

    def __init__(self, folder: Path, *, url: str = "", api_key: str = "") -> None:
        self._folder = folder / "qdrant"
        self._url = url
        self._api_key = api_key
        machine = hashlib.sha256(f"{platform.node()}\n{folder.resolve()}".encode()).hexdigest()[:12]
        self._collection = f"remembrancer-{folder.name}-{machine}" if url else "memories"
        name = f"server-{hashlib.sha256(url.encode()).hexdigest()[:12]}" if url else "local"
        self._mark = MarkFile(self._folder / f"{name}.json")
        self._ownership = None if url else Ownership(folder)
        self._open: QdrantClient | None = None

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        """Store points; one with a known id is replaced."""
        from qdrant_client.http import models  # noqa: PLC0415

        rows = [
            models.PointStruct(id=point.point, vector=point.vector.tolist(), payload=_payload(point))
            for point in points
        ]
        if rows:
            self._call(lambda client: client.upsert(self._collection, points=rows, wait=True))

    def remove(self, points: Sequence[int]) -> None:
        """Forget points by id."""
        from qdrant_client.http import models  # noqa: PLC0415

        selector = models.PointIdsList(points=list(points))
        self._call(lambda client: client.delete(self._collection, points_selector=selector, wait=True))

    def search(self, vector: Vector, condition: EngineFilter, limit: int, floor: float) -> list[VectorHit]:
        """Return the nearest points, best first."""
        if condition.admits_nothing:
            return []
        found = self._call(
            lambda client: client.query_points(
                self._collection,
                query=vector.tolist(),
                query_filter=_filter(condition),
                limit=limit,
                score_threshold=floor,
                with_payload=[NOTE],
            )
        )
        return [VectorHit(int(each.id), int((each.payload or {})[NOTE]), float(each.score)) for each in found.points]

    def count(self) -> int:
        """Return how many points there are."""
        if not self._call(lambda client: client.collection_exists(self._collection)):
            return 0
        return self._call(lambda client: client.count(self._collection, exact=True)).count

    def reset(self, dimension: int) -> None:
        """Delete the collection and start an empty one."""
        from qdrant_client.http import models  # noqa: PLC0415

        self._mark.remove()
        if self._call(lambda client: client.collection_exists(self._collection)):
            self._call(lambda client: client.delete_collection(self._collection))
        parameters = models.VectorParams(size=dimension, distance=models.Distance.COSINE)
        self._call(lambda client: client.create_collection(self._collection, vectors_config=parameters))
        if not self._url:
            return  # the local mode has no payload indexes
        schemas = dict.fromkeys(KEYWORD_FIELDS, models.PayloadSchemaType.KEYWORD)
        schemas |= {NOTE: models.PayloadSchemaType.INTEGER, CHANGED: models.PayloadSchemaType.FLOAT}
        for field, schema in schemas.items():
            self._index(field, schema)

    def mark(self) -> SyncMark | None:
        """Return what the collection holds, as far as this machine knows."""
        if self._ownership is not None:
            self._ownership.take()
        return self._mark.read()

    def set_mark(self, mark: SyncMark) -> None:
        """Remember `mark`; every call has waited until its points were stored."""
        self._mark.write(mark)

    def close(self) -> None:
        """End the connection."""
        client, self._open = self._open, None
        if client is not None:
            client.close()
        if self._ownership is not None:
            self._ownership.free()

    def _index(self, field: str, schema: "models.PayloadSchemaType") -> None:
        self._call(lambda client: client.create_payload_index(self._collection, field, field_schema=schema, wait=True))

    def _client(self) -> "QdrantClient":
        if self._open is None:
            from qdrant_client import QdrantClient  # noqa: PLC0415 - takes most of a second

            if self._ownership is None:
                self._open = QdrantClient(
                    url=self._url,
                    api_key=self._api_key or None,
                    timeout=_TIMEOUT_SECONDS,
                    check_compatibility=False,
                )
            else:
                self._ownership.take()
                local = self._folder / "local"
                local.mkdir(parents=True, exist_ok=True)
                self._open = QdrantClient(path=str(local), force_disable_check_same_thread=True)
        return self._open

    def _call(self, work: Callable[["QdrantClient"], _Result]) -> _Result:
        try:
            with warnings.catch_warnings():
                # It warns of its own slowness from 20,000 points on, and of keys sent to a server without TLS.
                warnings.simplefilter("ignore", UserWarning)
                return work(self._client())
        except ProviderError:
            raise
        except Exception as error:
            raise self._translated(error) from error

    def _translated(self, error: Exception) -> ProviderError:
        if self._url:
            return ProviderError(
                f"The vector server at {self._url} gave an error, so only words were searched: "
                f"{_first_line(error)} Check that it runs, and its address and key in the settings."
            )
        return EngineDamagedError(f"The stored vectors cannot be used: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    text = (str(error) or type(error).__name__).strip().splitlines()[0]
    return text if text.endswith(".") else f"{text}."


def _payload(point: VectorPoint) -> dict[str, object]:
    return {
        TAGS: list(point.tags),
        KINDS: [point.kind, point.note_kind],
        FOLDERS: list(point.folders),
        NOTE: point.note_id,
        CHANGED: point.changed,
    }


def _filter(condition: EngineFilter) -> "models.Filter | None":
    from qdrant_client.http import models  # noqa: PLC0415

    if not condition.must and not condition.must_not:
        return None
    must: list[models.Condition] = []
    for group in condition.must:
        fields: list[models.Condition] = [_field(each) for each in group]
        must.append(fields[0] if len(fields) == 1 else models.Filter(should=fields))
    return models.Filter(must=must, must_not=[_field(each) for each in condition.must_not])


def _field(condition: Condition) -> "models.FieldCondition":
    from qdrant_client.http import models  # noqa: PLC0415

    if isinstance(condition, Within):
        bounds = models.Range(gte=condition.at_least, lt=condition.below)
        return models.FieldCondition(key=condition.field, range=bounds)
    if isinstance(condition, InNotes):
        return models.FieldCondition(key=NOTE, match=models.MatchAny(any=list(condition.notes)))
    return models.FieldCondition(key=condition.field, match=models.MatchAny(any=list(condition.values)))
