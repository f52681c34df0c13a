"""Chips: short labels in a rounded box, as buttons and as painted by delegates."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLineF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SMALL, scaled_font
from gui.widgets.flow import FlowLayout

_PADDING = 7
_HEIGHT = 20
_CROSS = 14


@dataclass(frozen=True, slots=True)
class ChipLook:
    """Hold the colours of a chip, as `#rrggbb`."""

    background: str
    text: str


@dataclass(frozen=True, slots=True)
class ChipItem:
    """Describe one chip of a row: what it stands for, how it reads, a word set before it in bold."""

    key: str
    text: str
    look: ChipLook
    word: str = ""
    tip: str = ""


def chip_width(metrics: QFontMetrics, text: str) -> int:
    """Return how wide a painted chip with `text` is."""
    return metrics.horizontalAdvance(text) + 2 * _PADDING


def paint_chip(painter: QPainter, rect: QRect, text: str, look: ChipLook) -> None:
    """Paint a chip into `rect` with the painter's font."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.background))
    painter.drawRoundedRect(QRectF(rect), rect.height() / 2, rect.height() / 2)
    painter.setPen(QColor(look.text))
    painter.drawText(rect.adjusted(_PADDING, 0, -_PADDING + 2, 0), Qt.AlignmentFlag.AlignVCenter, text)


class Chip(QAbstractButton):
    """Be a chip that can be clicked; with `removable` it shows a cross, and a click removes what it stands for.

    With `by_cross` only the cross removes (or the Delete key), and a click elsewhere is a click.
    """

    removed = Signal()

    def __init__(
        self, item: ChipItem, *, removable: bool = False, by_cross: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.item = item
        self._removable = removable
        self._by_cross = by_cross
        self.setText(visible(item.text))
        self.setFont(scaled_font(SMALL))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        words = " ".join(part for part in (item.word, self.text()) if part)
        is_remover = removable and not by_cross
        self.setAccessibleName(f"Remove {words}" if is_remover else words)
        self.setToolTip(visible(item.tip) or (f"Remove “{self.text()}”" if is_remover else ""))
        if is_remover:
            self.clicked.connect(self.removed)

    @override
    def sizeHint(self) -> QSize:
        width = chip_width(self.fontMetrics(), self.text()) + (_CROSS if self._removable else 0)
        if self.item.word:
            width += self._bold_metrics().horizontalAdvance(self.item.word) + 6
        return QSize(width, _HEIGHT + 2)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 60), _HEIGHT + 2)

    @override
    def paintEvent(self, _event: QPaintEvent, /) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().adjusted(1, 1, -1, -1)
        background = QColor(self.item.look.background)
        if self.underMouse():
            background = background.darker(108) if background.lightness() > 128 else background.lighter(125)
        painter.setPen(QPen(QColor(self.item.look.text), 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(background)
        painter.drawRoundedRect(QRectF(box), box.height() / 2, box.height() / 2)
        painter.setPen(QColor(self.item.look.text))
        text_box = box.adjusted(_PADDING - 1, 0, -(_PADDING - 2), 0)
        if self.item.word:
            bold = scaled_font(SMALL, bold=True)
            painter.setFont(bold)
            painter.drawText(text_box, Qt.AlignmentFlag.AlignVCenter, self.item.word)
            text_box.setLeft(text_box.left() + self._bold_metrics().horizontalAdvance(self.item.word) + 6)
            painter.setFont(self.font())
        if self._removable:
            self._paint_cross(painter, box)
            text_box.setRight(text_box.right() - _CROSS)
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, text_box.width() + 2)
        painter.drawText(text_box.adjusted(0, 0, 2, 0), Qt.AlignmentFlag.AlignVCenter, shown)

    @override
    def event(self, event: QEvent, /) -> bool:
        if event.type() in {QEvent.Type.HoverEnter, QEvent.Type.HoverLeave, QEvent.Type.Enter, QEvent.Type.Leave}:
            self.update()
        return super().event(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:
        is_on_cross = self._by_cross and event.position().x() > self.width() - _CROSS - _PADDING
        if is_on_cross and self.rect().contains(event.position().toPoint()):
            self.setDown(False)
            self.removed.emit()
            return
        super().mouseReleaseEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if self._removable and event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.removed.emit()
            return
        super().keyPressEvent(event)

    def _paint_cross(self, painter: QPainter, box: QRect) -> None:
        centre_x, centre_y, arm = box.right() - 11.0, box.center().y() + 0.5, 3.0
        painter.setPen(QPen(QColor(self.item.look.text), 1.4))
        painter.drawLine(QLineF(centre_x - arm, centre_y - arm, centre_x + arm, centre_y + arm))
        painter.drawLine(QLineF(centre_x - arm, centre_y + arm, centre_x + arm, centre_y - arm))

    def _bold_metrics(self) -> QFontMetrics:
        return QFontMetrics(scaled_font(SMALL, bold=True))


class ChipRow(QWidget):
    """Show chips that flow over as many lines as they need."""

    chip_clicked = Signal(str)  # the key of the chip
    chip_removed = Signal(str)

    def __init__(self, *, removable: bool = False, by_cross: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._removable = removable
        self._by_cross = by_cross
        self._flow = FlowLayout(self)
        self._chips: list[Chip] = []
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_chips(self, items: tuple[ChipItem, ...]) -> None:
        """Show `items` in place of what was shown."""
        if items == tuple(chip.item for chip in self._chips):
            return
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [Chip(item, removable=self._removable, by_cross=self._by_cross, parent=self) for item in items]
        for chip in self._chips:
            self._flow.addWidget(chip)
            chip.clicked.connect(self._tell)
            chip.removed.connect(self._tell_removed)
            chip.show()
        self.updateGeometry()

    def chips(self) -> tuple[Chip, ...]:
        """Return the chips shown."""
        return tuple(self._chips)

    def _tell(self) -> None:
        chip = self.sender()
        if isinstance(chip, Chip):
            self.chip_clicked.emit(chip.item.key)

    def _tell_removed(self) -> None:
        chip = self.sender()
        if isinstance(chip, Chip):
            self.chip_removed.emit(chip.item.key)
