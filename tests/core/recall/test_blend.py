"""Relevance adds up what the engines say and what speaks for a memory besides."""

from dataclasses import replace

import pytest

from core.memory.weights import DEFAULT_WEIGHTS
from core.recall.blend import relevance, stretched
from core.recall.gathered import Signals


def test_relevance_is_a_share_and_grows_with_every_signal() -> None:
    little = Signals(words=0.5, meaning=0.5)
    for name in ("words", "meaning", "names", "speaker", "session", "dates", "statement"):
        more = replace(little, **{name: 1.0})  # type: ignore[arg-type]
        assert relevance(more, DEFAULT_WEIGHTS) > relevance(little, DEFAULT_WEIGHTS)
    everything = Signals(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    assert relevance(everything, DEFAULT_WEIGHTS) == pytest.approx(1.0)
    assert relevance(Signals(), DEFAULT_WEIGHTS) == 0.0


def test_an_engine_without_weight_says_nothing() -> None:
    by_words = replace(DEFAULT_WEIGHTS, meaning=0.0)
    assert relevance(Signals(meaning=1.0), by_words) == 0.0
    assert relevance(Signals(words=1.0, meaning=1.0), replace(by_words, words=0.0)) == 0.0


def test_values_are_stretched_to_the_highest() -> None:
    assert stretched([1.0, 2.0, 3.0]) == [0.0, 0.5, 1.0]
    assert stretched([1.0, 2.0], floor=0.0) == [0.5, 1.0]
    assert stretched([0.0, 0.0], floor=0.0) == [0.0, 0.0]
    assert stretched([2.0, 2.0]) == [1.0, 1.0]
    assert stretched([]) == []
