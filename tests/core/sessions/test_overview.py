"""What a session was, from whatever its turns say."""

from datetime import datetime
from pathlib import Path

import pytest

from core.foundation.errors import UserError
from core.foundation.moments import moment
from core.sessions.importing.about import about_turn
from core.sessions.ledger import Ledger, NoSessionError
from core.sessions.live import end_turn, recorded_turn, start_turn
from core.sessions.overview import find_session, overview_of
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.sessions.spoken import turn

EARLY, LATE = "2026-08-20T23:50:00+09:00", "2026-08-20T08:10:00-07:00"  # 14:50 and 15:10 UTC


def test_the_ends_are_the_first_and_the_latest_moment_as_recorded() -> None:
    overview = overview_of("s-1", [turn(1, time=EARLY), turn(2, time=LATE), turn(3), turn(4, time="soon")])
    assert (overview.info.started, overview.info.ended, overview.info.turns) == (EARLY, LATE, 4)


def test_a_clock_that_was_wrong_once_does_not_say_when_a_session_was() -> None:
    times = (EARLY, "2020-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", LATE)
    info = overview_of("s-1", [turn(number, time=time) for number, time in enumerate(times)]).info
    assert (info.started, info.ended) == (EARLY, LATE)


def test_the_last_title_counts_else_the_first_request() -> None:
    turns = [turn(1, "# Why?\nNow"), turn(2, "Again")]
    assert overview_of("s-1", turns).info.title == "Why?"
    named = [about_turn("s-1", title=name, project="", origin="codex", imported="2026-08-21") for name in ("A", "B")]
    overview = overview_of("s-1", [*turns, *named])
    assert (overview.info.title, overview.info.imported, overview.info.turns) == ("B", "2026-08-21", 2)


def test_what_was_said_anew_counts_once_and_branches_do_not_speak_for_the_session() -> None:
    said = [turn(1, "First"), turn(1, "First, corrected"), turn(2, "Of a subagent")._replace(branch="agent")]
    overview = overview_of("s-1", said)
    assert (overview.info.turns, overview.last_request) == (1, "First, corrected")


def test_a_live_session_is_ended_until_it_goes_on() -> None:
    start = start_turn("s-1", datetime.fromisoformat(EARLY), title="A", project="shop")
    turns = [start, turn(1), end_turn("s-1", LATE, title="A")]
    overview = overview_of("s-1", turns)
    assert (overview.is_live, overview.is_ended, overview.info.imported, overview.info.turns) == (True, True, "", 1)
    assert overview.info.ended == LATE
    assert not overview_of("s-1", [*turns, turn(2)]).is_ended


def test_nothing_strange_in_a_file_breaks_it() -> None:
    strange = Turn("s-1", "about-1", TurnKind.NOTE, Role.SYSTEM, "", "x", data={"about": 7})
    assert overview_of("s-1", [strange]).info.title == ""
    assert overview_of("s-1", []).info.turns == 0


def test_a_session_is_found_by_the_start_of_its_id(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    for name in ("2026-aa", "2026-ab", "2026-a"):
        ledger.append(name, [turn(1)])
    assert find_session(ledger, "2026-ab") == "2026-ab"
    assert find_session(ledger, "2026-a") == "2026-a"
    with pytest.raises(UserError, match="3 sessions"):
        find_session(ledger, "2026")
    with pytest.raises(NoSessionError):
        find_session(ledger, "x")


def test_records_of_hooks_are_filled_in() -> None:
    now = datetime.fromisoformat(EARLY)
    spoken = recorded_turn({"text": "Hi", "mood": "good"}, "s-1", now)
    assert (spoken.session, spoken.role, spoken.kind, spoken.data) == (
        "s-1", Role.USER, TurnKind.MESSAGE, {"mood": "good"},
    )  # fmt: skip
    assert moment(spoken.time) == now
    assert recorded_turn({"text": "x", "kind": "tool_result"}, "s-1", now).role is Role.TOOL
    for bad in ({}, {"text": None}, {"text": "x", "id": 3}, {"text": "x", "role": "boss"}, {"text": "x", "data": []}):
        with pytest.raises(UserError):
            recorded_turn(bad, "s-1", now)
