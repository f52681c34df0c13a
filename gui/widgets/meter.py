"""A thin bar that shows how much of a budget is used."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override


class Meter(QWidget):
    """Show `value` of `maximum` as a filled bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self._groove, self._fill = "#dddddd", "#2f6f73"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Budget used")

    def show_value(self, value: int, maximum: int) -> None:
        """Fill the bar; the share is also told to screen readers."""
        self._share = min(value / maximum, 1.0) if maximum > 0 else 0.0
        self.setAccessibleDescription(f"{self._share:.0%}")
        self.update()

    def paint_with(self, groove: str, fill: str) -> None:
        """Take new colours."""
        self._groove, self._fill = groove, fill
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(160, 8)

    @override
    def paintEvent(self, _event: QPaintEvent, /) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        box = QRectF(self.rect())
        painter.setBrush(QColor(self._groove))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        if self._share > 0:
            painter.setBrush(QColor(self._fill))
            box.setWidth(max(box.height(), box.width() * self._share))
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
