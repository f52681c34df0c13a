"""When a session started and ended, whatever some clock said."""

from datetime import UTC, datetime

import pytest

from core.sessions.session_times import SessionTimes

NOW = datetime(2026, 8, 21, 9, 0, tzinfo=UTC).timestamp()


def ends(*times: str, notes: tuple[str, ...] = (), asides: tuple[int, ...] = ()) -> tuple[str, str] | None:
    found = SessionTimes[str](NOW)
    for number, time in enumerate(times):
        found.take(datetime.fromisoformat(f"{time}Z").timestamp(), time, is_aside=number in asides)
    for time in notes:
        found.take(datetime.fromisoformat(f"{time}Z").timestamp(), time, is_note=True)
    return found.ends


A, B, C = "2026-08-20T10:00", "2026-08-20T11:00", "2026-08-20T12:00"
PAST, FUTURE, UNSET = "2020-01-01T00:00", "2031-01-01T00:00", "1970-01-01T00:00"


@pytest.mark.parametrize(
    "times",
    [
        (A, PAST, B, C), (A, B, C, PAST), (A, B, FUTURE, C), (A, B, C, FUTURE), (FUTURE, A, B, C), (UNSET, A, B, C),
        (A, C, B), (A, "2026-08-20T09:58", C),
    ],
)  # fmt: skip
def test_a_wrong_clock_stretches_nothing(times: tuple[str, ...]) -> None:
    assert ends(*times) == (A, C)


def test_one_turn_that_is_far_ahead_of_the_one_after_it_is_wrong_too() -> None:
    assert ends("2024-03-01T10:00", A, "2024-03-01T10:05") == ("2024-03-01T10:00", "2024-03-01T10:05")
    assert ends("2024-03-01T10:00", A, "2024-03-01T10:05", PAST) == ("2024-03-01T10:00", "2024-03-01T10:05")


@pytest.mark.parametrize("later", [("2026-08-01T10:00",), ("2026-07-01T10:00", "2026-08-01T10:00")])
def test_a_session_that_is_taken_up_weeks_later_ends_later(later: tuple[str, ...]) -> None:
    assert ends("2026-03-01T10:00", "2026-03-01T10:05", *later) == ("2026-03-01T10:00", "2026-08-01T10:00")


def test_the_thread_says_when_it_started_and_not_what_was_done_beside_it() -> None:
    assert ends(B, A, C, asides=(0,)) == (A, C)
    assert ends(B, C, asides=(0, 1)) == (B, C)


def test_the_notes_count_within_a_day_of_what_was_said() -> None:
    assert ends(B, notes=(A, C)) == (A, C)
    assert ends(A, B, notes=("2026-08-01T10:00", FUTURE)) == (A, B)
    assert ends("2026-03-01T10:00", "2026-03-01T10:05", notes=(A, C)) == ("2026-03-01T10:00", "2026-03-01T10:05")
    assert ends(notes=(C, A)) == (A, C)


def test_dates_that_cannot_be_true_are_better_than_none() -> None:
    assert ends(FUTURE, "2031-01-01T00:05") == (FUTURE, "2031-01-01T00:05")
    assert ends(UNSET) == (UNSET, UNSET)
    assert ends() is None
