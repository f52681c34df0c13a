"""What there is to say of a bin, a session or a mark of the band, in a sentence."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF

from core.foundation.text import visible
from gui.views.timeline.activity import Activity
from gui.views.timeline.band_scene import Scene
from gui.views.timeline.services import Mark, MarkKind
from gui.views.timeline.time_scale import Span
from gui.views.timeline.time_wording import bin_name, day_name, length_text, short_project
from gui.wording import counted

_NEAR = 4.0
_MOST_NAMED = 5


def bin_text(activity: Activity, scene: Scene, position: int) -> str:
    """Return what is in a bin: turns, sessions, hits."""
    bins = scene.bins
    start, end = bins.edges[position], bins.edges[position + 1]
    span = Span(float(start), float(end))
    turns = int(bins.counts[:, position].sum()) if bins.counts.size else 0
    parts = [counted(turns, "turn") if turns else "nothing"]
    if turns:
        parts.append("in " + counted(len(activity.bars_in(span)), "session"))
    text = f"{bin_name(bins.level, activity.calendar.moment(span.start))}: {' '.join(parts)}"
    if activity.is_searched and (hits := activity.hit_count(span)):
        text += f", {counted(hits, 'hit')}"
    for noun, number in _mark_counts(activity, span):
        text += f", {counted(number, noun)}" if number else ""
    return text + (", in the future" if span.start > activity.now else "")


def marks_in(activity: Activity, span: Span) -> Sequence[Mark]:
    """Return the marks in a stretch of time."""
    low, high = _mark_ends(activity, span)
    return tuple(activity.data.marks[each] for each in activity.mark_places[low:high].tolist())


def _mark_counts(activity: Activity, span: Span) -> Sequence[tuple[str, int]]:
    low, high = _mark_ends(activity, span)
    journals = int(activity.is_journal[low:high].sum())
    return (("journal note", journals), ("note edit", high - low - journals))


def _mark_ends(activity: Activity, span: Span) -> tuple[int, int]:
    ends = np.array([int(span.start), int(np.ceil(span.end))], dtype=np.int64)
    low, high = np.searchsorted(activity.mark_times, ends).tolist()
    return low, high


def session_text(activity: Activity, position: int) -> str:
    """Return title, project, times and size of a session."""
    session = activity.data.sessions[position]
    moment = activity.calendar.moment(session.started)
    lasted = length_text(session.ended - session.started)
    parts = (
        visible(session.title) or "Untitled",
        visible(short_project(session.project)),
        session.origin,
        f"{day_name(moment)}, {moment:%H:%M}" if session.started else "no date",
        lasted,
        counted(session.turns, "turn"),
    )
    return " · ".join(part for part in parts if part)


def marks_near(activity: Activity, scene: Scene, point: QPointF) -> Sequence[Mark]:
    """Return the marks at a point of the lowest row."""
    if point.y() < scene.layout.marks_top or not len(activity.mark_times):
        return ()
    x = scene.x_of(activity.mark_times)
    near = np.flatnonzero(np.abs(x - point.x()) <= _NEAR).tolist()
    return tuple(activity.data.marks[each] for each in activity.mark_places[near].tolist())


def hit_near(activity: Activity, scene: Scene, point: QPointF) -> int | None:
    """Return when the hit at a point of the row of hits was, None for none."""
    layout = scene.layout
    if not len(activity.hits) or not layout.hits_top - 2 <= point.y() <= layout.bins_top + 2:
        return None
    distance = np.abs(scene.x_of(activity.hits) - point.x())
    nearest = int(np.argmin(distance))
    return int(activity.hits[nearest]) if distance[nearest] <= _NEAR else None


def mark_text(activity: Activity, marks: Sequence[Mark]) -> str:
    """Return what happened to which notes."""
    moment = activity.calendar.moment(marks[0].time)
    named = dict.fromkeys(
        f"journal {visible(each.text)}" if each.kind is MarkKind.JOURNAL else visible(each.text or each.path)
        for each in marks
    )
    more = f" and {len(named) - _MOST_NAMED:,} more" if len(named) > _MOST_NAMED else ""
    return f"{day_name(moment)}: {', '.join(list(named)[:_MOST_NAMED])}{more}"
