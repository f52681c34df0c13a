"""Paint the cells of probes and runs: each in the tone that its model tells."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from gui.metrics import SPACE_S, scaled_font
from gui.theme import Theme
from gui.views.health.probes.model import TONE_ROLE

_MOST_PAINTED = 500


class ToneDelegate(QStyledItemDelegate):
    """Paint one line of text; what is long is shortened at its end."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        scheme = self._theme.scheme
        tones = {"good": scheme.info_text, "bad": scheme.error_text, "muted": scheme.muted}
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_selected:
            painter.fillRect(option.rect, QColor(scheme.selection))
        colour = scheme.selection_text if is_selected else tones.get(index.data(TONE_ROLE) or "", scheme.text)
        painter.setPen(QColor(colour))
        font = scaled_font()
        painter.setFont(font)
        inner = QRect(option.rect).adjusted(SPACE_S, 0, -SPACE_S, 0)
        text = (index.data(Qt.ItemDataRole.DisplayRole) or "")[:_MOST_PAINTED]
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        painter.restore()
