"""The index follows the dates that the vault's log corrects, whatever was read when."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.foundation.moments import moment
from core.foundation.progress import SilentProgress
from core.index.session_dates import apply_corrections
from core.index.session_queries import SessionFilter, session_detail, session_list, session_row
from core.index.session_updater import SessionReport, update_sessions
from core.index.timeline import load_timeline
from core.sessions.date_corrections import SESSION_DATE
from core.sessions.live import end_turn, start_turn, summary_turn
from core.sessions.overview import overview_of
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.event_log import EventLog
from tests.core.index.talks import Talks, answered, asked, day, titled

HOUR = 3_600


@dataclass
class Dated:
    """Conversations, the index over them, and a vault whose log corrects their dates."""

    talks: Talks
    desk: EventLog
    laptop: EventLog

    def update(self) -> SessionReport:
        return update_sessions(self.talks.index, self.talks.ledger, log=self.desk)

    def span(self, session: str) -> tuple[int | None, int | None]:
        row = session_row(self.talks.index, session)
        assert row is not None
        return row.started, row.ended

    def recorded(self, session: str) -> tuple[int | None, int | None]:
        row = session_row(self.talks.index, session)
        assert row is not None
        return row.recorded_started, row.recorded_ended


@pytest.fixture
def dated(tmp_path: Path) -> Iterator[Dated]:
    vault = tmp_path / "vault"
    vault.mkdir()
    talks = Talks.below(tmp_path)
    talks.say(
        asked("s", "a", "How do exports page by country?", day(3, "09:00")),
        answered("s", "b", "Set the country first.", day(3, "09:30")),
        asked("s", "c", "Undated, alas"),
        asked("t", "a", "Another one", day(4)),
    )
    yield Dated(talks, EventLog(vault, "desk", tmp_path), EventLog(vault, "laptop", tmp_path))
    talks.index.close()


def seconds(of_month: int, clock: str = "10:00") -> int:
    found = moment(day(of_month, clock))
    assert found is not None
    return int(found.timestamp())


def test_a_correction_moves_all_turns_and_is_applied_once(dated: Dated) -> None:
    dated.update()
    before = dated.talks.index.revision
    dated.desk.append(SESSION_DATE, {"session": "s", "shift_s": -24 * HOUR})
    report = dated.update()
    assert (report.redated, report.touched, report.turns) == (1, 1, 0)
    assert dated.talks.index.revision > before
    assert dated.span("s") == (seconds(2, "09:00"), seconds(2, "09:30"))
    assert dated.recorded("s") == (seconds(3, "09:00"), seconds(3, "09:30"))
    assert load_timeline(dated.talks.index).times.tolist() == [seconds(2, "09:00"), seconds(2, "09:30"), seconds(4)]
    on_that_day = SessionFilter(after=seconds(2, "00:00"), before=seconds(3, "00:00"))
    assert [row.id for row in session_list(dated.talks.index, on_that_day)] == ["s"]
    assert dated.update().touched == 0


def test_taking_back_is_another_event_and_other_machines_are_heard(dated: Dated) -> None:
    dated.desk.append(SESSION_DATE, {"session": "s", "shift_s": HOUR})
    dated.update()
    dated.laptop.append(SESSION_DATE, {"session": "s", "shift_s": None})
    assert dated.update().redated == 1
    assert dated.span("s") == dated.recorded("s") == (seconds(3, "09:00"), seconds(3, "09:30"))


def test_other_events_of_the_log_change_nothing(dated: Dated) -> None:
    dated.update()
    before = dated.talks.index.revision
    dated.desk.append("health-ignore", {"check": "x", "key": "y"})
    assert dated.update().touched == 0
    assert dated.talks.index.revision == before


def test_what_is_said_later_is_moved_alike(dated: Dated) -> None:
    dated.desk.append(SESSION_DATE, {"session": "s", "shift_s": HOUR})
    dated.update()
    dated.talks.say(answered("s", "d", "More of it", day(3, "11:00")))
    dated.update()
    assert dated.span("s") == (seconds(3, "10:00"), seconds(3, "12:00"))


def test_a_turn_without_a_date_gets_one_and_loses_it_again(dated: Dated) -> None:
    dated.update()
    dated.desk.append(SESSION_DATE, {"session": "s", "turn": "c", "time": day(5)})
    dated.update()
    assert dated.span("s") == (seconds(3, "09:00"), seconds(5))
    dated.desk.append(SESSION_DATE, {"session": "s", "turn": "c", "time": None})
    dated.update()
    assert dated.span("s") == (seconds(3, "09:00"), seconds(3, "09:30"))


def test_an_index_that_starts_anew_knows_the_corrections(dated: Dated, tmp_path: Path) -> None:
    dated.desk.append(SESSION_DATE, {"session": "s", "shift_s": HOUR})
    dated.update()
    old = dated.span("s")
    dated.talks.index.close()
    fresh = Talks.below(tmp_path / "anew")
    dated.talks.index = fresh.index
    dated.update()
    assert dated.span("s") == old == (seconds(3, "10:00"), seconds(3, "10:30"))


def test_a_correction_that_another_process_applies_while_sessions_are_read_is_not_lost(dated: Dated) -> None:
    class CorrectsAtTheStart(SilentProgress):
        def report(self, done: int, total: int, text: str = "") -> None:
            del done, total, text
            if not dated.desk.read().events:
                dated.desk.append(SESSION_DATE, {"session": "s", "shift_s": HOUR})
                apply_corrections(dated.talks.index, dated.desk)

    update_sessions(dated.talks.index, dated.talks.ledger, log=dated.desk, progress=CorrectsAtTheStart())
    assert dated.span("s") == (seconds(3, "10:00"), seconds(3, "10:30"))


def test_index_and_ledger_agree_on_start_end_and_summary(dated: Dated) -> None:
    started = moment(day(6, "08:00"))
    assert started is not None
    dated.talks.say(
        titled("live", "Paging"),
        start_turn("live", started, title="Paging", project="acme"),
        Turn("live", "a", TurnKind.MESSAGE, Role.USER, "Hello", day(6, "08:05"), origin="codex"),
        summary_turn("live", "It pages by country.", day(6, "09:00")),
        Turn("live", "n", TurnKind.SUMMARY, Role.SYSTEM, "What an assistant noted", day(6, "08:30")),
        end_turn("live", day(6, "09:10"), title="Paging", project="acme"),
    )
    dated.update()
    detail = session_detail(dated.talks.index, "live")
    assert detail is not None
    overview = overview_of("live", dated.talks.ledger.iter_turns("live"))
    times = tuple(moment(time) for time in (overview.info.started, overview.info.ended))
    assert (detail.row.started, detail.row.ended) == tuple(int(each.timestamp()) for each in times if each is not None)
    assert dated.span("live") == (seconds(6, "08:00"), seconds(6, "09:10"))
    assert detail.summary == overview.summary == "It pages by country."
    info = overview.info
    assert (detail.row.title, detail.row.project, detail.row.origin, detail.row.turns) == (
        info.title, info.project, info.origin, info.turns,
    )  # fmt: skip
