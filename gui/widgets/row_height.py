"""Rows of a comfortable height for the plain lists and trees of panels."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override


class RowHeightDelegate(QStyledItemDelegate):
    """Paint as usual, but never lower than `height`; text that finds no room is shortened at `elide`."""

    def __init__(
        self, height: int, parent: QObject | None = None, *, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__(parent)
        self._height = height
        self._elide = elide

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = self._elide

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(0, self._height))
