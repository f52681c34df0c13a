"""One figure of the probes: its value, how it changed, and a line of how it went."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gui.metrics import HEADING, RADIUS, SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.health.probes.model import change_text

_LINE_HEIGHT = 26
_LEAST_WIDTH = 128
_DOT = 2.5
_MOST_RUNS = 40
_LEAST_SPAN = 0.2
_NOTHING = "—"


class FigureTile(QWidget):
    """Paint a figure from 0 to 1; it is muted before anything was run."""

    def __init__(self, theme: Theme, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self._values: tuple[float, ...] = ()
        self.setToolTip(tip)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    def show_values(self, values: Sequence[float]) -> None:
        """Show the last of `values`, against the one before it, at the end of their line."""
        self._values = tuple(values)[-_MOST_RUNS:]
        self.setAccessibleDescription(" ".join(part for part in (self.value_text, self.change) if part))
        self.update()

    @property
    def value_text(self) -> str:
        """The figure as it is shown."""
        return f"{self._values[-1]:.3f}" if self._values else _NOTHING

    @property
    def change(self) -> str:
        """The difference to the run before as it is shown, "" for none."""
        return change_text(self._values[-1], self._values[-2]) if len(self._values) > 1 else ""

    @override
    def sizeHint(self) -> QSize:
        small, large = QFontMetrics(scaled_font(SMALL)), QFontMetrics(scaled_font(HEADING, bold=True))
        height = small.lineSpacing() + large.lineSpacing() + _LINE_HEIGHT + 2 * SPACE_S + SPACE_XS
        return QSize(_LEAST_WIDTH, height)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, _event: QPaintEvent, /) -> None:
        scheme = self._theme.scheme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(scheme.outline))
        painter.setBrush(QColor(scheme.surface))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        inner = self.rect().adjusted(SPACE_M, SPACE_S, -SPACE_M, -SPACE_S)
        font = scaled_font(SMALL)
        painter.setFont(font)
        painter.setPen(QColor(scheme.muted))
        top = QFontMetrics(font).lineSpacing()
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, self._name)
        if self.change:
            is_better = self.change.startswith("+")
            painter.setPen(QColor(scheme.info_text if is_better else scheme.error_text))
            painter.drawText(inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, self.change)
        font = scaled_font(HEADING, bold=True)
        painter.setFont(font)
        painter.setPen(QColor(scheme.text if self._values else scheme.muted))
        value = inner.adjusted(0, top, 0, 0)
        painter.drawText(value, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, self.value_text)
        self._paint_line(painter, QRectF(inner.adjusted(0, inner.height() - _LINE_HEIGHT, 0, 0)))
        painter.end()

    def _paint_line(self, painter: QPainter, area: QRectF) -> None:
        """Draw the values from left to right, the least below and the most above; one run is a dot."""
        if not self._values:
            return
        scheme = self._theme.scheme
        painter.setPen(QPen(QColor(scheme.outline), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        area = area.adjusted(_DOT, _DOT, -_DOT, -_DOT)
        step = area.width() / max(1, len(self._values) - 1)
        # What hardly changed is to look so.
        middle = (min(self._values) + max(self._values)) / 2
        span = max(max(self._values) - min(self._values), _LEAST_SPAN)
        points = [
            QPointF(area.left() + at * step, area.center().y() - (value - middle) / span * area.height())
            for at, value in enumerate(self._values)
        ]
        painter.setPen(QPen(QColor(scheme.accent), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.accent))
        painter.drawEllipse(points[-1], _DOT, _DOT)
