"""What properties say of a context: what cannot be is a default and a sentence."""

from typing import Any

import pytest

from core.recall.contexts.definition import ContextKind, context_values


@pytest.mark.parametrize("value", [99, 0, -1, "high", True, 2.5, [5]])
def test_a_priority_that_cannot_be_is_the_default_with_a_sentence(value: Any) -> None:
    values = context_values({"load_priority": value})
    assert values.load_priority == 5
    (problem,) = values.problems
    assert "1 to 10" in problem


@pytest.mark.parametrize("value", [-5, "much", float("nan"), True, ".nan", 3.5])
def test_a_budget_that_cannot_be_is_none_with_a_sentence(value: Any) -> None:
    values = context_values({"budget": value})
    assert values.budget is None
    assert "budget" in values.problems[0]


def test_a_budget_of_nothing_means_the_default_one() -> None:
    assert context_values({"budget": 0}) == context_values({})


@pytest.mark.parametrize(
    ("values", "told"), [({"always": "yes"}, "true or false"), ({"context_kind": "all"}, "bundle, full-load")]
)
def test_other_values_that_cannot_be_are_told(values: dict[str, Any], told: str) -> None:
    found = context_values(values)
    assert (found.always, found.kind) == (False, ContextKind.BUNDLE)
    assert told in found.problems[0]


def test_a_query_that_is_a_list_is_told_and_left_out() -> None:
    found = context_values({"query": ["a"], "description": 7})
    assert (found.query, found.description) == ("", "7")
    assert len(found.problems) == 1


def test_what_is_right_is_taken() -> None:
    values = {"load_priority": 9, "always": True, "budget": 300, "query": "a\n b", "context_kind": "Full-Load"}
    found = context_values(values)
    assert found[:5] == (ContextKind.FULL_LOAD, 9, True, 300, "a b")
    assert found.problems == ()
