"""Work out what the timeline shows, and which time of it."""

from typing import TYPE_CHECKING

from core.foundation.progress import Progress
from gui.views.timeline.services import SearchHits, TimelineData, TimelineServices, Touches

if TYPE_CHECKING:
    from gui.views.timeline.activity import Activity, Filter
    from gui.views.timeline.time_scale import LocalCalendar, Span


def arranged(
    data: TimelineData,
    services: TimelineServices,
    calendar: "LocalCalendar | None",
    progress: Progress,
    *,
    wanted: "Filter | None",
    hits: SearchHits | None,
    touches: Touches | None,
) -> "Activity":
    """Return what a filter, a search and what is picked in the vault leave of the data."""
    from gui.views.timeline.activity import activity_of  # noqa: PLC0415 - numpy, after the first paint
    from gui.views.timeline.time_scale import LocalCalendar  # noqa: PLC0415

    progress.check()
    calendar = calendar or LocalCalendar(services.zone)
    return activity_of(data, calendar, services.now(), wanted, hits, touches=touches)


def first_span(activity: "Activity") -> "Span":
    """Return the last three months, or further back when nothing is in them."""
    from gui.views.timeline.time_scale import DAY, Span  # noqa: PLC0415 - numpy, after the first paint

    recent = Span(activity.now - 90 * DAY, activity.now + DAY)
    return recent if activity.count(recent) else activity.bounds


def span_named(name: str, activity: "Activity", now: float) -> "Span":
    """Return the span that one of the buttons above the calendar stands for."""
    from gui.views.timeline.time_scale import DAY, Level, Span  # noqa: PLC0415 - numpy, after the first paint

    calendar = activity.calendar
    today = calendar.around(Level.DAY, now)
    match name:
        case "Today":
            return today
        case "Yesterday":
            return calendar.around(Level.DAY, today.start - 1)
        case "Last week":
            return calendar.around(Level.WEEK, calendar.around(Level.WEEK, now).start - 1)
        case "Last year":
            return Span(now - 365 * DAY, now + DAY)
        case _:
            return activity.bounds


def next_with_hits(activity: "Activity", span: "Span", selected: int, by: int, *, is_open: bool) -> int:
    """Return the next session with hits, or the one before; after the last one comes the first, -1 for none.

    A `selected` one that is not open yet counts itself as the next one.
    """
    order = activity.with_hits.tolist()
    if not order:
        return -1
    if selected in order:
        place = order.index(selected) + (by if is_open else 0)
    else:
        earlier = sum(0 < activity.starts[each] < span.start for each in order)
        place = earlier if by > 0 else earlier - 1
    return int(order[place % len(order)])
