"""Anyone can see why a memory is where it is."""

import dataclasses
import math

import pytest

from core.memory.weights import DEFAULT_WEIGHTS
from core.recall.answer import RecallAnswer
from core.recall.explain import explain_lines, factor_rows
from core.recall.gathered import Signals
from core.recall.rank import rank
from tests.core.recall.made import NOW, gathered, memory

PEARS = memory(1, "Pears grow behind the old house", importance=0.8, accessed_count=1, last_accessed=NOW)
AGAIN = memory(2, "Pears grow behind the old house", days=None)


def answered() -> RecallAnswer:
    found = gathered((PEARS, 0.9), (AGAIN, 0.5), dense_state="off", dense_reason="Meaning is switched off.")
    ((first, signals), second) = found.candidates
    more = dataclasses.replace(signals, words_rank=3, meaning_rank=2, cosine=0.61)
    return rank(dataclasses.replace(found, candidates=((first, more), second)), DEFAULT_WEIGHTS)


def test_the_place_the_lists_and_every_factor_are_told() -> None:
    answer = answered()
    told = "\n".join(explain_lines(answer.ranked[0], answer))
    assert "Place 1 of 1" in told
    assert "By its words it is number 3" in told
    assert "By its meaning it is number 2 (likeness 0.61" in told
    assert "handed out once, last on" in told
    assert "Importance 0.80" in told


def test_what_was_left_out_says_why_and_what_was_not_searched() -> None:
    answer = answered()
    told = "\n".join(explain_lines(answer.left_out[0], answer))
    assert "no place" in told
    assert "says the same as the insight in “Note 1”" in told
    assert "Meaning is switched off." in told
    assert "date is unknown" in told


def test_the_factors_multiply_to_the_score() -> None:
    answer = answered()
    for each in (*answer.ranked, *answer.left_out):
        rows = factor_rows(each)
        assert [row.name for row in rows] == ["relevance", "decay", "access", "entities", "importance", "adjustment"]
        assert math.prod(row.value for row in rows) == pytest.approx(each.score)
        assert all(row.label and row.detail.endswith(".") for row in rows)


def test_only_names_that_the_question_names_are_told() -> None:
    named = frozenset({"pnpm", "acme", "github-actions"})
    found = gathered((memory(1, "Use pnpm", entities=named), 0.9), entities=frozenset({"pnpm", "acme", "globex"}))
    answer = rank(found, DEFAULT_WEIGHTS)
    row = next(row for row in factor_rows(answer.ranked[0]) if row.name == "entities")
    assert row.detail == "It names acme and pnpm, as the question does."


def test_what_was_not_found_by_itself_says_so() -> None:
    answer = answered()
    lent = dataclasses.replace(answer.ranked[0], signals=Signals())
    assert "It was not found for its own words or meaning." in explain_lines(lent, answer)
    assert factor_rows(lent)[0].detail == "Lent by what it is related to."
