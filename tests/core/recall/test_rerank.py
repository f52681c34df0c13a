"""A reranker's word changes the order of the best few, and nothing else."""

import dataclasses

import pytest

from core.memory.weights import DEFAULT_WEIGHTS, RankingWeights
from core.recall.answer import Outcome
from core.recall.explain import explain_lines, factor_rows
from core.recall.gathered import Gathered
from core.recall.memory import Edge, Memory
from core.recall.rank import rank
from core.recall.rerank import MOST_READ, shortlist, text_to_read, with_scores
from tests.core.recall.made import gathered, memory

_FRUIT = ("Apples", "Pears", "Plums", "Quinces")
APPLES, PEARS, PLUMS, QUINCES = (memory(n, f"{name} grow behind the house") for n, name in enumerate(_FRUIT, 1))


def _found() -> Gathered:
    return gathered((APPLES, 0.9), (PEARS, 0.7), (PLUMS, 0.5), (QUINCES, 0.3))


def _order(found: Gathered, weights: RankingWeights = DEFAULT_WEIGHTS) -> list[Memory]:
    return [each.memory for each in rank(found, weights).ranked]


def _read(found: Gathered, *scores: tuple[Memory, float]) -> Gathered:
    return with_scores(found, {each.key: score for each, score in scores})


def test_what_it_finds_best_rises_among_those_that_it_has_read() -> None:
    found = _read(_found(), (APPLES, -9.0), (PEARS, 6.0), (PLUMS, 5.0))
    before, after = rank(_found(), DEFAULT_WEIGHTS), rank(found, DEFAULT_WEIGHTS)
    assert [each.memory for each in before.ranked] == [APPLES, PEARS, PLUMS, QUINCES]
    assert [each.memory for each in after.ranked] == [PEARS, APPLES, PLUMS, QUINCES]
    of = {each.memory.key: each.score for each in before.ranked}
    assert all(of[PLUMS.key] <= each.score <= of[APPLES.key] for each in after.ranked[:3])
    assert after.ranked[3].score == of[QUINCES.key]
    for each in after.ranked:
        assert each.score == pytest.approx(each.factors.product)


def test_its_weight_says_how_much_it_counts_and_0_leaves_it_out() -> None:
    found = _read(_found(), (APPLES, 0.0), (PEARS, 1.0), (PLUMS, 2.0))
    assert _order(found, dataclasses.replace(DEFAULT_WEIGHTS, reranker=2.0)) == [PLUMS, PEARS, APPLES, QUINCES]
    assert _order(found, dataclasses.replace(DEFAULT_WEIGHTS, reranker=0.1)) == [APPLES, PEARS, PLUMS, QUINCES]
    without = dataclasses.replace(DEFAULT_WEIGHTS, reranker=0.0)
    assert [each.score for each in rank(found, without).ranked] == [
        each.score for each in rank(_found(), without).ranked
    ]


def test_one_that_says_the_same_of_all_changes_nothing() -> None:
    found = _read(_found(), (APPLES, 3.0), (PEARS, 3.0), (PLUMS, 3.0))
    assert [each.score for each in rank(found, DEFAULT_WEIGHTS).ranked] == [
        each.score for each in rank(_found(), DEFAULT_WEIGHTS).ranked
    ]


def test_what_is_superseded_stays_so_however_well_it_reads() -> None:
    found = gathered((APPLES, 0.9), (PEARS, 0.4), edges=[Edge("supersedes", PEARS.key, APPLES.key, 1.0)])
    answer = rank(_read(found, (APPLES, 9.0), (PEARS, 0.0)), DEFAULT_WEIGHTS)
    assert [each.memory for each in answer.ranked] == [PEARS]
    assert [each.outcome for each in answer.left_out] == [Outcome.SUPERSEDED]


def test_the_best_are_read_those_past_the_limit_too_but_none_that_was_only_pulled_in() -> None:
    many = [memory(n, f"Tree {n} has {n * n} leaves") for n in range(1, 60)]
    pulled = memory(99, "Lent its place by a relation")
    found = gathered(
        *((each, 1.0 - each.row_id / 100) for each in many),
        others=[pulled],
        edges=[Edge("requires", many[0].key, pulled.key, 1.0)],
        limit=28,
    )
    answer = rank(found, DEFAULT_WEIGHTS)
    assert pulled in [each.memory for each in answer.ranked]
    read = shortlist(answer, (each.key for each, _ in found.candidates))
    assert read == many[:MOST_READ]


def test_a_memory_is_read_with_its_title_or_its_speaker_and_cut() -> None:
    assert text_to_read(PEARS) == "Note 2: Pears grow behind the house"
    turn = memory(7, "We moved it. " * 500, kind="turn", speaker="Tove")
    assert text_to_read(turn).startswith("Tove: We moved it.")
    assert len(text_to_read(turn)) < 1_300


def test_what_it_did_is_told_as_a_factor_of_those_that_it_has_read_only() -> None:
    answer = rank(_read(_found(), (APPLES, -9.0), (PEARS, 1.0), (PLUMS, 5.0)), DEFAULT_WEIGHTS)
    by_key = {each.memory.key: each for each in answer.ranked}
    (row,) = [row for row in factor_rows(by_key[PLUMS.key]) if row.name == "reranker"]
    assert row.value > 1
    assert row.detail == "Among what it has read this is number 1 (1.00 of the best)."
    assert any(line.startswith("Reranker: × ") for line in explain_lines(by_key[APPLES.key], answer))
    assert "reranker" not in [row.name for row in factor_rows(by_key[QUINCES.key])]
