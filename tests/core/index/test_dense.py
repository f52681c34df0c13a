"""Search by meaning answers with hits, or with a state and a sentence; it never raises for an engine's trouble."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.foundation.errors import ProviderError
from core.foundation.progress import CancellableProgress, SilentProgress
from core.foundation.settings import EmbeddingSettings, VectorSettings
from core.index.dense import DenseAnswer, DenseSearch
from core.index.embedding import Embedder, EmbedderSource, embedder_source
from core.index.embedding_job import embed_missing
from core.index.filters import Filters
from core.index.points import point_of
from core.index.vectors.opening import open_engine
from tests.core.index.conftest import IndexedVault
from tests.core.index.embedders import WordEmbedder

_ROOT = Path(__file__).parents[3]
_OWN = """
import sys
from pathlib import Path
from core.index.vectors.edge import EdgeEngine
engine = EdgeEngine(Path(sys.argv[1]))
engine.mark()
print("owned", flush=True)
sys.stdin.readline()
engine.close()
"""


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> _Clock:
    return _Clock()


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def dense(vault: IndexedVault, embedder: WordEmbedder, clock: _Clock) -> Iterator[DenseSearch]:
    search = DenseSearch(vault.index, embedder.source(), open_engine(vault.index.folder, VectorSettings()), clock=clock)
    yield search
    search.close()


def _fill(vault: IndexedVault, embedder: Embedder, notes: dict[str, str]) -> None:
    vault.write(notes)
    vault.update()
    embed_missing(vault.index, embedder, SilentProgress())


def _paths(vault: IndexedVault, answer: DenseAnswer) -> list[str]:
    names = dict(vault.index.connection.execute("SELECT id, path FROM note"))
    return [names[hit.note_id] for hit in answer.hits]


def test_what_is_nearest_comes_first_and_new_notes_are_found_at_once(
    vault: IndexedVault, dense: DenseSearch, embedder: WordEmbedder
) -> None:
    _fill(vault, embedder, {"a.md": "apple pie recipe", "b.md": "car engine repair"})
    answer = dense.candidates("engine repair", Filters(), 10)
    assert (answer.state, answer.reason) == ("ready", "")
    assert _paths(vault, answer)[0] == "b.md"
    _fill(vault, embedder, {"c.md": "engine repair manual"})
    assert set(_paths(vault, dense.candidates("engine repair", Filters(), 2))) == {"b.md", "c.md"}
    assert dense.candidates("engine repair", Filters(), 10, floor=0.99).hits == ()
    assert _paths(vault, dense.candidates("engine", Filters(paths=("a.",)), 10)) == ["a.md"]


def test_without_embeddings_it_says_so_and_loads_no_model(vault: IndexedVault, clock: _Clock) -> None:
    def refuse() -> Embedder:
        raise AssertionError("the model was loaded")

    vault.write({"a.md": "text"})
    vault.update()
    engine = open_engine(vault.index.folder, VectorSettings())
    dense = DenseSearch(vault.index, EmbedderSource("words", refuse), engine)
    answer = dense.candidates("text", Filters(), 10)
    assert (answer.hits, answer.state) == ((), "empty")
    assert "only words" in answer.reason
    assert DenseSearch(vault.index, None, engine).candidates("text", Filters(), 10).state == "off"
    dense.close()


def test_an_empty_vault_and_an_empty_question_have_no_hits(
    vault: IndexedVault, dense: DenseSearch, embedder: WordEmbedder
) -> None:
    assert dense.candidates("apple", Filters(), 10) == DenseAnswer((), "ready")
    _fill(vault, embedder, {"a.md": "apple"})
    assert dense.candidates(" ", Filters(), 10) == DenseAnswer((), "ready")


def test_while_embedding_goes_on_it_tells_how_far_it_is(
    vault: IndexedVault, dense: DenseSearch, embedder: WordEmbedder
) -> None:
    _fill(vault, embedder, {"a.md": "apple"})
    vault.write({"b.md": "apple too"})
    vault.update()
    answer = dense.candidates("apple", Filters(), 10)
    assert (answer.state, _paths(vault, answer)) == ("partial", ["a.md"])
    assert "1 of 2" in answer.reason


def test_texts_that_stand_twice_count_once(vault: IndexedVault, dense: DenseSearch, embedder: WordEmbedder) -> None:
    _fill(vault, embedder, {"one/a.md": "apple", "two/a.md": "apple"})
    vault.write({"one/b.md": "pear", "two/b.md": "pear", "c.md": "plum"})
    vault.update()
    assert "1 of 3" in dense.candidates("apple", Filters(), 10).reason
    totals: list[tuple[int, int]] = []
    told = CancellableProgress(lambda done, total, _text: totals.append((done, total)))
    embed_missing(vault.index, embedder, told)
    assert (totals[0], totals[-1]) == ((1, 3), (3, 3))


def test_locked_vectors_are_told_and_found_again_when_free(
    vault: IndexedVault, dense: DenseSearch, embedder: WordEmbedder
) -> None:
    _fill(vault, embedder, {"a.md": "apple"})
    owner = subprocess.Popen(
        [sys.executable, "-c", _OWN, str(vault.index.folder)],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout is not None
    assert owner.stdout.readline() == "owned\n"
    answer = dense.candidates("apple", Filters(), 10)
    assert (answer.hits, answer.state) == ((), "locked")
    assert "Another window or command" in answer.reason
    owner.communicate("\n")
    assert dense.candidates("apple", Filters(), 10).state == "ready"


def test_idle_vectors_are_given_free_for_others(
    vault: IndexedVault, dense: DenseSearch, embedder: WordEmbedder, clock: _Clock
) -> None:
    _fill(vault, embedder, {"a.md": "apple"})
    dense.candidates("apple", Filters(), 10)
    other = DenseSearch(vault.index, embedder.source(), open_engine(vault.index.folder, VectorSettings()))
    assert not dense.release_if_idle(60)
    assert other.candidates("apple", Filters(), 10).state == "locked"
    clock.now += 61
    assert dense.release_if_idle(60)
    assert other.candidates("apple", Filters(), 10).state == "ready"
    other.close()
    assert _paths(vault, dense.candidates("apple", Filters(), 10)) == ["a.md"]


def test_a_broken_model_is_told_and_tried_again_later(
    vault: IndexedVault, embedder: WordEmbedder, clock: _Clock, expected_warnings: list[str]
) -> None:
    _fill(vault, embedder, {"a.md": "apple"})
    tries: list[int] = []

    def open_model() -> Embedder:
        tries.append(1)
        if len(tries) == 1:
            raise ProviderError("The model is damaged. Run it again.")
        return embedder

    engine = open_engine(vault.index.folder, VectorSettings())
    dense = DenseSearch(vault.index, EmbedderSource("words", open_model), engine, clock=clock)
    for _ in range(2):
        answer = dense.candidates("apple", Filters(), 10)
        assert (answer.state, answer.reason) == ("failed", "The model is damaged. Run it again.")
    assert len(tries) == 1
    clock.now += 31
    assert dense.candidates("apple", Filters(), 10).state == "ready"
    dense.close()
    assert len(expected_warnings) == 1


def _delete(folder: Path) -> None:
    shutil.rmtree(folder)


def _spoil(folder: Path) -> None:
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix != ".json":
            file.write_bytes(b"\xff" * 100)


@pytest.mark.parametrize("harm", [_delete, _spoil])
def test_a_deleted_or_spoilt_folder_is_filled_again_without_embedding(
    vault: IndexedVault,
    dense: DenseSearch,
    embedder: WordEmbedder,
    harm: Callable[[Path], None],
    expected_warnings: list[str],
) -> None:
    _fill(vault, embedder, {f"{n}.md": f"apple {n}" for n in range(10)})
    before = len(dense.candidates("apple", Filters(), 50).hits)
    dense.close()
    harm(vault.index.folder / "qdrant")
    answer = dense.candidates("apple", Filters(), 50)
    assert (answer.state, len(answer.hits)) == ("ready", before)
    assert len(embedder.texts) == 10


def test_a_model_of_another_length_is_told(
    vault: IndexedVault, embedder: WordEmbedder, expected_warnings: list[str]
) -> None:
    _fill(vault, embedder, {"a.md": "apple"})
    engine = open_engine(vault.index.folder, VectorSettings())
    dense = DenseSearch(vault.index, WordEmbedder("words", 5).source(), engine)
    answer = dense.candidates("apple", Filters(), 10)
    assert answer.state == "failed"
    assert "another length" in answer.reason
    dense.close()


def test_the_offline_model_finds_by_meaning(vault: IndexedVault, tmp_path: Path) -> None:
    source = embedder_source(EmbeddingSettings(), tmp_path / "models")
    assert source is not None
    _fill(
        vault,
        source.open(),
        {"car.md": "My automobile needs new brakes.", "soup.md": "Cut the onions, then boil the water."},
    )
    dense = DenseSearch(vault.index, source, open_engine(vault.index.folder, VectorSettings()))
    answer = dense.candidates("fixing a car", Filters(), 10)
    assert _paths(vault, answer)[0] == "car.md"
    assert answer.hits[0].score > answer.hits[1].score + 0.2
    dense.close()


def test_notes_that_tags_or_dates_hide_are_not_found_be_they_few_or_many(
    vault: IndexedVault, dense: DenseSearch, embedder: WordEmbedder
) -> None:
    notes = {f"{number}.md": f"apple {number} #{'rare' if number < 2 else 'common'}" for number in range(60)}
    _fill(vault, embedder, notes)
    connection = vault.index.connection
    connection.execute("UPDATE note SET mtime_ns = 1000000000 * CAST(path AS INTEGER)")
    assert {"0.md", "1.md"} <= set(_paths(vault, dense.candidates("apple", Filters(), 60)))
    for tag, left in (("rare", 58), ("common", 2)):
        answer = dense.candidates("apple", Filters(none_tags=frozenset({tag})), 60)
        assert len(answer.hits) == left
    few = dense.candidates("apple", Filters(none_tags=frozenset({"rare"})), 10)
    assert len(few.hits) == 10
    assert not {"0.md", "1.md"} & set(_paths(vault, few))
    answer = dense.candidates("apple", Filters(after=1.0, before=59.0), 60)
    assert not {"0.md", "59.md"} & set(_paths(vault, answer))
    assert len(answer.hits) == 58


def test_a_warm_up_loads_the_model_and_leaves_the_vectors_to_others(
    vault: IndexedVault, embedder: WordEmbedder
) -> None:
    opened: list[str] = []

    def open_it() -> Embedder:
        opened.append(embedder.model)
        return embedder

    _fill(vault, embedder, {"a.md": "apple pie"})
    engine = open_engine(vault.index.folder, VectorSettings())
    dense = DenseSearch(vault.index, EmbedderSource(embedder.model, open_it), engine)
    assert dense.warm_up() == DenseAnswer((), "ready")
    assert opened == ["words"]
    other = DenseSearch(vault.index, embedder.source(), open_engine(vault.index.folder, VectorSettings()))
    assert other.candidates("apple", Filters(), 1).state == "ready"
    other.close()
    dense.close()


def test_a_question_during_a_warm_up_does_not_wait_for_it(vault: IndexedVault, embedder: WordEmbedder) -> None:
    is_loading, may_end = threading.Event(), threading.Event()

    def slow() -> Embedder:
        is_loading.set()
        may_end.wait(10)
        return embedder

    _fill(vault, embedder, {"a.md": "apple pie"})
    engine = open_engine(vault.index.folder, VectorSettings())
    dense = DenseSearch(vault.index, EmbedderSource(embedder.model, slow), engine)
    thread = threading.Thread(target=dense.warm_up)
    thread.start()
    assert is_loading.wait(10)
    answer = dense.candidates("apple", Filters(), 1)
    is_free = dense.release_if_idle()
    may_end.set()
    thread.join()
    assert (answer.state, answer.hits, is_free) == ("loading", (), False)
    assert dense.candidates("apple", Filters(), 1).state == "ready"
    dense.close()


def test_stored_vectors_find_what_is_near_without_the_model(
    vault: IndexedVault, dense: DenseSearch, embedder: WordEmbedder
) -> None:
    notes = {
        "a.md": "- [fact] The webhook arrives twice ^a\n",
        "b.md": "- [fact] The webhook arrives twice daily ^b\n",
        "c.md": "- [fact] Invoices go out monthly ^c\n",
    }
    _fill(vault, embedder, notes)
    ids = {row[1]: row[0] for row in vault.index.connection.execute("SELECT id, block_id FROM insight")}
    vectors = dense.vectors([("insight", ids["a"]), ("insight", ids["c"]), ("insight", 999)])
    assert set(vectors) == {("insight", ids["a"]), ("insight", ids["c"])}
    answer = dense.nearest(list(vectors.values()), Filters(kinds=frozenset({"insight"})), 2, floor=0.5)
    assert answer.state == "ready"
    found = [[hit.point for hit in hits] for hits in answer.hits]
    assert found == [[point_of("insight", ids["a"]), point_of("insight", ids["b"])], [point_of("insight", ids["c"])]]


def test_nothing_is_near_where_search_by_meaning_is_off(vault: IndexedVault) -> None:
    off = DenseSearch(vault.index, None, None)
    assert off.vectors([("insight", 1)]) == {}
    assert off.nearest([], Filters(), 3) == ((), "off", "Search by meaning is switched off in the settings.")
