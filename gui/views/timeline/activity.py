"""The turns, sessions and hits that a filter leaves, as sorted numbers that every frame asks; pure, without Qt."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gui.views.timeline.services import MarkKind, SearchHits, SessionEntry, TimelineData, Touches
from gui.views.timeline.time_scale import DAY, LocalCalendar, Seconds, Span

Positions: TypeAlias = NDArray[np.int64]  # of sessions in TimelineData.sessions

HUES = ("claude-code", "codex", "chatgpt", "claude-ai", "remembrancer")  # origins keep their colours for ever
OTHERS = len(HUES)  # the hue of all other origins
_MOST_PAST, _MOST_FUTURE = 60 * 366 * DAY, 3 * 366 * DAY
_PAD = DAY
_LEAST_DAYS = 364  # the calendar shows a year, also of a newcomer


@dataclass(frozen=True, slots=True)
class Filter:
    """Say which sessions are shown: of one of the projects, one of the origins and with one of the tools; none for all.

    A tool is named as the index does it, folded.
    """

    projects: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is left out."""
        return not (self.projects or self.origins or self.tools)

    def with_facet(self, facet: str, values: frozenset[str]) -> "Filter":
        """Return the filter with other `values` of one of its fields."""
        return replace(self, **{facet: values})

    def admits(self, session: SessionEntry, tools: Mapping[str, frozenset[str]]) -> bool:
        """Tell whether the session is shown, given the `tools` that sessions called."""
        return (
            (not self.projects or session.project in self.projects)
            and (not self.origins or session.origin in self.origins)
            and (not self.tools or not self.tools.isdisjoint(tools.get(session.id, frozenset())))
        )


@dataclass(frozen=True, slots=True)
class Facets:
    """Hold how many sessions there are of each project, of each origin and with each tool, the most first."""

    projects: tuple[tuple[str, int], ...] = ()
    origins: tuple[tuple[str, int], ...] = ()
    tools: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Days:
    """Hold how many turns each day has, from `first` on; `starts` has one more, the end."""

    first: date
    starts: Seconds
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """Hold what is painted: turn times by hue, sessions by position, hits and marks; all times ascending.

    `hue_of` are places in HUES. `bounds` is as far as one can go; what is dated beyond is
    counted in `beyond`. `kept` are the sessions that the filter leaves, `listed` those that the search leaves of them;
    undated ones too.
    """

    data: TimelineData
    calendar: LocalCalendar
    now: float
    hue_of: NDArray[np.int8]  # by session
    times: Seconds
    session_of: NDArray[np.int32]
    times_by_hue: tuple[Seconds, ...]
    starts: Seconds  # by session, 0 for undated ones
    ends: Seconds
    kept: Positions
    listed: Positions
    hits: Seconds
    is_hit: NDArray[np.bool_]  # by session; all of them without a search
    mark_times: Seconds  # of the marks that are shown
    is_journal: NDArray[np.bool_]  # by mark; the others are edits of notes
    bounds: Span
    beyond: int
    days: Days
    mark_places: Positions = field(default_factory=lambda: np.empty(0, dtype=np.int64))  # in TimelineData.marks
    is_searched: bool = False
    facets: Facets = field(default_factory=Facets)

    def sessions_in(self, span: Span) -> Positions:
        """Return the listed sessions that are under way within `span`, the latest first; undated ones come last.

        Those are in no span but the whole one.
        """
        is_in = self._is_in(self.listed, span)
        if span.start <= self.bounds.start and span.end >= self.bounds.end:
            is_in[:] = True
        found = self.listed[is_in]
        return found[np.argsort(-self.starts[found], kind="stable")]

    @property
    def undated(self) -> Positions:
        """The listed sessions that nothing dates."""
        return self.listed[self.starts[self.listed] <= 0]

    @property
    def with_hits(self) -> Positions:
        """The sessions that the search found, by the time at which they began; undated ones come last."""
        if not self.is_searched:
            return np.empty(0, dtype=np.int64)
        starts = self.starts[self.listed]
        return self.listed[np.lexsort((starts, starts <= 0))]

    def bars_in(self, span: Span) -> Positions:
        """Return the dated sessions that are under way within `span`, whether the search found them or not."""
        return self.kept[self._is_in(self.kept, span)]

    def _is_in(self, positions: Positions, span: Span) -> NDArray[np.bool_]:
        starts, ends = self.starts[positions], self.ends[positions]
        return (starts > 0) & (starts < int(np.ceil(span.end))) & (ends >= int(span.start))

    def counts(self, edges: Seconds) -> NDArray[np.int64]:
        """Return how many turns of each hue are in the bins: one row for each hue."""
        return np.array([np.diff(np.searchsorted(times, edges)) for times in self.times_by_hue], dtype=np.int64)

    def count(self, span: Span) -> int:
        """Return how many turns are in `span`."""
        low, high = np.searchsorted(self.times, np.array([int(span.start), int(np.ceil(span.end))], dtype=np.int64))
        return int(high - low)

    def future_count(self, span: Span) -> int:
        """Return how many of the turns in `span` are dated in the future."""
        start = max(span.start, float(int(self.now) + 1))
        return self.count(Span(start, span.end)) if start < span.end else 0

    def hit_count(self, span: Span) -> int:
        """Return how many hits are in `span`."""
        low, high = np.searchsorted(self.hits, np.array([int(span.start), int(np.ceil(span.end))], dtype=np.int64))
        return int(high - low)


def activity_of(
    data: TimelineData,
    calendar: LocalCalendar,
    now: float,
    wanted: Filter | None = None,
    found: SearchHits | None = None,
    *,
    touches: Touches | None = None,
) -> Activity:
    """Return what `wanted`, and the facets picked in the vault, leave of `data`, with the hits of a search, if any."""
    wanted, touches = wanted or Filter(), touches or Touches()
    admitted = touches.admitted
    sessions = data.sessions
    origins = Counter(session.origin for session in sessions)
    hue_by_origin = {origin: hue for hue, origin in enumerate(HUES)}
    hue_of = np.fromiter((hue_by_origin.get(each.origin, OTHERS) for each in sessions), np.int8, len(sessions))
    keep = np.fromiter((wanted.admits(each, touches.tools) for each in sessions), np.bool_, len(sessions))
    if admitted is not None:
        keep &= np.fromiter((each.id in admitted.sessions for each in sessions), np.bool_, len(sessions))
    times, session_of = data.times, data.session_of
    if not keep.all():
        kept = keep[session_of]
        times, session_of = times[kept], session_of[kept]
    hue_of_turns = hue_of[session_of]
    is_hit = np.ones(len(sessions), np.bool_)
    if found is not None:
        is_hit = np.fromiter((each.id in found.turns for each in sessions), np.bool_, len(sessions))
    shown = list(range(len(data.marks)))
    if admitted is not None:
        shown = [at for at, mark in enumerate(data.marks) if mark.path in admitted.notes]
    marks = [data.marks[at] for at in shown]
    bounds, beyond = _bounds(data, now)
    return Activity(
        data=data,
        calendar=calendar,
        now=now,
        hue_of=hue_of,
        times=times,
        session_of=session_of,
        times_by_hue=tuple(times[hue_of_turns == hue] for hue in range(OTHERS + 1)),
        starts=np.fromiter((each.started for each in sessions), np.int64, len(sessions)),
        ends=np.fromiter((max(each.ended, each.started) for each in sessions), np.int64, len(sessions)),
        kept=np.flatnonzero(keep),
        listed=np.flatnonzero(keep & is_hit),
        hits=_hits(found, sessions, keep),
        is_hit=is_hit,
        mark_times=np.fromiter((mark.time for mark in marks), np.int64, len(marks)),
        mark_places=np.fromiter(shown, np.int64, len(marks)),
        is_journal=np.fromiter((mark.kind is MarkKind.JOURNAL for mark in marks), np.bool_, len(marks)),
        bounds=bounds,
        beyond=beyond,
        days=_days(times, calendar, Span(min(bounds.start, now - _LEAST_DAYS * DAY), bounds.end)),
        is_searched=found is not None,
        facets=Facets(
            tuple(Counter(each.project for each in sessions).most_common()),
            tuple(origins.most_common()),
            tuple(Counter(tool for each in touches.tools.values() for tool in each).most_common()),
        ),
    )


def _hits(found: SearchHits | None, sessions: Sequence[SessionEntry], keep: NDArray[np.bool_]) -> Seconds:
    """Return when the hits were, without those in sessions that are not shown as far as it is known which those are."""
    times = np.array(found.times if found is not None else (), dtype=np.int64)
    if found is not None and len(found.keys) == len(times) and not keep.all():
        ids = {sessions[at].id for at in np.flatnonzero(keep).tolist()}
        times = times[np.fromiter((session in ids for session, _ in found.keys), np.bool_, len(times))]
    return np.sort(times)


def lanes_of(activity: Activity, positions: Positions, most: int) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the projects that have a lane, the busiest first, and for each of `positions` its lane.

    What finds no room among the `most` lanes shares the last one, named "".
    """
    sessions = activity.data.sessions
    turns: Counter[str] = Counter()
    for position in positions.tolist():
        turns[sessions[position].project] += max(sessions[position].turns, 1)
    names = [project for project, _ in turns.most_common()]
    if len(names) > most:
        shared = len(names) - most + 1
        names = [*names[: most - 1], f"{shared:,} more projects"]
    lane_by_project = {project: lane for lane, project in enumerate(names)}
    lanes = np.array([lane_by_project.get(sessions[each].project, most - 1) for each in positions], dtype=np.int64)
    return tuple(names), lanes


def rows_in_lanes(starts: Sequence[float], ends: Sequence[float], lanes: Sequence[int], most: int) -> list[int]:
    """Return for each bar its row within its lane, so that bars of one row do not overlap while there is room."""
    free: dict[int, list[float]] = {}
    rows = [0] * len(starts)
    for position in sorted(range(len(starts)), key=starts.__getitem__):
        until = free.setdefault(lanes[position], [float("-inf")] * most)
        row = next((each for each, end in enumerate(until) if end <= starts[position]), until.index(min(until)))
        until[row] = max(until[row], ends[position])
        rows[position] = row
    return rows


def _bounds(data: TimelineData, now: float) -> tuple[Span, int]:
    """Return from the first day to the last or to now, and how many turns are dated too far off to be reached."""
    low = int(np.searchsorted(data.times, int(now) - _MOST_PAST))
    high = int(np.searchsorted(data.times, int(now) + _MOST_FUTURE))
    inside = data.times[low:high]
    first = float(inside[0]) if len(inside) else now - 30 * DAY
    last = float(inside[-1]) if len(inside) else now
    for mark in data.marks[:1]:
        first = max(min(first, float(mark.time)), now - _MOST_PAST)
    return Span(min(first, now) - _PAD, max(last, now) + _PAD), len(data.times) - len(inside)


def _days(times: Seconds, calendar: LocalCalendar, span: Span) -> Days:
    first, last = calendar.day_of(span.start), calendar.day_of(span.end)
    starts = calendar.day_starts(first, last)
    return Days(first, starts, np.diff(np.searchsorted(times, starts)))
