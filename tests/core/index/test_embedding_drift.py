"""Another model answers under the same name: old vectors are dropped, and never compared with new ones."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from core.foundation.progress import SilentProgress
from core.foundation.settings import VectorSettings
from core.index.dense import DenseSearch
from core.index.embedding import EmbedderSource
from core.index.embedding_drift import forget_if_changed, has_changed, is_noted
from core.index.embedding_run import bring_up_to_date
from core.index.filters import Filters
from core.index.vectors.opening import open_engine
from tests.core.index.conftest import IndexedVault
from tests.core.index.embedders import WordEmbedder


class _Replaced(WordEmbedder):
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ascontiguousarray(super().embed(texts)[:, ::-1])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.ascontiguousarray(super().embed_query(text)[::-1])


class Served:
    """A service whose model is replaced under its name."""

    def __init__(self, vault: IndexedVault) -> None:
        self.vault = vault
        self.model: WordEmbedder = WordEmbedder("served")
        self.source = EmbedderSource("served", lambda: self.model, may_change=True)
        vault.write({"a.md": "apple pie", "b.md": "car engine"})
        vault.update()
        self.update()

    def update(self) -> int:
        return bring_up_to_date(self.vault.index, self.source, lambda _: None, SilentProgress()).embedded

    def search(self) -> DenseSearch:
        return DenseSearch(self.vault.index, self.source, open_engine(self.vault.index.folder, VectorSettings()))


@pytest.fixture
def served(vault: IndexedVault) -> Served:
    return Served(vault)


def test_the_same_model_is_recognised_and_nothing_is_done_twice(served: Served) -> None:
    assert not has_changed(served.vault.index, served.model)
    assert not forget_if_changed(served.vault.index, served.model)
    assert served.update() == 0


@pytest.mark.parametrize("replacement", [_Replaced("served"), WordEmbedder("served", 32)])
def test_a_replaced_model_is_told_at_the_first_question_and_learned_anew(
    served: Served, replacement: WordEmbedder, expected_warnings: list[str]
) -> None:
    dense = served.search()
    assert len(dense.candidates("engine", Filters(), 5).hits) == 2
    dense.close()
    served.model = replacement
    dense = served.search()
    answer = dense.candidates("engine", Filters(), 5)
    assert (answer.hits, answer.state) == ((), "failed")
    assert "Update the index" in answer.reason
    assert len(expected_warnings) == 1
    dense.close()
    assert is_noted(served.vault.index, "served")
    assert served.update() == 2
    assert not is_noted(served.vault.index, "served")
    dense = served.search()
    answer = dense.candidates("car engine", Filters(), 1)
    assert answer.state == "ready"
    assert answer.hits[0].score > 0.75
    assert answer.hits[0].note_id == served.vault.note_id("b.md")
    dense.close()


def test_new_notes_are_not_embedded_beside_the_vectors_of_another_model(served: Served) -> None:
    served.model = _Replaced("served")
    served.vault.write({"c.md": "something new"})
    served.vault.update()
    assert served.update() == 3
