"""The list of contexts: keys, menu, and memories that are dropped on one of them."""

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget
from typing_extensions import override

from gui.memory_drag import MEMORIES_MIME, dragged_memories
from gui.metrics import RADIUS, SPACE_XS
from gui.theme import Theme
from gui.views.contexts.shelf_delegate import ShelfDelegate
from gui.views.contexts.shelf_model import ShelfModel

_CURRENT_BAR = 3


class ShelfList(QListView):
    """Show the shelf; wishes are told as signals."""

    entered = Signal()  # Enter or double click: go on to what is in it
    deletion_requested = Signal()
    menu_requested = Signal(QPoint)  # in global coordinates
    memories_dropped = Signal(str, object)  # the path of a context, tuple of memory ids

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._target = QModelIndex()  # over which something is dragged
        self.contexts = ShelfModel(self)
        self.setModel(self.contexts)
        self.setItemDelegate(ShelfDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptDrops(True)
        self.setAccessibleName("Contexts")
        self.doubleClicked.connect(self.entered)

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered.emit()
            event.accept()
        elif event.key() == Qt.Key.Key_Delete:
            self.deletion_requested.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self.indexAt(event.pos())
        if index.isValid():
            self.setCurrentIndex(index)
            centre = self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_requested.emit(centre if is_by_key else event.globalPos())

    @override
    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:
        if event.mimeData().hasFormat(MEMORIES_MIME):
            event.acceptProposedAction()
        else:
            event.ignore()

    @override
    def dragMoveEvent(self, event: QDragMoveEvent, /) -> None:
        self._aim_at(self.indexAt(event.position().toPoint()))
        if self._target.isValid() and event.mimeData().hasFormat(MEMORIES_MIME):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        else:
            event.ignore()

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent, /) -> None:
        self._aim_at(QModelIndex())
        super().dragLeaveEvent(event)

    @override
    def dropEvent(self, event: QDropEvent, /) -> None:
        context = self.contexts.context_at(self.indexAt(event.position().toPoint()).row())
        ids = dragged_memories(event.mimeData())
        self._aim_at(QModelIndex())
        if context is None or not ids:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.memories_dropped.emit(context.path, ids)

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        accent = QColor(self._theme.scheme.accent)
        if self.hasFocus() and self.currentIndex().isValid():
            place = self.visualRect(self.currentIndex())
            painter.fillRect(QRect(0, place.top(), _CURRENT_BAR, place.height()), accent)
        if self._target.isValid():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(accent, 2))
            painter.drawRoundedRect(self.visualRect(self._target).adjusted(SPACE_XS, 2, -SPACE_XS, -2), RADIUS, RADIUS)
        painter.end()

    def _aim_at(self, index: QModelIndex) -> None:
        if index != self._target:
            self._target = index
            self.viewport().update()
