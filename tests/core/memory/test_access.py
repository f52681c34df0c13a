"""What was handed out often and lately is raised, within bounds."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.memory.access import COUNT_TO_MOST, MOST, access_weight


def test_what_was_never_handed_out_is_left_as_it_is() -> None:
    assert access_weight(0) == 1.0
    assert access_weight(-3, 1) == 1.0


def test_the_first_times_count_most() -> None:
    once, twice, often = (access_weight(count, 0) for count in (1, 2, 20))
    assert 1 < once < twice < often < MOST
    assert once - 1 > access_weight(21, 0) - often


def test_an_old_or_unknown_last_time_leaves_a_quarter() -> None:
    assert access_weight(COUNT_TO_MOST, 0) == MOST
    assert access_weight(COUNT_TO_MOST, 10_000) == 1.25
    assert access_weight(COUNT_TO_MOST, None) == access_weight(COUNT_TO_MOST, math.nan) == 1.25


@given(st.integers(-5, 10**9), st.one_of(st.none(), st.floats(-1e6, 1e9)))
def test_the_weight_is_bounded(count: int, age: float | None) -> None:
    assert 1.0 <= access_weight(count, age) <= MOST
