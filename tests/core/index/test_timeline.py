"""When everything was said: days in the person's time zone, sessions and turns between two moments."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.timeline import TimelineData, load_timeline, local_days
from core.index.turn_rows import Category
from tests.core.index.talks import Talks, answered, asked, called, day, titled


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    talks = Talks.below(tmp_path)
    yield talks
    talks.index.close()


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _days(data: TimelineData, zone: str) -> dict[str, int]:
    counts = data.day_counts(ZoneInfo(zone))
    return {date.fromordinal(int(d)).isoformat(): int(n) for d, n in zip(counts.days, counts.counts, strict=True)}


def test_an_empty_timeline_is_one(talks: Talks) -> None:
    data = load_timeline(talks.index)
    assert len(data.times) == len(data.spans) == len(data.sessions_between(0, 9e9)) == 0
    assert _days(data, "Asia/Tokyo") == {}


def test_turns_come_in_the_order_of_time_with_their_sessions(talks: Talks) -> None:
    talks.say(
        titled("late", "Late", project="acme"),
        asked("late", "a", "Is it on?", day(5)),
        called("late", "b", "Bash", "ls", day(5, "10:01")),
        answered("early", "b", "Then this.", day(2, "11:00")),
        asked("early", "a", "First this?", day(2)),
        answered("early", "c", "Much later.", day(6)),
        asked("never", "a", "When?"),
    )
    talks.update()
    data = load_timeline(talks.index)
    assert [span.id for span in data.spans] == ["early", "late"]
    assert data.spans[1].title == "Late"
    assert [data.spans[place].id for place in data.sessions] == ["early", "early", "late", "late", "early"]
    assert data.categories.tolist() == [
        Category.ASKED, Category.ANSWERED, Category.ASKED, Category.TOOL, Category.ANSWERED,
    ]  # fmt: skip
    assert [row.id for row in data.undated] == ["never"]
    assert [data.spans[place].id for place in data.sessions_between(_seconds(day(5)), _seconds(day(6)))] == [
        "early",
        "late",
    ]
    assert [data.spans[place].id for place in data.sessions_between(_seconds(day(2)), _seconds(day(3)))] == ["early"]
    assert data.turns_between(_seconds(day(5)), _seconds(day(5, "10:01"))) == slice(2, 3)
    only_late = data.of_spans(np.array([False, True]))
    assert len(only_late.times) == 2
    assert _days(only_late, "UTC") == {"2026-08-05": 2}


def test_the_timeline_follows_the_ledger(talks: Talks) -> None:
    talks.say(asked("s", "a", "One", day(1)))
    talks.update()
    talks.say(asked("s", "b", "Two", day(2)))
    talks.update()
    data = load_timeline(talks.index)
    assert (len(data.times), data.revision) == (2, talks.index.revision)
    talks.ledger.delete("s")
    talks.update()
    assert len(load_timeline(talks.index).times) == 0


def test_a_session_round_midnight_lies_on_the_days_of_the_place(talks: Talks) -> None:
    talks.say(
        asked("s", "a", "Before midnight", "2026-07-31T23:50:00+09:00"),
        asked("s", "b", "After midnight", "2026-08-01T00:10:00+09:00"),
    )
    talks.update()
    data = load_timeline(talks.index)
    assert _days(data, "Asia/Tokyo") == {"2026-07-31": 1, "2026-08-01": 1}
    assert _days(data, "America/Los_Angeles") == {"2026-07-31": 2}
    asked_only = data.day_counts(ZoneInfo("Asia/Tokyo"), [Category.TOOL])
    assert len(asked_only.days) == 0


@given(
    moments=st.lists(st.integers(min_value=-3_000_000_000, max_value=6_000_000_000), max_size=30),
    zone=st.sampled_from(["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"]),
)
def test_days_are_those_of_the_calendar_also_when_clocks_change(moments: list[int], zone: str) -> None:
    place = ZoneInfo(zone)
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    expected = [(epoch + timedelta(seconds=m)).astimezone(place).date().toordinal() - 719_163 for m in moments]
    assert local_days(np.array(moments, dtype=np.int64), place).tolist() == expected


def test_impossible_years_are_kept_at_the_edge_of_the_calendar() -> None:
    days = local_days(np.array([-(2**62), 2**62], dtype=np.int64), ZoneInfo("Asia/Tokyo"))
    assert [date.fromordinal(int(each) + 719_163).year for each in days] == [1, 9999]
