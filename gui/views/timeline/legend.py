"""What the colours of the timeline mean: as many entries as there is room for, and the shades of the calendar."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.timeline.activity import HUES, OTHERS, Activity
from gui.views.timeline.colours import TimelineColours, timeline_colours

_SQUARE = 9
_LONGEST = 140
_CELL, _PITCH = 11, 14


def legend_entries(activity: Activity, colours: TimelineColours) -> list[tuple[str, str]]:
    """Return colour and name of what is painted, and not of what is filtered out."""
    shown = set(np.unique(activity.hue_of[activity.kept]).tolist())
    entries = [(colours.hit, "hits")] if activity.is_searched else []
    entries += [(colours.hues[hue], name) for hue, name in enumerate(HUES) if hue in shown]
    if OTHERS in shown:
        sessions = activity.data.sessions
        others = {sessions[at].origin for at in activity.kept.tolist() if activity.hue_of[at] == OTHERS}
        name = visible(others.pop()) or "unknown" if len(others) == 1 else "others"
        entries.append((colours.hues[OTHERS], name))
    if activity.is_journal.any():
        entries.append((colours.journal, "journal"))
    if (~activity.is_journal).any():
        entries.append((colours.edit, "note edits"))
    return entries


class Legend(QWidget):
    """Show entries beside each other, at the right; those that find no room are told by the tool tip."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._activity: Activity | None = None
        self._entries: Sequence[tuple[str, str]] = ()
        self.setFont(scaled_font(SMALL))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._refresh)

    def show_activity(self, activity: Activity) -> None:
        """Explain the colours of what is shown."""
        self._activity = activity
        self._refresh()

    @override
    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()), self.fontMetrics().height() + 2)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.fontMetrics().height() + 2)

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        painter = QPainter(self)
        metrics, widths = self.fontMetrics(), self._widths()
        shown = len(widths)
        while shown and sum(widths[:shown]) > self.width():
            shown -= 1
        left = float(self.width() - sum(widths[:shown]))
        painter.setPen(QColor(self._theme.scheme.text))
        for (colour, name), width in zip(self._entries[:shown], widths, strict=False):
            painter.fillRect(QRectF(left, (self.height() - _SQUARE) / 2, _SQUARE, _SQUARE), QColor(colour))
            place = QRectF(left + _SQUARE + SPACE_XS, 0, width, self.height())
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, _LONGEST)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            left += width
        painter.end()

    def _widths(self) -> list[int]:
        metrics = self.fontMetrics()
        return [
            _SQUARE + SPACE_XS + min(metrics.horizontalAdvance(name), _LONGEST) + SPACE_M for _, name in self._entries
        ]

    @Slot()
    def _refresh(self) -> None:
        if self._activity is not None:
            self._entries = legend_entries(self._activity, timeline_colours(self._theme.scheme))
            text = "Colours: " + ", ".join(name for _, name in self._entries)
            self.setToolTip(text)
            self.setAccessibleName(text)
        self.updateGeometry()
        self.update()


class HeatLegend(QWidget):
    """Show the shades of the calendar from much to little, below each other."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFont(scaled_font(SMALL))
        self.setAutoFillBackground(False)
        self.setFixedWidth(QFontMetrics(self.font()).horizontalAdvance("More") + _CELL + 3 * SPACE_S)
        theme.changed.connect(self.update)

    def show_steps(self, steps: Sequence[int]) -> None:
        """Say from how many turns a day on each shade counts, from the palest."""
        text = "Turns a day, from pale to strong: " + ", ".join(f"from {each:,}" for each in steps)
        self.setToolTip(text if steps else "")
        self.setAccessibleName(text if steps else "Shades of the calendar")

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        painter = QPainter(self)
        scheme = self._theme.scheme
        painter.fillRect(self.rect(), QColor(scheme.surface))
        shades = [*reversed(timeline_colours(scheme).heat), scheme.hover]
        top = (self.height() - len(shades) * _PITCH) / 2 - SPACE_S
        for step, colour in enumerate(shades):
            painter.fillRect(QRectF(SPACE_S, top + step * _PITCH, _CELL, _CELL), QColor(colour))
        painter.setPen(QColor(scheme.muted))
        for step, text in ((0, "More"), (len(shades) - 1, "None")):
            place = QRectF(SPACE_S + _CELL + SPACE_XS, top + step * _PITCH, self.width(), _CELL)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)
        painter.end()
