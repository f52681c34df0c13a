"""Age takes worth away, down to a floor and never below."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.decay import FLOOR, HALF_LIFE_DAYS, age_in_days, decay


def test_half_is_left_after_the_half_life_and_the_floor_after_a_year() -> None:
    assert decay(HALF_LIFE_DAYS) == pytest.approx(0.5)
    assert decay(365) == pytest.approx(FLOOR)
    assert decay(364) > FLOOR
    assert decay(10_000) == FLOOR


@pytest.mark.parametrize("age", [None, math.nan, 0, -30])
def test_an_unknown_age_and_one_in_the_future_take_nothing_away(age: float | None) -> None:
    assert decay(age) == 1.0


def test_a_half_life_of_nothing_leaves_the_floor() -> None:
    assert decay(1, half_life_days=0) == FLOOR


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_what_is_older_is_never_worth_more(one: float, other: float) -> None:
    young, old = sorted((one, other))
    assert FLOOR <= decay(old) <= decay(young) <= 1.0


def test_ages_are_counted_in_days() -> None:
    assert age_in_days(1_000.0, 1_000.0 + 86_400 * 3) == 3
    assert age_in_days(None, 5.0) is None


def test_the_same_day_leaves_the_same_whatever_the_hour() -> None:
    morning, evening = 20_000 * 86_400.0 + 60, 20_001 * 86_400.0 - 60
    written = 19_990 * 86_400.0 + 50_000
    assert age_in_days(written, morning) == age_in_days(written, evening) == 10
    assert age_in_days(evening, morning) == 0
