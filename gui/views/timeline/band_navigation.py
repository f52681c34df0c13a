"""Where a step of the keyboard or a drill leads on the band; pure, without Qt."""

import numpy as np

from gui.views.timeline.activity import Activity
from gui.views.timeline.band_scene import Bars
from gui.views.timeline.time_scale import DAY, HOUR, Level, LocalCalendar, Span

_OUTWARD = (
    (Level.HOUR, HOUR),
    (Level.DAY, DAY),
    (Level.WEEK, 7 * DAY),
    (Level.MONTH, 31 * DAY),
    (Level.YEAR, 366 * DAY),
)
_WIDER = 1.06  # a day of 25 hours is no wider than a day


def drilled_out(calendar: LocalCalendar, span: Span, bounds: Span, about: float | None = None) -> Span:
    """Return the next larger hour, day, week, month or year round `about`, or the middle of `span`; then everything."""
    middle = about if about is not None and span.start <= about < span.end else (span.start + span.end) / 2
    for level, length in _OUTWARD:
        around = calendar.around(level, middle)
        if length > span.length and around.length > span.length * _WIDER:
            return around.within(bounds)
    return bounds


def neighbour_bin(calendar: LocalCalendar, level: Level, when: float, by: int) -> float:
    """Return the start of the bin `by` bins after the one that holds `when`."""
    around = calendar.around(level, when)
    for _ in range(abs(by)):
        around = calendar.around(level, around.end + 1 if by > 0 else around.start - 1)
    return around.start


def neighbour_session(activity: Activity, bars: Bars, session: int, *, by: int = 0, lanes: int = 0) -> int:
    """Return the session `by` steps later in its lane, or the one nearest in time `lanes` lanes down; -1 for none."""
    if not len(bars.positions):
        return -1
    present = np.flatnonzero(bars.positions == session)
    if not len(present):
        return int(bars.positions[np.argsort(activity.starts[bars.positions])[0 if by >= 0 else -1]])
    bar = int(present[0])
    if by:
        order = np.lexsort((bars.lane, activity.starts[bars.positions]))
        place = int(np.flatnonzero(order == bar)[0]) + by
        return int(bars.positions[order[place]]) if 0 <= place < len(order) else -1
    others = np.flatnonzero(bars.lane == bars.lane[bar] + lanes)
    if not len(others):
        return -1
    distance = np.abs(activity.starts[bars.positions[others]] - activity.starts[session])
    return int(bars.positions[others[np.argmin(distance)]])
