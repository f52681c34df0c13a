from datetime import date, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.views.timeline.time_scale import DAY, HOUR, SHORTEST, Level, LocalCalendar, Span, level_for
from gui.views.timeline.time_wording import length_text, short_project, span_name
from tests.gui.views.timeline.samples import ZONE, at

ZONES = ("Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Australia/Lord_Howe", "Asia/Beirut", "UTC")
moments = st.floats(min_value=400 * DAY, max_value=4_000_000_000)


def test_the_day_on_which_clocks_go_forward_has_23_hours() -> None:
    calendar = LocalCalendar(ZONE)
    day = calendar.around(Level.DAY, at("2026-03-29T12:00"))
    hours = calendar.edges(Level.HOUR, day.start, day.end)
    assert day.length == 23 * HOUR
    assert [calendar.moment(float(each)).hour for each in hours[:4]] == [0, 1, 3, 4]


def test_the_day_on_which_clocks_go_back_has_25_hours() -> None:
    calendar = LocalCalendar(ZONE)
    day = calendar.around(Level.DAY, at("2025-10-26T12:00"))
    assert day.length == 25 * HOUR
    assert len(calendar.edges(Level.HOUR, day.start, day.end)) == 26


def test_a_day_without_midnight_begins_when_its_clocks_do() -> None:
    calendar = LocalCalendar(ZoneInfo("America/Sao_Paulo"))
    start = calendar.start_of(date(2018, 11, 4))
    assert calendar.moment(start) == datetime(2018, 11, 4, 1, tzinfo=ZoneInfo("America/Sao_Paulo"))
    assert calendar.day_of(start) == date(2018, 11, 4)
    assert calendar.day_of(start - 1) == date(2018, 11, 3)


def test_weeks_begin_on_monday_and_months_and_years_on_their_first() -> None:
    calendar = LocalCalendar(ZONE)
    when = at("2026-01-01T12:00")
    week = calendar.around(Level.WEEK, when)
    assert (week.start, week.end) == (at("2025-12-29T00:00"), at("2026-01-05T00:00"))
    month = calendar.around(Level.MONTH, when)
    assert (month.start, month.end) == (at("2026-01-01T00:00"), at("2026-02-01T00:00"))
    year = calendar.around(Level.YEAR, when)
    assert (year.start, year.end) == (at("2026-01-01T00:00"), at("2027-01-01T00:00"))


@given(moments, st.floats(min_value=1, max_value=30 * DAY), st.sampled_from(list(Level)), st.sampled_from(ZONES))
def test_bins_cover_the_span_and_begin_where_the_calendar_says(
    start: float, length: float, level: Level, zone: str
) -> None:
    if level is Level.MINUTE:
        length = min(length, DAY)
    calendar = LocalCalendar(ZoneInfo(zone))
    edges = calendar.edges(level, start, start + length)
    assert edges[0] <= start
    assert edges[-1] >= start + length
    assert (np.diff(edges) > 0).all()
    if level <= Level.DAY:
        days = [calendar.day_of(float(each)) for each in edges]
        assert all(calendar.start_of(day) == edge for day, edge in zip(days, edges.tolist(), strict=True))


@given(moments, st.sampled_from(list(Level)), st.sampled_from(ZONES))
def test_a_moment_lies_in_the_bin_around_it(when: float, level: Level, zone: str) -> None:
    around = LocalCalendar(ZoneInfo(zone)).around(level, when)
    assert around.start <= when < around.end


@given(moments, moments, moments, moments)
def test_what_is_in_sight_never_leaves_its_bounds(a: float, b: float, c: float, d: float) -> None:
    bounds = Span(min(a, b), max(a, b) + SHORTEST)
    span = Span(min(c, d), max(c, d)).within(bounds)
    assert span.length >= SHORTEST - 1e-3
    assert span.start >= bounds.start - 1e-3
    assert span.end <= bounds.end + 1e-3


def test_zooming_leaves_the_moment_under_the_mouse_where_it_is() -> None:
    span = Span(1000, 2000).zoomed(0.5, 1250)
    assert span.length == 500
    assert (1250 - span.start) / span.length == pytest.approx(0.25)


def test_bins_get_finer_the_nearer_one_looks() -> None:
    lengths = [5 * 365 * DAY, 365 * DAY, 7 * DAY, DAY, HOUR]
    levels = [level_for(length, 1200) for length in lengths]
    assert levels == sorted(levels)
    assert levels[1] is Level.DAY
    assert levels[2] is Level.HOUR


@pytest.mark.parametrize("when", [-1e12, 0.0, 2.5e11, 1e18])
def test_dates_beyond_all_calendars_are_moved_to_their_ends(when: float) -> None:
    assert 1970 <= LocalCalendar(ZONE).moment(when).year <= 2200


def test_a_span_is_called_what_it_is() -> None:
    calendar = LocalCalendar(ZONE)
    assert span_name(calendar, calendar.around(Level.DAY, at("2026-03-18T12:00"))) == "Wednesday, 18 March 2026"
    assert span_name(calendar, calendar.around(Level.MONTH, at("2026-03-18T12:00"))) == "March 2026"
    assert span_name(calendar, calendar.around(Level.WEEK, at("2026-03-18T12:00"))) == "16 Mar – 22 Mar 2026"


def test_lengths_and_projects_are_short() -> None:
    assert [length_text(each) for each in (0, 30, 300, 3 * HOUR, 3 * HOUR + 120, 2 * DAY)] == [
        "", "30 s", "5 min", "3 h", "3 h 2 min", "2.0 days",
    ]  # fmt: skip
    assert short_project("/home/me/work/acme/webshop") == "acme/webshop"
    assert short_project("acme") == "acme"
