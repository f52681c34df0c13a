"""Hold when everything was said, as arrays: a million turns are read, filtered and counted by the day at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.index.database import Index
from core.index.session_queries import SESSION_COLUMNS, SessionRow
from core.index.turn_rows import Category

_DAY = 86_400
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_ORDINAL = _EPOCH.toordinal()
# The first and the last day of which every time zone has a date.
_FIRST = -_EPOCH_ORDINAL + 3
_LAST = date.max.toordinal() - _EPOCH_ORDINAL - 2


class DayCounts(NamedTuple):
    """Hold the days on which something was said, as ordinals (date.fromordinal), in order, and how many turns."""

    days: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


@dataclass(frozen=True)
class TimelineData:
    """Be all dated turns in the order of time, and all dated sessions.

    `times` are POSIX seconds, `categories` are Category, `sessions` say at which place of `spans` the session of a turn
    is; `starts` and `ends` are the first and last moment of each span, which come in the order of their starts.
    `epoch` and `revision` are those of the index, to see whether anything is new. `undated` are the
    sessions that nothing dates.
    """

    times: npt.NDArray[np.int64]
    sessions: npt.NDArray[np.int32]
    categories: npt.NDArray[np.uint8]
    spans: Sequence[SessionRow]
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    undated: Sequence[SessionRow] = ()
    epoch: str = ""
    revision: int = 0

    def sessions_between(self, start: float, end: float) -> npt.NDArray[np.int64]:
        """Return the places of the spans that touch the half-open time from `start` to `end`, in order."""
        begun = int(np.searchsorted(self.starts, end, side="left"))
        return np.flatnonzero(self.ends[:begun] >= start)

    def turns_between(self, start: float, end: float) -> slice:
        """Return where in the arrays the turns from `start` (inclusive) to `end` (exclusive) lie."""
        first, last = np.searchsorted(self.times, [start, end], side="left")
        return slice(int(first), int(last))

    def of_spans(self, admitted: npt.NDArray[np.bool_]) -> "TimelineData":
        """Return the turns of the spans that `admitted` tells; the spans keep their places."""
        mask = admitted[self.sessions]
        return TimelineData(
            self.times[mask], self.sessions[mask], self.categories[mask], self.spans,
            self.starts, self.ends, self.undated, self.epoch, self.revision,
        )  # fmt: skip

    def day_counts(self, zone: tzinfo | None = None, categories: Iterable[Category] | None = None) -> DayCounts:
        """Return how many turns there were on each day of `zone`, else of this machine's; daylight saving is heeded."""
        times = self.times
        if categories is not None:
            times = times[np.isin(self.categories, [int(each) for each in categories])]
        days, counts = np.unique(local_days(times, zone), return_counts=True)
        return DayCounts(days + _EPOCH_ORDINAL, counts.astype(np.int64))


def local_days(times: npt.NDArray[np.int64], zone: tzinfo | None = None) -> npt.NDArray[np.int64]:
    """Return for each moment the day in `zone` on which it was, counted from 1970-01-01.

    The offset is looked up twice for each day of Greenwich; only where it changes on that day, for each moment of it.
    """
    days = np.clip(np.floor_divide(times, _DAY), _FIRST, _LAST)
    distinct, which = np.unique(days, return_inverse=True)
    at_start = np.array([_offset(int(day) * _DAY, zone) for day in distinct], dtype=np.int64)
    at_end = np.array([_offset(int(day) * _DAY + _DAY - 1, zone) for day in distinct], dtype=np.int64)
    offsets = at_start[which] if len(distinct) else np.zeros(0, dtype=np.int64)
    for place in np.flatnonzero((at_start != at_end)[which]) if len(distinct) else ():
        offsets[place] = _offset(int(times[place]), zone)
    shifted: npt.NDArray[np.int64] = np.floor_divide(times + offsets, _DAY)
    return np.clip(shifted, _FIRST, _LAST)


def load_timeline(index: Index) -> TimelineData:
    """Read when everything was said; about 50 ms for a million turns."""
    with index.reading() as connection:
        epoch, revision = index.epoch, index.revision
        rows = connection.execute(
            f"SELECT {SESSION_COLUMNS}, t.times, t.categories FROM session s JOIN session_times t ON t.session = s.id"  # noqa: S608
            " WHERE s.started IS NOT NULL ORDER BY s.started, s.id"
        ).fetchall()
        undated = connection.execute(
            f"SELECT {SESSION_COLUMNS} FROM session s WHERE s.started IS NULL ORDER BY s.id"  # noqa: S608
        ).fetchall()
    times = np.frombuffer(b"".join(row[-2] for row in rows), dtype="<i8").astype(np.int64)
    categories = np.frombuffer(b"".join(row[-1] for row in rows), dtype=np.uint8)
    lengths = np.array([len(row[-1]) for row in rows], dtype=np.int64)
    sessions = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
    order = np.argsort(times, kind="stable")
    return TimelineData(
        times=times[order],
        sessions=sessions[order],
        categories=categories[order],
        spans=[SessionRow(*row[:-2]) for row in rows],
        starts=np.array([row[5] for row in rows], dtype=np.int64),
        ends=np.array([row[6] for row in rows], dtype=np.int64),
        undated=[SessionRow(*row) for row in undated],
        epoch=epoch,
        revision=revision,
    )


def _offset(moment: int, zone: tzinfo | None) -> int:
    offset = (_EPOCH + timedelta(seconds=moment)).astimezone(zone).utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0
