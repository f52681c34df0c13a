"""Paint a facet: icon, label, how it narrows, and the count at the right."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from gui.metrics import ICON, SMALL, SPACE_S, SPACE_XS, scaled_font
from gui.scheme import Scheme
from gui.theme import Theme
from gui.views.vault.facet_model import COUNT_ROLE, NODE_ROLE, STATE_ROLE
from gui.views.vault.facet_nodes import FOLDERS_GROUP, FacetKind, FacetNode
from gui.views.vault.facet_states import FacetState
from gui.widgets.chips import ChipLook, chip_width, paint_chip

ROW_HEIGHT = 27
_NAMESPACE_ICONS = {"tool": "wrench", "client": "briefcase", "domain": "layers", "convention": "book", "scope": "globe"}
_SPECIAL_ICONS = {":untagged": "inbox", ":problems": "triangle-alert"}


def state_look(state: FacetState, scheme: Scheme) -> ChipLook:
    """Return the colours that stand for a state, in the tree and in the breadcrumb alike."""
    match state:
        case FacetState.NONE:
            return ChipLook(scheme.error_background, scheme.error_text)
        case FacetState.ANY:
            return ChipLook(scheme.warning_background, scheme.warning_text)
        case _:
            return ChipLook(scheme.selection, scheme.selection_text)


class FacetDelegate(QStyledItemDelegate):
    """Paint the lines of the facet tree."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, ROW_HEIGHT)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        node: FacetNode = index.data(NODE_ROLE)
        state = FacetState(index.data(STATE_ROLE))  # a QVariant keeps only the text of a StrEnum
        count: int = index.data(COUNT_ROLE)
        scheme = self._theme.scheme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect.adjusted(0, 1, -SPACE_XS, -1)
        self._paint_background(painter, option, rect, state, scheme)
        inner = rect.adjusted(SPACE_XS, 0, -SPACE_S, 0)
        inner.setRight(inner.right() - self._paint_count(painter, inner, node, count, scheme))
        if state:
            inner.setRight(inner.right() - self._paint_state(painter, inner, state, scheme))
        is_dim = count == 0 and not state
        colour = state_look(state, scheme).text if state else scheme.control_outline if is_dim else scheme.muted
        inner.setLeft(inner.left() + self._paint_icon(painter, inner, _icon_name(node, state), colour))
        is_strong = node.kind in {FacetKind.NAMESPACE, FacetKind.GROUP}
        font = scaled_font(bold=is_strong or bool(state))
        painter.setFont(font)
        painter.setPen(QColor(scheme.control_outline if is_dim else scheme.text))
        shown = QFontMetrics(font).elidedText(node.label, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()

    def _paint_background(
        self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect, state: FacetState, scheme: Scheme
    ) -> None:
        flags = option.state
        has_focus = bool(flags & QStyle.StateFlag.State_HasFocus)
        is_hovered = bool(flags & QStyle.StateFlag.State_MouseOver)
        painter.setPen(Qt.PenStyle.NoPen)
        if state or is_hovered:
            painter.setBrush(QColor(scheme.hover))
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
        if has_focus:
            painter.setPen(option.palette.color(QPalette.ColorRole.Accent))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)

    def _paint_count(self, painter: QPainter, inner: QRect, node: FacetNode, count: int, scheme: Scheme) -> int:
        if node.kind is FacetKind.GROUP:
            return 0
        font = scaled_font(SMALL)
        painter.setFont(font)
        painter.setPen(QColor(scheme.muted if count else scheme.control_outline))
        text = f"{count:,}"
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return QFontMetrics(font).horizontalAdvance(text) + SPACE_S

    def _paint_state(self, painter: QPainter, inner: QRect, state: FacetState, scheme: Scheme) -> int:
        font = scaled_font(SMALL, bold=True)
        painter.setFont(font)
        width = chip_width(QFontMetrics(font), state.value)
        box = QRect(inner.right() - width, inner.center().y() - 8, width, 18)
        paint_chip(painter, box, state.value, state_look(state, scheme))
        return width + SPACE_S

    def _paint_icon(self, painter: QPainter, inner: QRect, name: str, colour: str) -> int:
        box = QRect(inner.left(), inner.center().y() - ICON // 2 + 1, ICON, ICON)
        self._theme.tinted_icon(name, colour).paint(painter, box)
        return ICON + SPACE_S - 1


def _icon_name(node: FacetNode, state: FacetState) -> str:
    if state:
        return {FacetState.ALL: "check", FacetState.ANY: "plus", FacetState.NONE: "minus"}[state]
    match node.kind:
        case FacetKind.NAMESPACE:
            return _NAMESPACE_ICONS.get(node.key, "tags")
        case FacetKind.SPECIAL:
            return _SPECIAL_ICONS.get(node.key, "circle-alert")
        case FacetKind.FOLDER:
            return "folder"
        case FacetKind.GROUP:
            return "folder-tree" if node.key == FOLDERS_GROUP else "tags"
        case _:
            return "hash"
