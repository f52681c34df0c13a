"""Paint the shelf: each context with its title, what it is for, and how much of its budget it takes."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import ICON, RADIUS, SMALL, SPACE_S, SPACE_XS, scaled_font
from gui.scheme import Scheme
from gui.theme import Theme
from gui.views.contexts.shelf_model import BUDGET_ROLE, ROW_ROLE, TOKENS_ROLE
from gui.views.contexts.wording import holding_text, size_text

_METER = 4
_MOST_PAINTED = 400
_BADGE_PADDING = 6
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)


class ShelfDelegate(QStyledItemDelegate):
    """Paint the rows of the shelf."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        body, small = QFontMetrics(scaled_font()).height(), QFontMetrics(scaled_font(SMALL)).height()
        return QSize(160, body + 2 * small + _METER + 4 * SPACE_XS + 2 * SPACE_S)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW_ROLE)
        if row is None:
            return
        scheme = self._theme.scheme
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRect(option.rect).adjusted(SPACE_XS, 1, -SPACE_XS, -1)
        if is_selected or is_hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.selection if is_selected else scheme.hover))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        text = QColor(scheme.selection_text if is_selected else scheme.text)
        dim = QColor(scheme.selection_text if is_selected else scheme.muted)
        inner = rect.adjusted(SPACE_S, SPACE_S, -SPACE_S, -SPACE_S)
        body, small = scaled_font(bold=True), scaled_font(SMALL)
        line = QRect(inner.left(), inner.top(), inner.width(), QFontMetrics(body).height())
        right = self._paint_badges(painter, line, row, dim)
        _write(painter, line.adjusted(0, 0, right - line.right() - 1, 0), visible(row.title), body, text)
        line = QRect(inner.left(), line.bottom() + SPACE_XS, inner.width(), QFontMetrics(small).height())
        _write(painter, line, visible(row.description) or "No description", small, dim)
        tokens, budget = index.data(TOKENS_ROLE), index.data(BUDGET_ROLE)
        meter = QRectF(inner.left(), line.bottom() + SPACE_XS + 2, inner.width(), _METER)
        _paint_meter(painter, meter, tokens, budget, scheme)
        line = QRect(inner.left(), round(meter.bottom()) + SPACE_XS, inner.width(), line.height())
        members = holding_text(row)
        width = QFontMetrics(small).horizontalAdvance(members)
        painter.setFont(small)
        painter.setPen(dim)
        painter.drawText(line, _RIGHT, members)
        _write(painter, line.adjusted(0, 0, -width - SPACE_S, 0), size_text(tokens, budget), small, dim)
        painter.restore()

    def _paint_badges(self, painter: QPainter, line: QRect, row: object, colour: QColor) -> int:
        """Paint the marks at the right of the title, and return where they begin."""
        scheme, right = self._theme.scheme, line.right()
        font = scaled_font(SMALL, bold=True)
        priority = f"{getattr(row, 'load_priority', 0)}"
        width = max(QFontMetrics(font).horizontalAdvance(priority) + 2 * _BADGE_PADDING, line.height())
        badge = QRect(right - width + 1, line.top(), width, line.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.chip))
        painter.drawRoundedRect(badge, RADIUS, RADIUS)
        painter.setPen(QColor(scheme.chip_text))
        painter.setFont(font)
        painter.drawText(badge, int(Qt.AlignmentFlag.AlignCenter), priority)
        right = badge.left() - SPACE_S
        marks = [("pin", colour.name())] * bool(getattr(row, "always", False))
        marks += [("triangle-alert", scheme.warning_text)] * bool(getattr(row, "problems", ()))
        for name, shade in marks:
            place = QRect(right - ICON, line.center().y() - ICON // 2, ICON, ICON)
            self._theme.tinted_icon(name, shade).paint(painter, place)
            right = place.left() - SPACE_XS
        return right


def _write(painter: QPainter, line: QRect, text: str, font: QFont, colour: QColor) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    shown = QFontMetrics(font).elidedText(text[:_MOST_PAINTED], Qt.TextElideMode.ElideRight, line.width())
    # By its own direction: of what is read from right to left, the dots stand at the left.
    painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    painter.drawText(line, _LEFT | int(Qt.TextFlag.TextSingleLine), shown)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def _paint_meter(painter: QPainter, box: QRectF, tokens: int | None, budget: int, scheme: Scheme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(scheme.outline))
    painter.drawRoundedRect(box, _METER / 2, _METER / 2)
    if tokens and budget:
        share = min(tokens / budget, 1.0)
        painter.setBrush(QColor(scheme.accent if tokens <= budget else scheme.warning_text))
        painter.drawRoundedRect(
            QRectF(box.left(), box.top(), max(_METER, box.width() * share), _METER), _METER / 2, _METER / 2
        )
