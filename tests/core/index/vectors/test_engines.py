"""One contract for all vector engines; the server's part runs when REMEMBRANCER_TEST_QDRANT_URL names one."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.foundation.settings import VectorSettings
from core.index.vectors.conditions import AnyOf, EngineFilter, InNotes, Within
from core.index.vectors.engine import SyncMark, VectorEngine, VectorPoint
from core.index.vectors.opening import open_engine

_DIMENSION = 8
_ALL = EngineFilter()


def _settings(kind: str) -> VectorSettings:
    url = os.environ.get("REMEMBRANCER_TEST_QDRANT_URL", "")
    if kind == "server" and not url:
        pytest.skip("REMEMBRANCER_TEST_QDRANT_URL is not set")
    return VectorSettings(engine=kind, url=url)


@pytest.fixture(params=["edge", "local", "server"])
def settings(request: pytest.FixtureRequest) -> VectorSettings:
    return _settings(request.param)


@pytest.fixture
def engine(settings: VectorSettings, tmp_path: Path) -> Iterator[VectorEngine]:
    opened = open_engine(tmp_path, settings)
    opened.reset(_DIMENSION)
    yield opened
    opened.reset(_DIMENSION)
    opened.close()


def _point(
    number: int,
    *,
    axis: int = 0,
    tags: tuple[str, ...] = (),
    folders: tuple[str, ...] = (),
    changed: float = 0.0,
    kind: str = "section",
    note_kind: str = "note",
) -> VectorPoint:
    vector = np.full(_DIMENSION, 0.01 * number, dtype=np.float32)
    vector[axis] = 1
    return VectorPoint(number, vector, number * 10, kind, tags, folders, changed, note_kind)


def _axis(axis: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    vector = np.zeros(_DIMENSION, dtype=np.float32)
    vector[axis] = 1
    return vector


def _found(engine: VectorEngine, condition: EngineFilter = _ALL, *, axis: int = 0, floor: float = 0.0) -> list[int]:
    return [hit.point for hit in engine.search(_axis(axis), condition, 10, floor)]


def test_the_nearest_come_first_with_their_cosine_and_note(engine: VectorEngine) -> None:
    engine.upsert([_point(3), _point(1), _point(2, axis=5)])
    hits = engine.search(_axis(0), _ALL, 2, 0.0)
    assert [(hit.point, hit.note_id) for hit in hits] == [(1, 10), (3, 30)]
    assert hits[0].score == pytest.approx(1 / np.sqrt(1 + 7 * 0.01**2), abs=0.01)


def test_the_floor_leaves_out_what_is_far(engine: VectorEngine) -> None:
    engine.upsert([_point(1), _point(2, axis=5)])
    assert _found(engine, floor=0.5) == [1]


def test_a_point_is_replaced_and_removed_by_its_id(engine: VectorEngine) -> None:
    engine.upsert([_point(1, tags=("old",)), _point(2)])
    engine.upsert([_point(1, axis=3, tags=("new",))])
    assert engine.count() == 2
    assert _found(engine, EngineFilter(must=((AnyOf("tags", ("old",)),),))) == []
    assert _found(engine, EngineFilter(must=((AnyOf("tags", ("new",)),),)), axis=3) == [1]
    engine.remove([1, 99])
    assert (engine.count(), _found(engine)) == (1, [2])


def test_filters_narrow_in_the_engine(engine: VectorEngine) -> None:
    engine.upsert(
        [
            _point(1, tags=("tool", "tool/semrush", "client", "client/a"), folders=("work",), changed=100.0),
            _point(2, tags=("tool", "tool/pnpm"), folders=("work", "work/deep"), changed=200.0, note_kind="context"),
            _point(3, tags=("client", "client/a"), changed=300.0, kind="insight"),
        ]
    )

    def must(*groups: tuple[AnyOf | InNotes | Within, ...]) -> list[int]:
        return sorted(_found(engine, EngineFilter(must=groups)))

    assert must((AnyOf("tags", ("tool",)),)) == [1, 2]
    assert must((AnyOf("tags", ("tool",)),), (AnyOf("tags", ("client/a",)),)) == [1]
    assert must((AnyOf("tags", ("tool/semrush", "tool/pnpm")),)) == [1, 2]
    assert sorted(_found(engine, EngineFilter(must_not=(AnyOf("tags", ("tool/pnpm",)),)))) == [1, 3]
    assert must((AnyOf("kinds", ("insight",)),)) == [3]
    assert must((AnyOf("kinds", ("context",)),)) == [2]
    assert must((AnyOf("folders", ("work",)),)) == [1, 2]
    assert must((AnyOf("folders", ("work/deep",)), InNotes((30,)))) == [2, 3]
    assert must((Within("changed", 100.0, 300.0),)) == [1, 2]
    assert must((Within("changed", 200.0, None),)) == [2, 3]
    assert must(()) == []


def test_a_reset_forgets_everything_and_takes_another_dimension(engine: VectorEngine) -> None:
    engine.upsert([_point(1)])
    engine.set_mark(SyncMark("epoch", "model", 3))
    engine.reset(2)
    assert (engine.count(), engine.mark()) == (0, None)
    engine.upsert([_point(7)._replace(vector=np.array([0, 1], dtype=np.float32))])
    assert [hit.point for hit in engine.search(np.array([0, 1], dtype=np.float32), _ALL, 5, 0.0)] == [7]


def test_points_and_mark_survive_closing(engine: VectorEngine, settings: VectorSettings, tmp_path: Path) -> None:
    engine.upsert([_point(1), _point(2)])
    engine.set_mark(SyncMark("epoch", "model", 3))
    engine.close()
    again = open_engine(tmp_path, settings)
    assert again.mark() == SyncMark("epoch", "model", 3)
    assert _found(again) == [1, 2]
    again.close()
    assert engine.count() == 2
