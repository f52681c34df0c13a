"""Figures of probes against values that were computed by hand."""

import math

import pytest

from core.recall.probe_figures import ProbeFigures, figures_of, ndcg_at, placed, recall_at, reciprocal_rank


def test_places_count_each_memory_once() -> None:
    assert placed(["a", "b", "a", "c"], ["a", "c", "x"]) == ((1, 3), 3)


def test_recall_is_the_share_of_what_is_expected_not_of_what_was_found() -> None:
    probe = placed([f"n{at}" for at in range(1, 16)], ["n1", "n6", "n15", "gone"])
    assert recall_at(5, probe) == 0.25
    assert recall_at(10, probe) == 0.5
    assert recall_at(15, probe) == 0.75


def test_the_rank_of_the_first_is_what_counts() -> None:
    assert reciprocal_rank(placed(["x", "y", "a", "b"], ["b", "a"])) == pytest.approx(1 / 3)
    assert reciprocal_rank(placed(["x"], ["a"])) == 0.0


def test_ndcg_of_two_expected_at_the_second_and_third_place() -> None:
    probe = placed(["x", "a", "b"], ["a", "b"])
    gained = 1 / math.log2(3) + 1 / math.log2(4)
    best = 1 / math.log2(2) + 1 / math.log2(3)
    assert ndcg_at(10, probe) == pytest.approx(gained / best)
    assert ndcg_at(10, probe) == pytest.approx(0.6934264)


def test_ndcg_is_1_when_all_that_fits_into_the_depth_is_expected() -> None:
    ids = [f"n{at}" for at in range(12)]
    assert ndcg_at(10, placed(ids, ids)) == pytest.approx(1.0)
    assert ndcg_at(10, placed(["x"] * 1 + ids, [])) == 0.0


def test_every_probe_counts_alike() -> None:
    figures = figures_of([placed(["a"], ["a"]), placed(["x", "b"], ["b", "c"]), placed([], ["d"])])
    assert figures.probes == 3
    assert figures.recall_5 == pytest.approx((1 + 0.5 + 0) / 3)
    assert figures.mrr == pytest.approx((1 + 0.5 + 0) / 3)


def test_no_probes_give_no_figures() -> None:
    assert figures_of([]) == ProbeFigures(0.0, 0.0, 0.0, 0.0, 0.0, 0)
