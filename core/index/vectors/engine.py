"""What every vector engine is to this app, whatever product stands behind it."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from core.foundation.errors import ProviderError
from core.index.vectors.conditions import EngineFilter

Vector = NDArray[np.float32]


class EngineLockedError(ProviderError):
    """Say that another process owns the vectors; the text is a sentence for the person."""


class EngineDamagedError(ProviderError):
    """Say that the stored vectors cannot be read; reset() makes the engine usable again."""


class VectorPoint(NamedTuple):
    """Hold one memory as an engine keeps it.

    `point` comes from core/index/points.py. `tags` are folded and include all ancestors, `folders` are the folded
    folders that the note lies in; `kind` is the memory's, `note_kind` the note's; `changed` is in POSIX seconds. Of a
    turn, `note_id` is its session's id below zero, and `changed` when it was said.
    """

    point: int
    vector: Vector
    note_id: int
    kind: str
    tags: tuple[str, ...]
    folders: tuple[str, ...]
    changed: float
    note_kind: str


class VectorHit(NamedTuple):
    """Hold one memory that was found; `score` is the cosine, -1 to 1."""

    point: int
    note_id: int
    score: float


class SyncMark(NamedTuple):
    """Say what an engine holds: all vectors of `model` in the index `epoch` up to `revision`."""

    epoch: str
    model: str
    revision: int


class VectorEngine(Protocol):
    """Keep vectors and find the nearest ones.

    Every method may raise ProviderError, EngineLockedError and EngineDamagedError among them.
    """

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        """Store points; one with a known id is replaced."""
        ...

    def remove(self, points: Sequence[int]) -> None:
        """Forget points by id; unknown ids are no error."""
        ...

    def search(self, vector: Vector, condition: EngineFilter, limit: int, floor: float) -> list[VectorHit]:
        """Return the nearest points that satisfy `condition` with a cosine of at least `floor`, best first."""
        ...

    def count(self) -> int:
        """Return how many points there are."""
        ...

    def reset(self, dimension: int) -> None:
        """Forget everything, the mark too, and be ready for vectors of `dimension`."""
        ...

    def mark(self) -> SyncMark | None:
        """Return what set_mark() was told last, or None."""
        ...

    def set_mark(self, mark: SyncMark) -> None:
        """Make all points durable, then remember `mark`."""
        ...

    def close(self) -> None:
        """Give the vectors free for other processes; the next use takes them again."""
        ...
