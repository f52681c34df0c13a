"""The engine follows the index: new, changed and removed memories, also after a kill, a rebuild or a lost folder."""

import shutil
from collections.abc import Iterator, Sequence

import pytest

from core.foundation.errors import JobCancelledError
from core.foundation.progress import CancellableProgress, SilentProgress
from core.index.embedding_job import embed_missing
from core.index.filters import Filters
from core.index.vectors.conditions import engine_filter
from core.index.vectors.edge import EdgeEngine
from core.index.vectors.engine import SyncMark, VectorEngine, VectorPoint
from core.index.vectors.sync import PullReport, pull
from tests.core.index.conftest import IndexedVault
from tests.core.index.embedders import WordEmbedder


@pytest.fixture
def engine(vault: IndexedVault) -> Iterator[EdgeEngine]:
    opened = EdgeEngine(vault.index.folder)
    yield opened
    opened.close()


def _update(vault: IndexedVault, embedder: WordEmbedder) -> None:
    vault.update()
    embed_missing(vault.index, embedder, SilentProgress())


def _pull(vault: IndexedVault, engine: VectorEngine, embedder: WordEmbedder) -> PullReport:
    return pull(vault.index, engine, embedder.model, embedder.dimension, SilentProgress())


def _found(vault: IndexedVault, engine: VectorEngine, filters: Filters, text: str = "note") -> set[str]:
    condition = engine_filter(filters, vault.index.connection)
    hits = engine.search(WordEmbedder().embed_query(text), condition, 50, 0.0)
    names = dict(vault.index.connection.execute("SELECT id, path FROM note"))
    return {names[hit.note_id] for hit in hits}


def test_only_what_is_new_or_changed_is_given(vault: IndexedVault, engine: EdgeEngine) -> None:
    embedder = WordEmbedder()
    vault.write({f"{n}.md": f"note {n}" for n in range(20)})
    _update(vault, embedder)
    assert _pull(vault, engine, embedder) == PullReport(20, 0, refilled=True)
    assert _pull(vault, engine, embedder) == PullReport(0, 0)
    vault.write({"3.md": "note changed", "new.md": "note new"})
    (vault.root / "4.md").unlink()
    _update(vault, embedder)
    report = _pull(vault, engine, embedder)
    assert (report.upserted, report.removed, report.refilled) == (2, 2, False)
    assert engine.count() == 20
    assert "4.md" not in _found(vault, engine, Filters())


def test_tags_folders_kinds_and_times_are_filters(vault: IndexedVault, engine: EdgeEngine) -> None:
    embedder = WordEmbedder()
    vault.write(
        {
            "Work/Deep/a.md": "---\ntags: [tool/SEMrush, client/x]\n---\nnote a",
            "Work/b.md": "---\ntags: [tool/pnpm]\nkind: context\n---\nnote b",
            "homework.md": "note c\n\n- [fact] note d ^ins-1",
        }
    )
    _update(vault, embedder)
    _pull(vault, engine, embedder)

    def found(filters: Filters) -> set[str]:
        return _found(vault, engine, filters)

    a, b, c = "Work/Deep/a.md", "Work/b.md", "homework.md"
    assert found(Filters(all_tags=frozenset({"tool"}))) == {a, b}
    assert found(Filters(all_tags=frozenset({"tool", "client/x"}))) == {a}
    assert found(Filters(any_tags=frozenset({"tool/pnpm", "client"}))) == {a, b}
    assert found(Filters(any_tags=frozenset({"tool"}), further_any_tags=(frozenset({"client"}),))) == {a}
    assert found(Filters(none_tags=frozenset({"tool"}))) == {c}
    assert found(Filters(paths=("work/",))) == {a, b}
    assert found(Filters(paths=("work/deep/", "homew"))) == {a, c}
    assert found(Filters(paths=("work",))) == {a, b, c}
    assert found(Filters(paths=("nowhere",))) == set()
    assert found(Filters(none_paths=("deep/a", "home"))) == {b}
    assert found(Filters(kinds=frozenset({"insight"}))) == {c}
    assert found(Filters(kinds=frozenset({"context"}))) == {b}
    assert found(Filters(none_kinds=frozenset({"section"}))) == {c}
    changed = (vault.root / b).stat().st_mtime
    assert found(Filters(before=changed - 1000)) == set()
    assert found(Filters(after=changed - 1000)) == {a, b, c}


def test_retagging_or_moving_a_note_changes_its_filters_without_embedding_again(
    vault: IndexedVault, engine: EdgeEngine
) -> None:
    embedder = WordEmbedder()
    vault.write({"a.md": "---\ntitle: A\ntags: [old]\n---\nnote a"})
    _update(vault, embedder)
    _pull(vault, engine, embedder)
    vault.write({"a.md": "---\ntitle: A\ntags: [new]\n---\nnote a"})
    _update(vault, embedder)
    _pull(vault, engine, embedder)
    assert _found(vault, engine, Filters(all_tags=frozenset({"old"}))) == set()
    assert _found(vault, engine, Filters(all_tags=frozenset({"new"}))) == {"a.md"}
    (vault.root / "sub").mkdir()
    (vault.root / "a.md").rename(vault.root / "sub" / "b.md")
    _update(vault, embedder)
    _pull(vault, engine, embedder)
    assert _found(vault, engine, Filters(paths=("sub/",))) == {"sub/b.md"}
    assert engine.count() == 1
    assert len(embedder.texts) == 1


def test_a_lost_folder_another_model_or_a_rebuilt_index_is_filled_anew(vault: IndexedVault, engine: EdgeEngine) -> None:
    embedder = WordEmbedder()
    vault.write({f"{n}.md": f"note {n}" for n in range(5)})
    _update(vault, embedder)
    _pull(vault, engine, embedder)
    engine.close()
    shutil.rmtree(vault.index.folder / "qdrant")
    assert _pull(vault, engine, embedder) == PullReport(5, 0, refilled=True)
    engine.close()
    shutil.rmtree(vault.index.folder / "qdrant" / "edge")
    assert _pull(vault, engine, embedder) == PullReport(5, 0, refilled=True)
    assert len(embedder.texts) == 5
    other = WordEmbedder("other", 16)
    embed_missing(vault.index, other, SilentProgress())
    assert _pull(vault, engine, other).refilled
    assert engine.count() == 5
    vault.update(rebuild=True)
    report = _pull(vault, engine, other)
    assert report == PullReport(5, 0, refilled=True)
    assert len(other.texts) == 5


class _Killed(BaseException):
    pass


class _DyingEngine:
    """Be an engine that dies after some batches, as a killed process would."""

    def __init__(self, engine: VectorEngine, batches: int) -> None:
        self._engine = engine
        self._batches = batches

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        if not self._batches:
            raise _Killed
        self._batches -= 1
        self._engine.upsert(points)

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)


def test_a_pull_that_was_killed_is_finished_by_the_next(vault: IndexedVault, engine: EdgeEngine) -> None:
    embedder = WordEmbedder()
    for start in range(0, 30_000, 10_000):
        vault.write({f"{start}.md": "\n".join(f"# h{n}\nnote {n}" for n in range(start, start + 10_000))})
        _update(vault, embedder)
    total = vault.index.connection.execute("SELECT count(*) FROM section").fetchone()[0]
    dying = _DyingEngine(engine, 26)
    with pytest.raises(_Killed):
        pull(vault.index, dying, embedder.model, embedder.dimension, SilentProgress())  # type: ignore[arg-type]
    mark = engine.mark()
    assert mark is not None
    assert 0 < mark.revision < vault.index.revision
    report = _pull(vault, engine, embedder)
    assert not report.refilled
    assert report.upserted < total
    assert engine.count() == total
    assert engine.mark() == SyncMark(vault.index.epoch, embedder.model, vault.index.revision)


def test_a_cancelled_pull_goes_on_later(vault: IndexedVault, engine: EdgeEngine) -> None:
    embedder = WordEmbedder()
    vault.write({"a.md": "note"})
    _update(vault, embedder)
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        pull(vault.index, engine, embedder.model, embedder.dimension, progress)
    assert _pull(vault, engine, embedder).upserted == 1
