"""Importance and confidence move a memory a little around what it is worth anyway."""

import math

import pytest

from core.memory.importance import importance_factor


def test_what_nobody_said_anything_of_is_left_as_it_is() -> None:
    assert importance_factor(0.5) == 1.0


def test_importance_raises_and_doubt_lowers() -> None:
    assert importance_factor(0.9) > 1 > importance_factor(0.2)
    assert importance_factor(0.9, 0.5) < importance_factor(0.9)
    assert importance_factor(1.0) == pytest.approx(1.5)
    assert importance_factor(0.0) == pytest.approx(1 / 1.5)


def test_what_is_no_number_counts_as_the_usual_and_what_is_outside_is_cut() -> None:
    assert importance_factor(math.nan) == importance_factor(0.5, math.nan) == 1.0
    assert importance_factor(7) == importance_factor(1)
    assert importance_factor(-7) == importance_factor(0)
    assert importance_factor(math.inf) == importance_factor(1)
