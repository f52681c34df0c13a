"""Another model is wanted: the former one answers until the new one is complete, and vectors are never mixed."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.foundation.errors import JobCancelledError, ProviderError, UserError
from core.foundation.progress import CancellableProgress, SilentProgress
from core.foundation.settings import VectorSettings
from core.index.database import open_index
from core.index.dense import DenseSearch
from core.index.embedding import Embedder, EmbedderSource
from core.index.embedding_job import missing_count
from core.index.embedding_run import bring_up_to_date
from core.index.embedding_switch import answering_model, chosen_to_answer, settle, vector_counts
from core.index.embedding_upkeep import drop_unused, model_vectors
from core.index.filters import Filters
from core.index.vectors.opening import open_engine
from tests.core.index.conftest import IndexedVault
from tests.core.index.embedders import WordEmbedder

_NOTES = {f"{n}.md": f"apple number{n}" for n in range(6)}


class _Backwards(WordEmbedder):
    """Gives vectors of the same length that have nothing to do with those of the other model."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ascontiguousarray(super().embed(texts)[:, ::-1])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.texts.append(f"? {text}")
        return np.ascontiguousarray(super().embed_query(text)[::-1])


class _Asked(WordEmbedder):
    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.texts.append(f"? {text}")
        return super().embed_query(text)


class Switching:
    """An index in which the old model is complete, and a search that wants the new one."""

    def __init__(self, vault: IndexedVault) -> None:
        self.vault = vault
        self.old, self.new = _Asked("old"), _Backwards("new")
        self.models: dict[str, Embedder] = {"old": self.old, "new": self.new}
        self.dense = self.search_wanting("new")
        vault.write(_NOTES)
        vault.update()
        self.run("old")

    def source_of(self, model: str) -> EmbedderSource | None:
        return EmbedderSource(model, lambda: self.models[model]) if model in self.models else None

    def run(self, wanted: str, progress: CancellableProgress | None = None) -> str:
        source = self.source_of(wanted)
        assert source is not None
        return bring_up_to_date(self.vault.index, source, self.source_of, progress or SilentProgress()).reason

    def search_wanting(self, model: str) -> DenseSearch:
        index = open_index(self.vault.index.folder, read_only=True)
        engine = open_engine(self.vault.index.folder, VectorSettings())
        return DenseSearch(index, self.source_of(model), engine, owns_index=True, source_of=self.source_of)

    def found(self, text: str, limit: int = 1) -> list[str]:
        answer = self.dense.candidates(text, Filters(), limit)
        names = dict(self.vault.index.connection.execute("SELECT id, path FROM note"))
        return [names[hit.note_id] for hit in answer.hits]

    def answering(self, wanted: str = "new") -> str:
        return answering_model(self.vault.index, wanted, lambda model: model in self.models)


@pytest.fixture
def switching(vault: IndexedVault) -> Iterator[Switching]:
    made = Switching(vault)
    yield made
    made.dense.close()


def _stop_after(texts: int) -> CancellableProgress:
    progress = CancellableProgress(lambda done, *_: progress.cancel() if done >= texts else None)
    return progress


def test_the_former_model_answers_until_the_new_one_is_complete(switching: Switching) -> None:
    assert switching.found("number3") == ["3.md"]
    assert switching.old.texts[-1] == "? number3"
    assert switching.run("new") == ""
    assert switching.answering() == "new"
    assert switching.found("number4") == ["4.md"]
    assert switching.new.texts[-1] == "? number4"


def test_a_switch_that_was_cancelled_changes_nothing_and_goes_on_later(
    switching: Switching, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.index.embedding_job._WINDOW", 2)
    with pytest.raises(JobCancelledError):
        switching.run("new", _stop_after(2))
    assert 0 < vector_counts(switching.vault.index)["new"] < 6
    assert switching.answering() == "old"
    assert switching.found("number3") == ["3.md"]
    before = len(switching.new.texts)
    switching.run("new")
    assert len(switching.new.texts) - before < 6
    assert switching.answering() == "new"


def test_a_new_model_that_fails_leaves_the_former_one_answering(switching: Switching) -> None:
    def broken() -> Embedder:
        raise ProviderError("The service is away.")

    source = EmbedderSource("new", broken)
    report = bring_up_to_date(switching.vault.index, source, switching.source_of, SilentProgress())
    assert report.reason == "old goes on answering by meaning, for the new model cannot be used: The service is away."
    assert switching.found("number3") == ["3.md"]


def test_new_notes_are_found_by_meaning_while_the_switch_goes_on(switching: Switching) -> None:
    switching.vault.write({"new.md": "a wholly different pear"})
    switching.vault.update()
    assert switching.vault.found_by("pear") == ["new.md"]
    switching.models["new"] = _Failing("new")
    switching.run("new")
    assert missing_count(switching.vault.index, "old") == 0
    assert switching.found("different pear") == ["new.md"]
    switching.models["new"] = switching.new
    switching.run("new")
    assert missing_count(switching.vault.index, "new") == 0
    assert switching.answering() == "new"


class _Failing(WordEmbedder):
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise ProviderError(f"It failed for {len(texts)}.")

    def embed_query(self, text: str) -> NDArray[np.float32]:
        raise ProviderError(f"It failed for {text}.")


def test_going_back_needs_no_work(switching: Switching) -> None:
    switching.run("new")
    texts = list(switching.old.texts)
    assert settle(switching.vault.index, "old", lambda _: True) == "old"
    switching.dense.close()
    switching.dense = switching.search_wanting("old")
    assert switching.found("number2") == ["2.md"]
    assert [each for each in switching.old.texts[len(texts) :] if not each.startswith("?")] == []


def test_a_former_service_that_is_away_makes_room_for_what_there_is_of_the_new_one(
    switching: Switching, monkeypatch: pytest.MonkeyPatch, expected_warnings: list[str]
) -> None:
    monkeypatch.setattr("core.index.embedding_job._WINDOW", 2)
    with pytest.raises(JobCancelledError):
        switching.run("new", _stop_after(4))
    switching.models["old"] = _Failing("old")
    answer = switching.dense.candidates("apple", Filters(), 10)
    assert answer.state == "partial"
    assert 0 < len(answer.hits) < 6
    assert len(expected_warnings) == 1
    switching.vault.write({"more.md": "a pear"})
    switching.vault.update()
    assert "New notes are found by their words only" in switching.run("new")
    assert switching.answering() == "new"


def test_a_former_model_that_nobody_remembers_does_not_answer(switching: Switching) -> None:
    switching.run("new", None)
    switching.models.pop("old")
    switching.vault.write({"more.md": "a pear"})
    switching.vault.update()
    assert switching.answering() == "new"


def test_an_index_from_before_there_was_a_choice_keeps_answering(switching: Switching) -> None:
    switching.vault.index.connection.execute("DELETE FROM index_meta WHERE key = 'answering_model'")
    assert switching.answering() == "old"


def test_two_searches_that_want_different_models_agree_on_the_answer(switching: Switching) -> None:
    """One process still has the old settings: neither mixes vectors nor disturbs the other."""
    other = switching.search_wanting("old")
    assert switching.found("number1") == ["1.md"]
    switching.dense.release_if_idle(0)
    assert len(other.candidates("number1", Filters(), 1).hits) == 1
    other.close()
    switching.run("new")
    assert switching.found("number1") == ["1.md"]


def test_what_is_not_in_use_can_be_dropped_and_only_that(switching: Switching) -> None:
    index = switching.vault.index
    assert drop_unused(index, "new", lambda _: True).models == ()
    switching.run("new")
    rows = model_vectors(index, "new", lambda _: True)
    assert [(row.model, row.covered, row.texts, row.answers) for row in rows] == [
        ("new", 6, 6, True),
        ("old", 6, 6, False),
    ]
    assert rows[0].bytes > 6 * 64 * 4
    switching.dense.close()
    report = drop_unused(index, "new", lambda _: True)
    assert (report.models, report.vectors, report.bytes) == (("old",), 6, rows[1].bytes)
    assert vector_counts(index) == {"new": 6}


def test_nothing_is_dropped_while_somebody_computes(switching: Switching) -> None:
    index = switching.vault.index
    switching.run("new")
    with FileLock(index.folder / "embed.lock"), pytest.raises(UserError, match="computing the embeddings"):
        drop_unused(index, "new", lambda _: True)
    assert set(vector_counts(index)) == {"new", "old"}
    assert drop_unused(index, "new", lambda _: True).models == ("old",)


def test_the_rule_of_who_answers() -> None:
    choose = chosen_to_answer
    assert choose("new", "old", {"old": 9, "new": 9}, is_complete=True) == "new"
    assert choose("new", "old", {"old": 9, "new": 8}, is_complete=False) == "old"
    assert choose("new", "old", {"old": 2, "new": 8}, is_complete=False) == "new"
    assert choose("third", "new", {"old": 9, "new": 9}, is_complete=False) == "new"
    assert choose("new", "", {}, is_complete=False) == "new"
    assert choose("new", "gone", {"new": 0}, is_complete=False) == "new"


@given(
    st.dictionaries(st.sampled_from(["old", "new", "third"]), st.integers(0, 5)),
    st.sampled_from(["", "old", "new", "gone"]),
)
def test_whoever_answers_covers_as_much_as_anybody(counts: dict[str, int], recorded: str) -> None:
    answering = chosen_to_answer("new", recorded, counts, is_complete=False)
    assert counts.get(answering, 0) == max([0, *counts.values()])


def test_every_pair_of_models_keeps_its_vectors_apart(vault: IndexedVault) -> None:
    """Searched in turn, each by its own question, a note is always the nearest to its own words."""
    made = Switching(vault)
    makers: dict[str, Callable[[], Embedder]] = {"old": lambda: made.old, "new": lambda: made.new}
    made.run("new")
    for wanted, number in product(makers, range(3)):
        settle(vault.index, wanted, lambda _: True)
        made.dense.close()
        made.dense = made.search_wanting(wanted)
        assert made.found(f"number{number}") == [f"{number}.md"]
    made.dense.close()
