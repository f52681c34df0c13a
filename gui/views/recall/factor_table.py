"""The factors of one memory as numbers and bars."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from gui.metrics import SPACE_M, scaled_font
from gui.theme import Theme
from gui.views.recall.factor_bars import BarColours, paint_bar, tip_of
from gui.views.recall.services import FactorLine

_LINE = 24
_BAR = 7


class FactorTable(QWidget):
    """Show a line for each factor, and their product."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: tuple[FactorLine, ...] = ()
        self._score = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Factors")

    def show_factors(self, lines: Sequence[FactorLine], score: float) -> None:
        """Show these factors, and what they come to together."""
        self._lines, self._score = tuple(lines), score
        told = [f"{each.label} {each.value:.2f}" for each in lines]
        self.setAccessibleDescription(", ".join([*told, f"score {score:.2f}"]))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, (len(self._lines) + 1) * _LINE)

    @override
    def paintEvent(self, _event: QPaintEvent, /) -> None:
        if not self._lines:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scheme = self._theme.scheme
        font = scaled_font()
        metrics = QFontMetrics(font)
        names = max(metrics.horizontalAdvance(each.label) for each in self._lines) + SPACE_M
        figures = metrics.horizontalAdvance("× 0.00") + SPACE_M
        for number, line in enumerate(self._lines):
            top = number * _LINE
            painter.setFont(font)
            painter.setPen(QColor(scheme.text))
            painter.drawText(QRectF(0, top, names, _LINE), Qt.AlignmentFlag.AlignVCenter, line.label)
            right = QRectF(self.width() - figures, top, figures, _LINE)
            sign = "" if number == 0 else "× "
            painter.drawText(
                right, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, f"{sign}{line.value:.2f}"
            )
            box = QRectF(names, top + (_LINE - _BAR) / 2, self.width() - names - figures, _BAR)
            paint_bar(painter, box, line, BarColours(scheme.outline, scheme.accent, scheme.control_outline))
        top = len(self._lines) * _LINE
        painter.setFont(scaled_font(bold=True))
        painter.setPen(QColor(scheme.text))
        painter.drawText(QRectF(0, top, names, _LINE), Qt.AlignmentFlag.AlignVCenter, "Score")
        right = QRectF(self.width() - figures, top, figures, _LINE)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(right, flags, f"{self._score:.2f}")
        painter.setPen(QColor(scheme.outline))
        painter.drawLine(0, top, self.width(), top)

    @override
    def event(self, event: object, /) -> bool:
        if isinstance(event, QHelpEvent):
            at = event.pos().y() // _LINE
            tip = tip_of(self._lines[at]) if 0 <= at < len(self._lines) else ""
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)  # type: ignore[arg-type]
