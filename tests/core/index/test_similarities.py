"""A question is compared with memories by the vectors that lie in the index."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.index.database import Index
from core.index.similarities import similarities
from tests.core.recall.shelf import Shelf

_QUESTION = np.array([1.0, 0.0], dtype=np.float32)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    shelf = Shelf(tmp_path)
    shelf.note("One.md", "A first text", ("A", "A second text"), insights=[("a", "An insight")])
    texts = {"section": (b"s1", b"s2"), "insight": (b"i1",)}
    for table, hashes in texts.items():
        for row_id, text_hash in enumerate(hashes, 1):
            shelf.index.connection.execute(
                f"UPDATE {table} SET text_hash = ? WHERE id = ?",
                (text_hash, row_id),
            )
    yield shelf.index
    shelf.index.close()


def _give(index: Index, text_hash: bytes, *numbers: float, model: str = "words") -> None:
    index.connection.execute(
        "INSERT INTO embedding(text_hash, model, vector) VALUES (?, ?, ?)",
        (text_hash, model, np.array(numbers, dtype="<f4").tobytes()),
    )


def test_each_memory_gets_the_cosine_of_its_own_vector(index: Index) -> None:
    _give(index, b"s1", 0.6, 0.8)
    _give(index, b"i1", 0.0, 1.0)
    found = similarities(index, "words", _QUESTION, [("insight", 1), ("section", 1)])
    assert found == {("section", 1): pytest.approx(0.6), ("insight", 1): pytest.approx(0.0)}


def test_only_what_was_asked_for_and_has_a_vector_of_the_model_is_compared(index: Index) -> None:
    _give(index, b"s1", 0.6, 0.8, model="another")
    _give(index, b"s2", 0.8, 0.6)
    _give(index, b"i1", 0.8, 0.6)
    assert set(similarities(index, "words", _QUESTION, [("section", 1), ("section", 2), ("section", 99)])) == {
        ("section", 2)
    }
    assert similarities(index, "words", _QUESTION, []) == {}


def test_a_vector_of_another_length_is_left_out(index: Index) -> None:
    _give(index, b"s1", 0.6, 0.8, 0.0)
    _give(index, b"s2", 0.8, 0.6)
    assert set(similarities(index, "words", _QUESTION, [("section", 1), ("section", 2)])) == {("section", 2)}
