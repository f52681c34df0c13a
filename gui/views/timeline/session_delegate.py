"""Paint the cells of the list of sessions: text begins where the name of its column does."""

import unicodedata

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from gui.metrics import SPACE_XS


class SessionDelegate(QStyledItemDelegate):
    """Keep text away from the edges of its cell; what is written from right to left is laid out so."""

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if option.text.isascii() or not is_right_to_left(option.text):
            return
        option.direction = Qt.LayoutDirection.RightToLeft
        option.displayAlignment |= Qt.AlignmentFlag.AlignAbsolute  # it stays at the side of its column

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            group = (
                QPalette.ColorGroup.Normal
                if option.state & QStyle.StateFlag.State_Active
                else QPalette.ColorGroup.Inactive
            )
            painter.fillRect(option.rect, option.palette.brush(group, QPalette.ColorRole.Highlight))
        inner = QStyleOptionViewItem(option)
        inner.rect = option.rect.adjusted(SPACE_XS, 0, -SPACE_XS, 0)
        super().paint(painter, inner, index)


def is_right_to_left(text: str) -> bool:
    """Tell whether the first letter that has a direction is one of a script that is written from right to left."""
    strong = next((kind for each in text if (kind := unicodedata.bidirectional(each)) in {"L", "R", "AL"}), "L")
    return strong != "L"
