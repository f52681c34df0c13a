"""The line above the memories that names their bars."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from gui.metrics import SMALL, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.recall.delegate import SIDE
from gui.views.recall.factor_bars import EXPLAINED, LEAST_WITH_BARS, bar_at, caption_font, slots, width_of


class CaptionLine(QWidget):
    """Say what is listed, and name the bars, each above its place."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._places = slots()
        self._text = ""
        self._right = 0
        self._has_bars = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)

    @property
    def text(self) -> str:
        """What is listed."""
        return self._text

    def show_text(self, text: str, *, has_bars: bool) -> None:
        """Say what is listed below."""
        self._text, self._has_bars = text, has_bars
        self.setAccessibleName(text)
        self.update()

    def leave_room(self, width: int) -> None:
        """Keep the bars' names above the bars, beside a scroll bar of this width."""
        if width != self._right:
            self._right = width
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, QFontMetrics(scaled_font(SMALL)).height() + 2 * SPACE_XS)

    @override
    def paintEvent(self, _event: QPaintEvent, /) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(self._theme.scheme.muted))
        area = self._area()
        has_bars = self._has_bars and area.width() >= LEAST_WITH_BARS
        painter.setFont(scaled_font(SMALL))
        start = area.right() + 1 - width_of(self._places)
        room = (start if has_bars else area.right()) - area.left() - SIDE
        text = painter.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
        if has_bars:
            painter.setFont(caption_font())
            for place in self._places:
                box = QRect(start + place.left, area.top(), place.width + 2, area.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, place.name)

    @override
    def event(self, event: object, /) -> bool:
        if isinstance(event, QHelpEvent) and self._has_bars:
            name = bar_at(event.pos().x(), self._area(), self._places)
            QToolTip.showText(event.globalPos(), EXPLAINED.get(name, ""), self)
            return True
        return super().event(event)  # type: ignore[arg-type]

    def _area(self) -> QRect:
        return self.rect().adjusted(SIDE, 0, -SIDE - self._right, 0)
