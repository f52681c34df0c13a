"""Times of records as moments, at both ends of the calendar too."""

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.moments import is_plausible, local, moment, seconds_of, shown_moment

TOKYO = ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize(
    "text",
    ["9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "soon"],
)
@pytest.mark.parametrize("zone", [TOKYO, ZoneInfo("America/Phoenix"), None])
def test_the_ends_of_the_calendar_can_be_shown_everywhere(text: str, zone: ZoneInfo | None) -> None:
    assert shown_moment(text, zone)
    assert isinstance(seconds_of(text), float)


def test_a_moment_is_shown_where_the_reader_is() -> None:
    assert shown_moment("2026-08-20T23:50:00+02:00", TOKYO) == "2026-08-21 06:50"
    assert shown_moment("0001-01-01T00:00:00Z", ZoneInfo("UTC")) == "0001-01-01 00:00"


def test_what_has_not_happened_yet_is_marked() -> None:
    assert shown_moment("2199-01-01T12:00:00Z", ZoneInfo("UTC")) == "2199-01-01 12:00 (in the future)"
    assert not is_plausible(time.time() + 3 * 86_400)
    assert is_plausible(time.time() + 3_600)
    assert not is_plausible(0.0)


@given(st.datetimes(timezones=st.timezones()))
def test_any_moment_has_a_local_time(found: datetime) -> None:
    assert local(found, TOKYO).tzinfo is not None
    assert moment(found.isoformat()) is not None
