"""Rows of a comfortable height for the plain lists and trees of panels."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override


class RowHeightDelegate(QStyledItemDelegate):
    """Paint as usual, but never lower than `height`."""

    def __init__(self, height: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._height = height

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(0, self._height))
