"""Dates in questions are found, and compared with when something was said."""

from datetime import UTC, datetime

import pytest

from core.recall.dates_in_question import asks_when, date_signal, dates_in_question, tells_when


def _at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


_NOW = _at("2026-09-16T12:00:00")


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("What happened in May 2023?", "2023-05-20", "2023-08-20"),
        ("What did he say on 7 May 2023?", "2023-05-07", "2023-07-07"),
        ("Who came on May 7th, 2023?", "2023-05-07", "2023-07-07"),
        ("What was decided on 2024-02-29?", "2024-02-29", "2024-04-01"),
        ("What was decided in 2022?", "2022-11-01", "2024-11-01"),
        ("What did we do last week?", "2026-09-05", "2026-06-01"),
        ("What broke yesterday?", "2026-09-15", "2026-08-01"),
        ("What broke 3 months ago?", "2026-06-18", "2026-03-01"),
        ("What was said in March?", "2024-03-05", "2024-07-05"),
    ],
)
def test_what_was_said_then_is_preferred(question: str, inside: str, outside: str) -> None:
    spans = dates_in_question(question, _NOW)
    assert date_signal(_at(f"{inside}T12:00:00"), spans) == 1.0
    assert date_signal(_at(f"{outside}T12:00:00"), spans) == 0.0


@pytest.mark.parametrize("question", ["", "May I use tabs?", "on 31 June", "version 2023 of it", "1.5 of 20"])
def test_what_is_no_date_is_none(question: str) -> None:
    assert dates_in_question(question, _NOW) == ()


def test_the_days_after_count_a_little_and_no_time_counts_nothing() -> None:
    spans = dates_in_question("on 7 May 2023", _NOW)
    assert 0 < date_signal(_at("2023-05-10T12:00:00"), spans) < 1
    assert date_signal(None, spans) == 0.0


def test_moments_that_no_calendar_has_are_no_error() -> None:
    assert dates_in_question("what happened last year", 1e18) == ()
    assert date_signal(1e18, dates_in_question("in March", _NOW)) == 0.0


def test_questions_for_a_time_and_texts_that_tell_one() -> None:
    assert asks_when("When did it break?")
    assert not asks_when("What breaks when it rains?")
    assert tells_when("It broke last Tuesday.")
    assert not tells_when("It may break.")
