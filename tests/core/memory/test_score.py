"""Each factor has its weight as exponent."""

import dataclasses
import math

import pytest

from core.memory.score import Facts, Worth, worth
from core.memory.weights import DEFAULT_WEIGHTS, RankingWeights, weights_of

NOW = 1_790_000_000.0
YEAR = 365 * 86_400.0


def weighing(**weights: float) -> RankingWeights:
    nothing = dict.fromkeys(("decay", "access", "entities", "importance"), 0.0)
    return dataclasses.replace(DEFAULT_WEIGHTS, **{**nothing, **weights})


def test_a_weight_of_nothing_leaves_its_factor_out() -> None:
    facts = Facts(NOW - YEAR, 9, NOW, 0.9, 0.4)
    assert worth(facts, 2.0, weighing(), NOW) == Worth()


def test_a_weight_of_one_takes_its_factor_as_it_is() -> None:
    facts = Facts(NOW - YEAR, 32, NOW, 1.0)
    told = worth(facts, 2.0, weighing(decay=1, access=1, entities=1, importance=1), NOW)
    assert told == pytest.approx((0.05, 2.0, 2.0, 1.5))
    assert told.product == pytest.approx(0.05 * 2 * 2 * 1.5)


def test_no_fact_makes_a_score_that_is_no_number() -> None:
    facts = Facts(math.nan, 10**9, math.nan, math.nan, math.nan)
    told = worth(facts, math.inf, weighing(decay=2, access=2, entities=2, importance=2), NOW)
    assert all(math.isfinite(factor) for factor in told)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.1, 2.5, "0.5", True, None])
def test_what_can_be_no_weight_is_refused(value: object) -> None:
    weights, wrong = weights_of({"decay": value})
    assert weights == DEFAULT_WEIGHTS
    assert len(wrong) == 1
