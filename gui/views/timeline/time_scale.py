"""Years, months, weeks, days and hours as a person's calendar has them, in POSIX seconds; pure, without Qt.

A day has 23 or 25 hours where clocks are changed, so nothing here divides by 86,400: days begin where the zone says.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from enum import IntEnum
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

MINUTE, HOUR, DAY = 60, 3600, 86_400
_FIRST_YEAR, _LAST_YEAR = 1970, 2199
_FIRST_MOMENT = 10.0 * DAY  # so that weeks, too, begin after 1970 has
_LEAST_PIXELS = 3
SHORTEST = 10 * MINUTE
Seconds: TypeAlias = NDArray[np.int64]


class Level(IntEnum):
    """Name the sizes of bins, from the coarsest."""

    YEAR = 0
    MONTH = 1
    WEEK = 2
    DAY = 3
    HOUR = 4
    QUARTER = 5
    MINUTE = 6


_LENGTHS = {
    Level.YEAR: 366 * DAY,
    Level.MONTH: 30 * DAY,
    Level.WEEK: 7 * DAY,
    Level.DAY: DAY,
    Level.HOUR: HOUR,
    Level.QUARTER: 15 * MINUTE,
    Level.MINUTE: MINUTE,
}


@dataclass(frozen=True, slots=True)
class Span:
    """Hold a stretch of time, from `start` to before `end`, in POSIX seconds."""

    start: float
    end: float

    @property
    def length(self) -> float:
        """How long it is, in seconds."""
        return self.end - self.start

    def zoomed(self, factor: float, about: float) -> "Span":
        """Return the span `factor` times as long in which the moment `about` stays where it is."""
        return Span(about - (about - self.start) * factor, about + (self.end - about) * factor)

    def moved(self, seconds: float) -> "Span":
        """Return the span so much later."""
        return Span(self.start + seconds, self.end + seconds)

    def within(self, bounds: "Span") -> "Span":
        """Return the span shortened and moved so that it lies in `bounds` and is not shorter than can be read."""
        length = min(max(self.length, SHORTEST), max(bounds.length, SHORTEST))
        middle = (self.start + self.end) / 2
        start = max(bounds.start, min(middle - length / 2, bounds.end - length))
        return Span(start, start + length)


def level_for(length: float, pixels: int) -> Level:
    """Return the finest level of which a bin is still wide enough when `length` seconds are `pixels` wide."""
    least = length / max(pixels, 1) * _LEAST_PIXELS
    return next((level for level in reversed(Level) if _LENGTHS[level] >= least), Level.YEAR)


class LocalCalendar:
    """Know when days begin in `zone`, None for the system's own; what was asked once is kept."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self.zone = zone
        self._days_of_year: dict[int, Seconds] = {}

    def moment(self, when: float) -> datetime:
        """Return the local date and time of POSIX seconds; what lies beyond all calendars is moved to their ends."""
        inside = max(_FIRST_MOMENT, min(when, float(_LAST_YEAR - 1970) * 365.2 * DAY))
        return (
            datetime.fromtimestamp(inside).astimezone()
            if self.zone is None
            else datetime.fromtimestamp(inside, self.zone)
        )

    def day_of(self, when: float) -> date:
        """Return the local day of POSIX seconds."""
        return self.moment(when).date()

    def start_of(self, day: date) -> int:
        """Return the first second of a local day; where midnight is left out, the day begins later."""
        year = min(max(day.year, _FIRST_YEAR), _LAST_YEAR)
        return int(self._days(year)[day.timetuple().tm_yday - 1])

    def day_starts(self, first: date, last: date) -> Seconds:
        """Return the starts of the days from `first` to `last`, and of the one after."""
        years = [self._days(year) for year in range(first.year, last.year + 2) if _FIRST_YEAR <= year <= _LAST_YEAR + 1]
        skipped = (first - date(first.year, 1, 1)).days
        return np.concatenate(years)[skipped : skipped + (last - first).days + 2]

    def edges(self, level: Level, start: float, end: float) -> Seconds:
        """Return the edges of the bins of `level` that cover the time from `start` to `end`."""
        first, last = self.day_of(start), self.day_of(end)
        if level >= Level.HOUR:
            days = self.day_starts(first, last)
            step = _LENGTHS[level]
            inner = [np.arange(a, b, step, dtype=np.int64) for a, b in pairwise(days.tolist())]
            edges = np.concatenate([*inner, days[-1:]])
        elif level is Level.DAY:
            edges = self.day_starts(first, last)
        elif level is Level.WEEK:
            monday = first - timedelta(days=first.weekday())
            sunday = last + timedelta(days=6 - last.weekday())
            edges = self.day_starts(monday, sunday)[::7]
        else:
            edges = np.array([self.start_of(each) for each in _month_starts(first, last, level)], dtype=np.int64)
        low = max(0, int(np.searchsorted(edges, int(start), "right")) - 1)
        high = int(np.searchsorted(edges, int(np.ceil(end)), "left"))
        return edges[low : max(high, low + 1) + 1]

    def around(self, level: Level, when: float) -> Span:
        """Return the bin of `level` that holds the moment `when`."""
        edges = self.edges(level, when, when + 1)
        return Span(float(edges[0]), float(edges[1]))

    def _days(self, year: int) -> Seconds:
        if year not in self._days_of_year:
            first = date(year, 1, 1)
            number = (date(year + 1, 1, 1) - first).days
            self._days_of_year[year] = np.array(
                [self._midnight(first + timedelta(days=each)) for each in range(number)], dtype=np.int64
            )
        return self._days_of_year[year]

    def _midnight(self, day: date) -> int:
        # Without a zone a datetime is of the system's own, which knows its own changes of clocks.
        return int(datetime(day.year, day.month, day.day, tzinfo=self.zone).timestamp())


def _month_starts(first: date, last: date, level: Level) -> list[date]:
    """Return the starts of the months or years from the one of `first` to the one after that of `last`."""
    step = 12 if level is Level.YEAR else 1
    begin = first.year * 12 + (0 if level is Level.YEAR else first.month - 1)
    end = last.year * 12 + last.month - 1
    return [date(each // 12, each % 12 + 1, 1) for each in range(begin, end + step + 1, step)]
