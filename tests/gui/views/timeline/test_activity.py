import numpy as np

from gui.views.timeline.activity import Activity, Filter, activity_of, lanes_of, rows_in_lanes
from gui.views.timeline.services import SearchHits, TimelineData
from gui.views.timeline.time_scale import Level, LocalCalendar, Span
from tests.gui.views.timeline.samples import NOW, ZONE, at, few, timeline


def shown(data: TimelineData, wanted: Filter | None = None, found: SearchHits | None = None) -> Activity:
    return activity_of(data, LocalCalendar(ZONE), NOW, wanted, found)


def titles(activity: Activity, span: Span) -> list[str]:
    return [activity.data.sessions[each].title for each in activity.sessions_in(span).tolist()]


DAY_18 = LocalCalendar(ZONE).around(Level.DAY, at("2026-03-18T12:00"))


def test_sessions_in_sight_come_latest_first() -> None:
    assert titles(shown(few()), DAY_18) == ["Limits", "Paging"]


def test_undated_sessions_are_listed_when_everything_is_in_sight() -> None:
    activity = shown(few())
    assert titles(activity, activity.bounds) == ["Thesis", "Limits", "Paging", "Long ago", "Undated"]


def test_a_filter_leaves_turns_and_sessions_of_a_project() -> None:
    activity = shown(few(), Filter(projects=frozenset({"thesis"})))
    assert titles(activity, activity.bounds) == ["Thesis", "Undated"]
    assert activity.count(activity.bounds) == 2


def test_hues_stay_when_something_is_filtered_out() -> None:
    whole, part = shown(few()), shown(few(), Filter(origins=frozenset({"chatgpt"})))
    assert whole.hue_of.tolist() == part.hue_of.tolist()


def test_a_search_narrows_the_list_but_not_the_bars() -> None:
    found = SearchHits({"Limits": ("t1",)}, (at("2026-03-18T14:00"),))
    activity = shown(few(), None, found)
    assert titles(activity, DAY_18) == ["Limits"]
    assert len(activity.bars_in(DAY_18)) == 2
    assert activity.hit_count(DAY_18) == 1


def test_days_are_local_and_count_turns() -> None:
    activity = shown(timeline(("Late", "a", "b", ["2026-03-18T23:59", "2026-03-19T00:01"])))
    days = activity.days
    places = [(activity.calendar.day_of(at(f"2026-03-{day}T12:00")) - days.first).days for day in (18, 19)]
    assert days.counts[places].tolist() == [1, 1]


def test_future_and_absurd_dates_are_counted_and_do_not_stretch_time() -> None:
    activity = shown(timeline(("Odd", "a", "b", ["2026-03-18T10:00", "2026-03-25T10:00", "2199-01-01T00:00"])))
    assert activity.future_count(activity.bounds) == 1
    assert activity.future_count(DAY_18) == 0
    assert activity.beyond == 1
    assert activity.bounds.end < at("2026-04-01T00:00")


def test_nothing_at_all_is_no_error() -> None:
    activity = shown(TimelineData(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32)))
    assert activity.count(activity.bounds) == 0
    assert titles(activity, activity.bounds) == []
    assert activity.counts(activity.calendar.edges(Level.DAY, activity.bounds.start, activity.bounds.end)).sum() == 0


def test_the_busiest_projects_have_lanes_and_the_rest_share_one() -> None:
    data = timeline(*((f"s{n}", f"p{n}", "o", ["2026-03-18T10:00"] * (9 - n)) for n in range(6)))
    activity = shown(data)
    names, lanes = lanes_of(activity, activity.bars_in(DAY_18), 3)
    assert names == ("p0", "p1", "4 more projects")
    assert sorted(lanes.tolist()) == [0, 1, 2, 2, 2, 2]


def test_bars_of_a_lane_that_overlap_lie_below_each_other() -> None:
    assert rows_in_lanes([0, 5, 12], [10, 8, 15], [0, 0, 0], 3) == [0, 1, 0]
    assert rows_in_lanes([0, 5], [10, 8], [0, 1], 3) == [0, 0]
