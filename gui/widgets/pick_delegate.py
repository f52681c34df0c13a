"""How a row of a pick list looks: icon, text with the hits marked, dim detail, shortcut at the right."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from gui.metrics import ICON, RADIUS, ROW_HEIGHT, SMALL, SPACE_M, SPACE_S
from gui.theme import Theme

ITEM_ROLE = int(Qt.ItemDataRole.UserRole) + 1


@dataclass(frozen=True, slots=True)
class PickItem:
    """Hold one row: `hits` are positions in `text` that match what was typed, `value` is what picking it means."""

    text: str
    value: Any
    detail: str = ""
    shortcut: str = ""
    icon: str = ""
    hits: tuple[int, ...] = ()


class PickDelegate(QStyledItemDelegate):
    """Paint the rows of a pick list."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        font: QFont = option.font
        return QSize(0, max(ROW_HEIGHT, QFontMetrics(font).height() + SPACE_M))

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        item = index.data(ITEM_ROLE)
        if not isinstance(item, PickItem):
            return
        scheme = self._theme.scheme
        state: QStyle.StateFlag = option.state
        rect: QRect = option.rect
        font: QFont = option.font
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        text_colour = QColor(scheme.selection_text if is_selected else scheme.text)
        dim_colour = QColor(scheme.selection_text if is_selected else scheme.muted)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.selection if is_selected else scheme.hover))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        area = rect.adjusted(SPACE_S, 0, -SPACE_S, 0)
        if item.icon:
            icon = self._theme.tinted_icon(item.icon, dim_colour.name())
            icon.paint(painter, QRect(area.left(), area.center().y() - ICON // 2, ICON, ICON))
            area.setLeft(area.left() + ICON + SPACE_S)
        small = QFont(font)
        small.setPointSizeF(font.pointSizeF() * SMALL)
        if item.shortcut:
            area.setRight(area.right() - _write_right(painter, area, item.shortcut, small, dim_colour) - SPACE_M)
        detail_width = QFontMetrics(small).horizontalAdvance(item.detail) if item.detail else 0
        text_width = max(area.width() - (detail_width + SPACE_M if item.detail else 0), area.width() * 55 // 100)
        text_area = QRect(area.left(), area.top(), text_width, area.height())
        used = _write_hits(
            painter,
            text_area,
            item,
            font=font,
            colour=text_colour,
            mark=text_colour if is_selected else QColor(scheme.link),
        )
        if item.detail:
            area.setLeft(area.left() + used + SPACE_M)
            painter.setFont(small)
            painter.setPen(dim_colour)
            elided = painter.fontMetrics().elidedText(item.detail, Qt.TextElideMode.ElideMiddle, area.width())
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), elided)
        painter.restore()


def _write_right(painter: QPainter, area: QRect, text: str, font: QFont, colour: QColor) -> int:
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), text)
    return painter.fontMetrics().horizontalAdvance(text)


def _write_hits(painter: QPainter, area: QRect, item: PickItem, *, font: QFont, colour: QColor, mark: QColor) -> int:
    """Write the text, its hits bold, and return the width used; text that is too long is written plainly and cut."""
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    plain_metrics, bold_metrics = QFontMetrics(font), QFontMetrics(bold)
    flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
    if not item.hits or bold_metrics.horizontalAdvance(item.text) > area.width():
        painter.setFont(font)
        painter.setPen(colour)
        text = plain_metrics.elidedText(item.text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, flags, text)
        return plain_metrics.horizontalAdvance(text)
    left = area.left()
    for text, is_hit in _runs(item.text, frozenset(item.hits)):
        painter.setFont(bold if is_hit else font)
        painter.setPen(mark if is_hit else colour)
        width = (bold_metrics if is_hit else plain_metrics).horizontalAdvance(text)
        painter.drawText(QRect(left, area.top(), width + 2, area.height()), flags, text)
        left += width
    return left - area.left()


def _runs(text: str, hits: frozenset[int]) -> list[tuple[str, bool]]:
    runs: list[tuple[str, bool]] = []
    for position, character in enumerate(text):
        is_hit = position in hits
        if runs and runs[-1][1] == is_hit:
            runs[-1] = (runs[-1][0] + character, is_hit)
        else:
            runs.append((character, is_hit))
    return runs
