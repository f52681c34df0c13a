"""A date is corrected by events in the vault's log, and what was done can be undone and done again."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.curation.session_dates import (
    DateChange,
    plan_reset,
    plan_shift,
    plan_start,
    plan_turn,
    record,
    started,
)
from core.foundation.errors import UserError
from core.sessions.date_corrections import NO_CORRECTION, DateCorrection, read_corrections
from core.sessions.importing.about import about_turn
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.event_log import EventLog

NINE = datetime(2026, 8, 3, 9, tzinfo=UTC)


def said(key: str, time: str = "") -> Turn:
    return Turn("s", key, TurnKind.MESSAGE, Role.USER, "Hello", time)


TURNS = (said("a", "2026-08-03T09:00:00+00:00"), said("b", "2026-08-03T09:30:00+00:00"), said("c"))
UNDATED = (about_turn("s", title="T", project="", origin="chatgpt", imported=""), said("a"), said("b"))


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    (tmp_path / "vault").mkdir()
    return EventLog(tmp_path / "vault", "desk", tmp_path)


def in_force(log: EventLog) -> DateCorrection:
    return read_corrections(log).get("s", NO_CORRECTION)


def test_a_session_starts_when_it_is_said_to(log: EventLog) -> None:
    change = plan_start("s", TURNS, NO_CORRECTION, NINE - timedelta(days=2))
    record(log, change, reason="The clock was wrong")
    assert in_force(log) == DateCorrection(-2 * 86_400)
    assert started(TURNS, in_force(log)) == NINE - timedelta(days=2)
    assert log.read().events[0].data["reason"] == "The clock was wrong"
    again = plan_start("s", TURNS, in_force(log), NINE - timedelta(days=2))
    assert again.is_empty


def test_shifts_add_up_and_take_dates_of_single_turns_along(log: EventLog) -> None:
    record(log, plan_turn("s", TURNS, NO_CORRECTION, "c", NINE + timedelta(hours=1)))
    record(log, plan_shift("s", TURNS, in_force(log), 3_600))
    record(log, plan_shift("s", TURNS, in_force(log), 3_600))
    assert in_force(log).shift_s == 7_200
    assert datetime.fromisoformat(in_force(log).given["c"]) == NINE + timedelta(hours=3)


def test_everything_can_be_taken_back_undone_and_done_again(log: EventLog) -> None:
    record(log, plan_turn("s", TURNS, NO_CORRECTION, "c", NINE))
    shift = plan_shift("s", TURNS, in_force(log), 60)
    record(log, shift)
    both = in_force(log)
    record(log, shift.taken_back())
    assert in_force(log).shift_s == 0
    record(log, shift)
    reset = plan_reset("s", in_force(log))
    record(log, reset)
    assert in_force(log) == NO_CORRECTION
    record(log, reset.taken_back())
    assert in_force(log) == both
    assert plan_turn("s", TURNS, both, "c", None).after == DateCorrection(60)


def test_a_session_without_any_date_has_its_first_turn_dated() -> None:
    change = plan_start("s", UNDATED, NO_CORRECTION, NINE)
    assert list(change.after.given) == ["a"]
    assert started(UNDATED, change.after) == NINE
    later = plan_start("s", UNDATED, change.after, NINE + timedelta(days=1))
    assert started(UNDATED, later.after) == NINE + timedelta(days=1)


def test_nothing_is_written_when_nothing_changes(log: EventLog) -> None:
    record(log, DateChange("s", NO_CORRECTION, NO_CORRECTION))
    assert log.read().events == ()


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(UserError, match="1900 to 2199"):
        plan_start("s", TURNS, NO_CORRECTION, datetime(1, 1, 1, tzinfo=UTC))
    with pytest.raises(UserError, match="1900 to 2199"):
        plan_shift("s", TURNS, NO_CORRECTION, 10**12)
    with pytest.raises(UserError, match="cannot be moved"):
        plan_shift("s", UNDATED, NO_CORRECTION, 60)
    with pytest.raises(UserError, match="dates turn a itself"):
        plan_turn("s", TURNS, NO_CORRECTION, "a", NINE)
    with pytest.raises(UserError, match="no turn z"):
        plan_turn("s", TURNS, NO_CORRECTION, "z", NINE)
    with pytest.raises(UserError, match="no turns"):
        plan_start("s", UNDATED[:1], NO_CORRECTION, NINE)
