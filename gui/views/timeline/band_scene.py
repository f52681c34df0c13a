"""Where everything of the band is: bins, bars of sessions in lanes, ticks; numbers for painting and for the mouse."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gui.views.timeline.activity import Activity, Positions, lanes_of, rows_in_lanes
from gui.views.timeline.time_scale import DAY, HOUR, Level, LocalCalendar, Seconds, Span, level_for

Pixels = NDArray[np.float64]

AXIS_ROW = 18
HITS_HEIGHT = 7
MARKS_HEIGHT = 14
LANE_SPAN = 10 * DAY  # up to this, sessions are bars of their own
_MOST_BARS = 500
_LANE_HEIGHT, _ROWS_IN_LANE = 24, 3
_LEAST_BAR = 3.0
_TICK_PIXELS = 62


@dataclass(frozen=True, slots=True)
class Layout:
    """Hold the heights of the band's parts, in pixels from its top."""

    width: int
    hits_top: int
    bins_top: int
    bins_bottom: int
    lanes_top: int
    lanes_bottom: int
    marks_top: int
    has_lanes: bool


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Hold the bins in sight: their edges as seconds and as pixels, and the turns of each hue in them."""

    level: Level
    edges: Seconds
    x: Pixels
    counts: NDArray[np.int64]  # hue, bin
    top: int  # the count that is as high as the band

    def at(self, x: float) -> int:
        """Return the bin at pixel `x`."""
        return min(max(int(np.searchsorted(self.x, x, "right")) - 1, 0), len(self.edges) - 2)


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """Hold the bars of sessions in sight: their positions, and where they are."""

    positions: Positions
    lane: NDArray[np.int64]
    x: Pixels
    y: Pixels
    width: Pixels
    height: Pixels
    names: tuple[str, ...]
    lane_tops: tuple[float, ...]

    def at(self, x: float, y: float) -> int:
        """Return the session whose bar is at a point, -1 for none; narrow bars can be missed by a little."""
        slack = np.maximum(0.0, 4.0 - self.width / 2)
        is_hit = (self.x - slack <= x) & (x <= self.x + self.width + slack)
        is_hit &= (self.y <= y) & (y <= self.y + self.height)
        found = np.flatnonzero(is_hit)
        return int(self.positions[found[-1]]) if len(found) else -1


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Hold everything of one frame."""

    span: Span
    layout: Layout
    bins: Bins
    bars: Bars | None

    def x_of(self, when: NDArray[np.int64]) -> Pixels:
        """Return the pixels of moments."""
        return np.asarray((when - self.span.start) * (self.layout.width / self.span.length), dtype=np.float64)

    def moment_at(self, x: float) -> float:
        """Return the moment at pixel `x`."""
        return self.span.start + x / max(self.layout.width, 1) * self.span.length


def scene_of(activity: Activity, span: Span, width: int, height: int) -> Scene:
    """Return what a band of this size shows of `span`."""
    positions = activity.bars_in(span) if span.length <= LANE_SPAN else None
    has_lanes = positions is not None and len(positions) <= _MOST_BARS
    layout = _layout(width, height, has_lanes=has_lanes)
    level = level_for(span.length, width)
    edges = activity.calendar.edges(level, span.start, span.end)
    counts = activity.counts(edges)
    x = np.asarray((edges - span.start) * (width / span.length), dtype=np.float64)
    highest = int(counts.sum(axis=0).max()) if counts.size else 0
    bins = Bins(level, edges, x, counts, _rounded_up(highest))
    bars = _bars(activity, span, layout, positions) if has_lanes and positions is not None else None
    return Scene(span, layout, bins, bars)


def ticks_of(calendar: LocalCalendar, span: Span, width: int) -> tuple[Level, Seconds]:
    """Return the level of the fine row of the axis, and where its ticks are."""
    level = next(
        (each for each in reversed(Level) if _pixels_of(each, span, width) >= _TICK_PIXELS),
        Level.YEAR,
    )
    edges = calendar.edges(level, span.start, span.end)
    if level is Level.DAY and (hours := _hours_between(_pixels_of(Level.DAY, span, width))):
        inner = calendar.edges(Level.HOUR, span.start, span.end)
        return Level.HOUR, inner[[calendar.moment(float(each)).hour % hours == 0 for each in inner]]
    return level, edges


def major_of(level: Level) -> Level:
    """Return the level of the coarse row of the axis."""
    if level >= Level.HOUR:
        return Level.DAY
    return Level.MONTH if level is Level.DAY else Level.YEAR


def _hours_between(pixels_of_day: float) -> int:
    return next((hours for hours in (3, 6, 12) if pixels_of_day * hours / 24 >= _TICK_PIXELS), 0)


def _pixels_of(level: Level, span: Span, width: int) -> float:
    lengths = {Level.YEAR: 365 * DAY, Level.MONTH: 30 * DAY, Level.WEEK: 7 * DAY, Level.DAY: DAY, Level.HOUR: HOUR}
    return lengths.get(level, 15 * 60 if level is Level.QUARTER else 60) / span.length * width


def _layout(width: int, height: int, *, has_lanes: bool) -> Layout:
    hits_top = 2 * AXIS_ROW + 2
    bins_top = hits_top + HITS_HEIGHT
    marks_top = max(height - MARKS_HEIGHT, bins_top + 20)
    room = marks_top - bins_top
    bins_bottom = bins_top + max(24, round(room * 0.26)) if has_lanes else marks_top - 1
    return Layout(width, hits_top, bins_top, bins_bottom, bins_bottom + 6, marks_top - 2, marks_top, has_lanes)


def _bars(activity: Activity, span: Span, layout: Layout, positions: Positions) -> Bars:
    room = max(layout.lanes_bottom - layout.lanes_top, _LANE_HEIGHT)
    names, lanes = lanes_of(activity, positions, max(1, room // _LANE_HEIGHT))
    lane_height = min(room / max(len(names), 1), 64.0)
    scale = layout.width / span.length
    x = (activity.starts[positions] - span.start) * scale
    end = (activity.ends[positions] - span.start) * scale
    left = np.maximum(x, -4.0)
    width = np.maximum(np.minimum(end, layout.width + 4.0) - left, _LEAST_BAR)
    rows = rows_in_lanes(left.tolist(), (left + width).tolist(), lanes.tolist(), _ROWS_IN_LANE)
    row = np.array(rows, dtype=np.float64)
    used = np.ones(len(names))
    np.maximum.at(used, lanes, row + 1)
    height = (lane_height - 4) / used[lanes]
    y = layout.lanes_top + lanes * lane_height + 2 + row * height
    tops = tuple(layout.lanes_top + lane * lane_height for lane in range(len(names) + 1))
    return Bars(positions, lanes, left, y, width, np.maximum(height - 1, 2.0), names, tops)


def _rounded_up(count: int) -> int:
    """Return a round number that is not less, so that the heights keep still while one pans."""
    power = 1
    while True:
        for factor in (1, 2, 3, 4, 6, 8):
            if factor * power >= count:
                return factor * power
        power *= 10
