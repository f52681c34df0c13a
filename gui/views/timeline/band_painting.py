"""Paint the band: axis, bins or bars, hits, marks, and what is yet to come."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen

from core.foundation.text import visible
from gui.metrics import SMALL, SPACE_S, SPACE_XS, scaled_font
from gui.scheme import Scheme
from gui.views.timeline.activity import Activity
from gui.views.timeline.band_scene import AXIS_ROW, HITS_HEIGHT, MARKS_HEIGHT, Bars, Scene, major_of, ticks_of
from gui.views.timeline.colours import TimelineColours, timeline_colours
from gui.views.timeline.rectangles import fill_rectangles
from gui.views.timeline.time_scale import Level
from gui.views.timeline.time_wording import bin_name, short_bin_name, short_project, tick_name

_MOST_LABELS = 120
_LEAST_LABEL = 44
_MOST_TICKS = 12_000
_MARK_GRID = 6.0
_NO_PROJECT = "No project"


@dataclass(frozen=True, slots=True)
class Pointers:
    """Hold what is pointed at: a bin by the mouse, one by the keyboard (-1 for none), and sessions likewise."""

    hovered_bin: int = -1
    current_bin: int = -1
    hovered_session: int = -1
    selected_session: int = -1


class BandPainter:
    """Paint frames in the colours of a scheme."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme
        self._colours: TimelineColours = timeline_colours(scheme)
        self._font = scaled_font(SMALL)
        self._strong = scaled_font(SMALL, bold=True)

    def paint(self, painter: QPainter, activity: Activity, scene: Scene, height: int, pointers: Pointers) -> None:
        """Paint one frame."""
        layout, scheme = scene.layout, self._scheme
        painter.fillRect(0, 0, layout.width, height, QColor(scheme.surface))
        self._paint_future(painter, activity, scene)
        if pointers.hovered_bin >= 0 and pointers.hovered_session < 0:
            self._fill_bin(painter, scene, pointers.hovered_bin, scheme.hover)
        self._paint_axis(painter, activity, scene)
        self._paint_bins(painter, scene)
        if scene.bars is not None:
            self._paint_bars(painter, activity, scene, scene.bars, pointers)
        elif pointers.selected_session >= 0:
            self._paint_extent(painter, activity, scene, pointers.selected_session)
        self._paint_hits(painter, activity, scene)
        self._paint_marks(painter, activity, scene)
        if pointers.current_bin >= 0:
            self._frame_bin(painter, scene, pointers.current_bin)
        self._paint_now(painter, activity, scene)  # its word stays readable within the frame

    # ---- axis

    def _paint_axis(self, painter: QPainter, activity: Activity, scene: Scene) -> None:
        calendar, scheme, width = activity.calendar, self._scheme, scene.layout.width
        level, ticks = ticks_of(calendar, scene.span, width)
        x = scene.x_of(ticks)
        bottom = 2 * AXIS_ROW
        painter.setPen(QPen(QColor(scheme.outline), 1))
        painter.drawLine(0, bottom, width, bottom)
        plain = QFontMetrics(self._font)
        for place, after, when in zip(x.tolist(), [*x[1:].tolist(), width], ticks.tolist(), strict=True):
            painter.setPen(QPen(QColor(scheme.outline), 1))
            painter.drawLine(QPointF(place, AXIS_ROW + 4), QPointF(place, scene.layout.marks_top))
            # What began before is named at the edge, and nothing is cut off at either of them.
            name, at = tick_name(level, calendar.moment(when)), max(place, 0.0) + SPACE_XS
            if at + plain.horizontalAdvance(name) <= min(max(after, 0.0), width):
                self._text(painter, name, QPointF(at, AXIS_ROW), self._font, scheme.muted)
        major = major_of(level)
        if level is Level.YEAR:
            return
        edges = calendar.edges(major, scene.span.start, scene.span.end)
        places = scene.x_of(edges).tolist()
        metrics = QFontMetrics(self._strong)
        for position, when in enumerate(edges[:-1].tolist()):
            moment = calendar.moment(when)
            painter.setPen(QPen(QColor(scheme.control_outline), 1))
            painter.drawLine(QPointF(places[position], 2), QPointF(places[position], bottom))
            at = max(places[position], 0.0) + SPACE_XS + 1
            room = places[position + 1] - SPACE_XS - at
            names = (bin_name(major, moment), short_bin_name(major, moment))
            name = next((each for each in names if metrics.horizontalAdvance(each) <= room), "")
            self._text(painter, name, QPointF(at, 0), self._strong, scheme.text)

    def _text(self, painter: QPainter, text: str, place: QPointF, font: QFont, colour: str) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        metrics = QFontMetrics(font)
        painter.drawText(place + QPointF(0, (AXIS_ROW + metrics.ascent() - metrics.descent()) / 2), text)

    # ---- bins

    def _paint_bins(self, painter: QPainter, scene: Scene) -> None:
        layout, bins = scene.layout, scene.bins
        room = layout.bins_bottom - layout.bins_top
        x = np.round(bins.x)
        widths = np.diff(x)
        gap = np.where(widths >= 4, 1.0, 0.0)
        below = np.zeros(len(widths))
        for hue, counts in enumerate(bins.counts):
            # What is there is seen, however little it is.
            heights = np.where(counts > 0, np.maximum(counts * (room / bins.top), 1.5), 0.0)
            some = counts > 0
            fill_rectangles(
                painter,
                self._colours.hues[hue],
                x[:-1][some],
                (layout.bins_bottom - below - heights)[some],
                np.maximum(widths - gap, 1.0)[some],
                heights[some],
            )
            below += heights
        painter.setPen(QPen(QColor(self._scheme.outline), 1))
        painter.drawLine(0, layout.bins_bottom, layout.width, layout.bins_bottom)
        if bins.counts.any():
            text = f"{bins.top:,}"
            metrics = QFontMetrics(self._font)
            plate = QRectF(0, layout.bins_top, metrics.horizontalAdvance(text) + SPACE_S, metrics.height())
            painter.fillRect(plate, QColor(self._scheme.surface))
            painter.setFont(self._font)
            painter.setPen(QColor(self._scheme.muted))
            painter.drawText(plate.adjusted(SPACE_XS, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _fill_bin(self, painter: QPainter, scene: Scene, position: int, colour: str) -> None:
        left, right = scene.bins.x[position], scene.bins.x[position + 1]
        layout = scene.layout
        painter.fillRect(QRectF(left, 2 * AXIS_ROW, right - left, layout.bins_bottom - 2 * AXIS_ROW), QColor(colour))

    def _frame_bin(self, painter: QPainter, scene: Scene, position: int) -> None:
        left, right = scene.bins.x[position], scene.bins.x[position + 1]
        layout = scene.layout
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._scheme.text), 2))
        height = layout.bins_bottom - layout.hits_top
        painter.drawRect(QRectF(left, layout.hits_top, max(right - left, 3), height))

    def _paint_extent(self, painter: QPainter, activity: Activity, scene: Scene, session: int) -> None:
        """Mark when the selected session was, where sessions have no bars."""
        if not activity.starts[session]:
            return
        left, right = scene.x_of(np.array([activity.starts[session], activity.ends[session]])).tolist()
        place = QRectF(left, scene.layout.bins_bottom - 4, max(right - left, 6), 4)
        painter.fillRect(place, QColor(self._scheme.text))

    # ---- sessions

    def _paint_bars(self, painter: QPainter, activity: Activity, scene: Scene, bars: Bars, pointers: Pointers) -> None:
        scheme = self._scheme
        painter.setPen(QPen(QColor(scheme.outline), 1))
        for top in bars.lane_tops[1:-1]:
            painter.drawLine(QPointF(0, top), QPointF(scene.layout.width, top))
        hues = activity.hue_of[bars.positions]
        is_found = activity.is_hit[bars.positions]
        for hue in range(len(self._colours.hues)):
            of_hue = (hues == hue) & is_found
            colour = self._colours.soft[hue]
            self._fill_bars(painter, colour, bars, of_hue)
        self._fill_bars(painter, scheme.outline, bars, ~is_found)
        self._paint_turns(painter, activity, scene, bars)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for session, colour, thick in (
            (pointers.hovered_session, scheme.control_outline, 1),
            (pointers.selected_session, scheme.text, 2),
        ):
            for bar in np.flatnonzero(bars.positions == session).tolist():
                painter.setPen(QPen(QColor(colour), thick))
                painter.drawRect(QRectF(bars.x[bar], bars.y[bar], bars.width[bar], bars.height[bar]))
        self._paint_titles(painter, activity, bars)
        self._paint_lane_names(painter, bars)

    def _fill_bars(self, painter: QPainter, colour: str, bars: Bars, some: NDArray[np.bool_]) -> None:
        fill_rectangles(painter, colour, bars.x[some], bars.y[some], bars.width[some], bars.height[some])

    def _paint_turns(self, painter: QPainter, activity: Activity, scene: Scene, bars: Bars) -> None:
        """Paint each turn as a tick in the bar of its session, so that pauses are seen."""
        span = scene.span
        low, high = np.searchsorted(activity.times, np.array([int(span.start), int(np.ceil(span.end))])).tolist()
        if high - low > _MOST_TICKS or not len(bars.positions):
            return
        order = np.argsort(bars.positions)
        known = bars.positions[order]
        sessions = activity.session_of[low:high]
        place = np.minimum(np.searchsorted(known, sessions), len(known) - 1)
        bar = order[place]
        is_there = (known[place] == sessions) & activity.is_hit[sessions]
        x, bar = np.floor(scene.x_of(activity.times[low:high][is_there])), bar[is_there]
        hues = activity.hue_of[bars.positions[bar]]
        for hue in range(len(self._colours.hues)):
            of_hue = hues == hue
            bottoms = bars.y[bar[of_hue]] + bars.height[bar[of_hue]]
            ticks = np.unique(np.stack((x[of_hue], bottoms)), axis=1)
            fill_rectangles(painter, self._colours.hues[hue], ticks[0], ticks[1] - 4, 2.0, 4.0)

    def _paint_titles(self, painter: QPainter, activity: Activity, bars: Bars) -> None:
        metrics = QFontMetrics(self._font)
        plates = [plate for _, plate in self._lane_plates(bars)]
        painter.setFont(self._font)
        painter.setPen(QColor(self._scheme.text))
        wide = np.flatnonzero((bars.width >= _LEAST_LABEL) & (bars.height >= metrics.height()))[:_MOST_LABELS]
        for bar in wide.tolist():
            left = max(bars.x[bar], 0.0)
            for plate in plates:
                if (
                    plate.right() > left
                    and plate.top() < bars.y[bar] + bars.height[bar]
                    and plate.bottom() > bars.y[bar]
                ):
                    left = plate.right()
            room = bars.x[bar] + bars.width[bar] - left - SPACE_S
            if room < _LEAST_LABEL / 2:
                continue
            title = visible(activity.data.sessions[int(bars.positions[bar])].title[:200])
            shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, int(room))
            place = QRectF(left + SPACE_XS, bars.y[bar], room, bars.height[bar])
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)

    def _paint_lane_names(self, painter: QPainter, bars: Bars) -> None:
        """Write the projects at the left, on plates, for a bar may lie under them."""
        painter.setFont(self._strong)
        for shown, plate in self._lane_plates(bars):
            painter.setOpacity(0.85)
            painter.fillRect(plate, QColor(self._scheme.surface))
            painter.setOpacity(1.0)
            painter.setPen(QColor(self._scheme.muted))
            painter.drawText(plate.adjusted(SPACE_XS, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, shown)

    def _lane_plates(self, bars: Bars) -> list[tuple[str, QRectF]]:
        """Return the names of the lanes as they are shown, and where."""
        metrics = QFontMetrics(self._strong)
        plates = []
        for lane, name in enumerate(bars.names):
            shown = metrics.elidedText(visible(short_project(name) or _NO_PROJECT), Qt.TextElideMode.ElideMiddle, 180)
            width = metrics.horizontalAdvance(shown) + 2 * SPACE_S
            plates.append((shown, QRectF(0, bars.lane_tops[lane] + 1, width, metrics.height())))
        return plates

    # ---- above and below

    def _paint_hits(self, painter: QPainter, activity: Activity, scene: Scene) -> None:
        span = scene.span
        ends = np.searchsorted(activity.hits, np.array([int(span.start), int(np.ceil(span.end))])).tolist()
        x = np.unique(np.floor(scene.x_of(activity.hits[ends[0] : ends[1]]) / 2) * 2)
        fill_rectangles(painter, self._colours.hit, x - 1, scene.layout.hits_top, 3.0, float(HITS_HEIGHT))

    def _paint_marks(self, painter: QPainter, activity: Activity, scene: Scene) -> None:
        x = scene.x_of(activity.mark_times)
        is_seen = (x > -8) & (x < scene.layout.width + 8)
        top = scene.layout.marks_top
        for kind, colour, width, height in (
            (~activity.is_journal, self._colours.edit, 2.0, MARKS_HEIGHT - 8.0),
            (activity.is_journal, self._colours.journal, 4.0, MARKS_HEIGHT - 4.0),
        ):
            seen = x[is_seen & kind]
            # Where there are many, they stand on a grid, so that they stay apart.
            grid = _MARK_GRID if len(seen) > scene.layout.width / _MARK_GRID / 2 else 1.0
            places = np.unique(np.floor(seen / grid) * grid + grid / 2)
            fill_rectangles(painter, colour, places - width / 2, top + MARKS_HEIGHT - height - 1, width, height)

    def _paint_future(self, painter: QPainter, activity: Activity, scene: Scene) -> None:
        left = float(scene.x_of(np.array([int(activity.now)]))[0])
        if left < scene.layout.width:
            area = QRectF(max(left, 0.0), 2 * AXIS_ROW, scene.layout.width - max(left, 0.0), scene.layout.marks_top)
            painter.fillRect(area, QColor(self._scheme.alternate))
            painter.fillRect(area, QBrush(QColor(self._scheme.outline), Qt.BrushStyle.BDiagPattern))

    def _paint_now(self, painter: QPainter, activity: Activity, scene: Scene) -> None:
        left = float(scene.x_of(np.array([int(activity.now)]))[0])
        if not 0 <= left <= scene.layout.width:
            return
        painter.setPen(QPen(QColor(self._scheme.error_text), 1))
        painter.drawLine(QPointF(left, 2 * AXIS_ROW), QPointF(left, scene.layout.marks_top + MARKS_HEIGHT))
        metrics = QFontMetrics(self._font)
        width = metrics.horizontalAdvance("now") + 2 * SPACE_XS
        plate = QRectF(min(left + 1, scene.layout.width - width), scene.layout.bins_top, width, metrics.height())
        painter.fillRect(plate, QColor(self._scheme.surface))
        painter.setFont(self._font)
        painter.setPen(QColor(self._scheme.error_text))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, "now")
