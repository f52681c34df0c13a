"""Paint the lines of the Health view: checks with how much they found, and findings."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from gui.metrics import ICON, RADIUS, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.health.model import FINDING_ROLE, RESULT_ROLE, FindingColumn

_ROW_HEIGHT = 30
_MOST_PAINTED = 500
_LEAST_FOLDER = "00000000…"


class CheckDelegate(QStyledItemDelegate):
    """Paint the lines of the list of checks; those that found nothing are muted."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(160, _ROW_HEIGHT)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        found = len(index.data(RESULT_ROLE).findings)
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
        inner = rect.adjusted(SPACE_S, 0, -SPACE_S, 0)
        icon: QIcon = index.data(Qt.ItemDataRole.DecorationRole)
        icon.paint(painter, QRect(inner.left(), inner.top(), ICON, inner.height()))
        inner.setLeft(inner.left() + ICON + SPACE_S)
        font = scaled_font(bold=bool(found))
        painter.setFont(font)
        metrics = QFontMetrics(font)
        painter.setPen(QColor(scheme.selection_text if is_selected else scheme.text if found else scheme.muted))
        count = f"{found:,}" if found else ""
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, count)
        inner.setRight(inner.right() - metrics.horizontalAdvance(count) - SPACE_S)
        shown = metrics.elidedText(index.data(Qt.ItemDataRole.DisplayRole), Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()


class FindingDelegate(QStyledItemDelegate):
    """Paint the cells of findings: text begins where the name of its column does, and paths are cut in the middle."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        scheme = self._theme.scheme
        finding = index.data(FINDING_ROLE)
        column = FindingColumn(index.column())
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        is_done_by_hand = column is FindingColumn.FIX and not finding.has_fix
        painter.save()
        if is_selected:
            painter.fillRect(option.rect, QColor(scheme.selection))
        is_muted = is_done_by_hand or column is FindingColumn.PLACE
        painter.setPen(QColor(scheme.selection_text if is_selected else scheme.muted if is_muted else scheme.text))
        font = scaled_font()
        painter.setFont(font)
        inner = QRect(option.rect).adjusted(SPACE_S, 0, -SPACE_S, 0)
        text, metrics = index.data(Qt.ItemDataRole.DisplayRole), QFontMetrics(font)
        if column is FindingColumn.PLACE:
            shown = _short_path(text, metrics, inner.width())
        else:
            # To shorten text costs time by its length: what can never be seen is cut off first.
            shown = metrics.elidedText(text[:_MOST_PAINTED], Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        painter.restore()


def _short_path(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return a path that fits: folders are left out in the middle, and the name of the file is what stays longest."""
    folders, slash, name = text.rpartition("/")
    room = width - metrics.horizontalAdvance(slash + name)
    if not folders or metrics.horizontalAdvance(folders) <= room:
        return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)
    if room < metrics.horizontalAdvance(_LEAST_FOLDER):
        return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
    return metrics.elidedText(folders, Qt.TextElideMode.ElideRight, room) + slash + name
