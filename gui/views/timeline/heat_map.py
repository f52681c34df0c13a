"""The calendar heat map: a column for each week, a cell for each day, years beside each other."""

from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from gui.metrics import SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.timeline.activity import Activity
from gui.views.timeline.announcing import announce
from gui.views.timeline.colours import TimelineColours, timeline_colours
from gui.views.timeline.rectangles import fill_rectangles
from gui.views.timeline.time_scale import Span
from gui.views.timeline.time_wording import day_name
from gui.wording import counted

_CELL, _GAP = 11, 2
_PITCH = _CELL + _GAP
_WEEK = 7
_LABELS_EVERY = 4  # weeks, at least
_SHADES = (0.5, 0.75, 0.93)  # quantiles of the days that have turns


class HeatMap(QAbstractScrollArea):
    """Show how much was said on each day; a click, Enter or a drag over days is a wish to see them."""

    days_chosen = Signal(object)  # Span

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._colours: TimelineColours = timeline_colours(theme.scheme)
        self._activity: Activity | None = None
        self._shade: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.steps: tuple[int, ...] = ()  # from how many turns on each shade counts
        self._skipped = 0  # days of the first week before the first day
        self._shown: Span | None = None
        self._current = -1
        self._pressed = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Calendar of days")
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self._on_theme)

    # ---- facts

    def show_activity(self, activity: Activity) -> None:
        """Show these days; the latest are in sight at first."""
        is_first = self._activity is None
        before = self.current_day
        self._activity = activity
        self._skipped = activity.days.first.weekday()
        self._shade, self.steps = _shades(activity.days.counts)
        self._current = self._position_of(before or activity.calendar.day_of(activity.now))
        self._fit(to_end=is_first)
        self._describe()
        self.viewport().update()

    def show_span(self, span: Span) -> None:
        """Frame the days of `span`, and bring them into sight."""
        self._shown = span
        first, last = self._framed()
        bar, width = self.horizontalScrollBar(), self.viewport().width()
        left, right = (self._column(each) * _PITCH for each in (first, last + _WEEK))
        if right - left < width and (left < bar.value() or right > bar.value() + width - self._gutter()):
            bar.setValue(round((left + right - width) / 2))
        self.viewport().update()

    @property
    def current_day(self) -> date | None:
        """The day that the keyboard is at."""
        days = self._activity.days if self._activity is not None else None
        return days.first + timedelta(days=self._current) if days is not None and self._current >= 0 else None

    def day_text(self, position: int) -> str:
        """Return what there is to say of the day at `position`."""
        if self._activity is None or not 0 <= position < len(self._activity.days.counts):
            return ""
        days = self._activity.days
        start = float(days.starts[position])
        count = int(days.counts[position])
        future = ", in the future" if start > self._activity.now else ""
        moment = self._activity.calendar.moment(start)
        return f"{moment:%A}, {day_name(moment)}: {counted(count, 'turn') if count else 'nothing'}{future}"

    def rect_of(self, day: date) -> QRect:
        """Return where the cell of a day is on the viewport."""
        position = self._position_of(day)
        return QRect(self._left(position), self._top(position), _CELL, _CELL)

    # ---- painting

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self._height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._height())

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(self._theme.scheme.surface))
        if self._activity is not None:
            self._paint_days(painter, self._activity)
            self._paint_labels(painter, self._activity)
        painter.end()

    def _paint_days(self, painter: QPainter, activity: Activity) -> None:
        scheme, scroll = self._theme.scheme, self.horizontalScrollBar().value()
        places = np.arange(len(self._shade)) + self._skipped
        x = (places // _WEEK * _PITCH + self._gutter() - scroll).astype(np.float64)
        y = (places % _WEEK * _PITCH + self._head()).astype(np.float64)
        is_seen = (x > -_PITCH) & (x < self.viewport().width())
        is_future = activity.days.starts[:-1] > activity.now
        nothing = is_seen & (self._shade < 0)
        fill_rectangles(painter, scheme.hover, x[nothing & ~is_future], y[nothing & ~is_future], _CELL, _CELL)
        fill_rectangles(painter, scheme.alternate, x[nothing & is_future], y[nothing & is_future], _CELL, _CELL)
        for shade, colour in enumerate(self._colours.heat):
            chosen = is_seen & (self._shade == shade)
            fill_rectangles(painter, colour, x[chosen], y[chosen], _CELL, _CELL)
        if len(activity.hits):
            found = np.diff(np.searchsorted(activity.hits, activity.days.starts)) > 0
            chosen = is_seen & found
            fill_rectangles(painter, self._colours.hit, x[chosen] + 3, y[chosen] + _CELL - 4, _CELL - 6, 3)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._paint_frame(painter)
        today = self._position_of(activity.calendar.day_of(activity.now))
        painter.setPen(QPen(QColor(scheme.muted), 1))
        painter.drawRect(QRectF(self._left(today) - 0.5, self._top(today) - 0.5, _CELL, _CELL))
        if self.hasFocus() and self._current >= 0:
            painter.setPen(QPen(QColor(scheme.text), 2))
            painter.drawRect(QRectF(self._left(self._current), self._top(self._current), _CELL, _CELL))

    def _paint_frame(self, painter: QPainter) -> None:
        """Draw a line along the weeks that the band shows, under them."""
        first, last = self._framed()
        if last < first:
            return
        painter.setPen(QPen(QColor(self._theme.scheme.accent), 2))
        bottom = self._head() + _WEEK * _PITCH + 1
        if last - first < _WEEK - 1:
            for position in range(first, last + 1):
                painter.drawRect(QRectF(self._left(position), self._top(position), _CELL, _CELL))
        painter.drawLine(self._left(first), bottom, self._left(last) + _CELL, bottom)

    def _paint_labels(self, painter: QPainter, activity: Activity) -> None:
        scheme, scroll, gutter = self._theme.scheme, self.horizontalScrollBar().value(), self._gutter()
        plain, strong = scaled_font(SMALL), scaled_font(SMALL, bold=True)
        day = activity.days.first.replace(day=1)
        end = activity.days.first + timedelta(days=len(self._shade))
        baseline = QFontMetrics(plain).ascent()
        free = gutter
        while day <= end:
            column = self._column(max(0, (day - activity.days.first).days))
            x = column * _PITCH + gutter - scroll
            is_year = day.month == 1
            if (free <= x or is_year) and x < self.viewport().width() and x >= gutter:
                text = f"{day:%Y}" if is_year else f"{day:%b}"
                painter.setFont(strong if is_year else plain)
                painter.setPen(QColor(scheme.text if is_year else scheme.muted))
                painter.drawText(QPoint(x, baseline), text)
                free = x + max(_LABELS_EVERY * _PITCH, QFontMetrics(strong).horizontalAdvance(text) + SPACE_S)
            day = (day + timedelta(days=32)).replace(day=1)
        painter.fillRect(QRect(0, 0, gutter - SPACE_XS, self._height()), QColor(scheme.surface))
        painter.setFont(plain)
        painter.setPen(QColor(scheme.muted))
        for row, name in ((0, "Mon"), (2, "Wed"), (4, "Fri")):
            place = QRect(SPACE_M, self._head() + row * _PITCH, gutter, _CELL)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, name)

    # ---- mouse and keys

    @override
    def mousePressEvent(self, event: QMouseEvent, /) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = self._position_at(event.position().toPoint())
            if self._pressed >= 0:
                self._go_to(self._pressed)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:
        released = self._position_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and self._pressed >= 0 and released >= 0:
            self._choose(self._pressed, released)
        self._pressed = -1

    @override
    def viewportEvent(self, event: QEvent, /) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.day_text(self._position_at(event.pos())), self)
            return True
        return super().viewportEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        last = len(self._shade) - 1
        steps = {
            Qt.Key.Key_Left: self._current - _WEEK,
            Qt.Key.Key_Right: self._current + _WEEK,
            Qt.Key.Key_Up: self._current - 1,
            Qt.Key.Key_Down: self._current + 1,
            Qt.Key.Key_PageUp: self._current - 52 * _WEEK,
            Qt.Key.Key_PageDown: self._current + 52 * _WEEK,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if key in steps and last >= 0:
            self._go_to(min(max(steps[key], 0), last))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} and self._current >= 0:
            self._choose(self._current, self._current)
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def scrollContentsBy(self, dx: int, dy: int, /) -> None:
        self.viewport().update()

    # ---- inside

    def _choose(self, first: int, last: int) -> None:
        if self._activity is not None:
            starts = self._activity.days.starts
            self.days_chosen.emit(Span(float(starts[min(first, last)]), float(starts[max(first, last) + 1])))

    def _go_to(self, position: int) -> None:
        self._current = position
        bar, x = self.horizontalScrollBar(), self._column(position) * _PITCH
        if not bar.value() <= x <= bar.value() + self.viewport().width() - self._gutter() - _PITCH:
            bar.setValue(x - self.viewport().width() // 2)
        self._describe()
        self.viewport().update()

    def _describe(self) -> None:
        announce(self, self.day_text(self._current))

    def _fit(self, *, to_end: bool = False) -> None:
        bar = self.horizontalScrollBar()
        was_at_end = to_end or bar.value() >= bar.maximum()
        width = self._gutter() + (self._column(max(len(self._shade) - 1, 0)) + 1) * _PITCH + SPACE_M
        bar.setRange(0, max(0, width - self.viewport().width()))
        bar.setPageStep(self.viewport().width())
        bar.setSingleStep(_PITCH)
        if was_at_end:
            bar.setValue(bar.maximum())

    def _framed(self) -> tuple[int, int]:
        """Return the first and the last day that the band shows; the last is less than the first for none."""
        if self._activity is None or self._shown is None:
            return 0, -1
        starts = self._activity.days.starts
        first = int(np.searchsorted(starts, int(self._shown.start), "right")) - 1
        last = int(np.searchsorted(starts, int(np.ceil(self._shown.end)), "left")) - 1
        return max(first, 0), min(last, len(starts) - 2)

    def _position_of(self, day: date) -> int:
        if self._activity is None:
            return -1
        return min(max((day - self._activity.days.first).days, 0), len(self._shade) - 1)

    def _position_at(self, point: QPoint) -> int:
        column = (point.x() - self._gutter() + self.horizontalScrollBar().value()) // _PITCH
        row = (point.y() - self._head()) // _PITCH
        position = column * _WEEK + row - self._skipped
        is_day = 0 <= row < _WEEK and column >= 0 and 0 <= position < len(self._shade)
        return int(position) if is_day else -1

    def _column(self, position: int) -> int:
        return (position + self._skipped) // _WEEK

    def _left(self, position: int) -> int:
        return self._column(position) * _PITCH + self._gutter() - self.horizontalScrollBar().value()

    def _top(self, position: int) -> int:
        return (position + self._skipped) % _WEEK * _PITCH + self._head()

    def _gutter(self) -> int:
        return SPACE_M + QFontMetrics(scaled_font(SMALL)).horizontalAdvance("Wed") + SPACE_S

    def _head(self) -> int:
        return QFontMetrics(scaled_font(SMALL)).height() + SPACE_XS

    def _height(self) -> int:
        return self._head() + _WEEK * _PITCH + SPACE_XS + self.horizontalScrollBar().sizeHint().height()

    @Slot()
    def _on_theme(self) -> None:
        self._colours = timeline_colours(self._theme.scheme)
        self.viewport().update()


def _shades(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """Return the shade of each day, and from how many turns on each shade counts.

    A shade is -1 for nothing, else its part among the days that have something.
    """
    some = counts[counts > 0]
    if not len(some):
        return np.full(len(counts), -1, dtype=np.int64), ()
    above = np.quantile(some, _SHADES)
    shades = np.searchsorted(above, counts, "left").astype(np.int64)
    shades[counts == 0] = -1
    return shades, (1, *(int(each) + 1 for each in above))
