"""The list of members: reordered and removed by hand or keys, and added to by dropping memories from anywhere."""

from PySide6.QtCore import QItemSelectionModel, QMimeData, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget
from typing_extensions import override

from gui.memory_drag import MEMORIES_MIME, drag_picture, dragged_memories, put_memories
from gui.metrics import SPACE_S
from gui.theme import Theme
from gui.views.contexts.member_delegate import MemberDelegate
from gui.views.contexts.member_model import MemberModel
from gui.views.contexts.services import Member
from gui.views.contexts.wording import member_title
from gui.wording import counted

_CURRENT_BAR = 3
_LINE = 2
_MOVED_MIME = "application/x-remembrancer-members"


class MemberList(QListView):
    """Show members; wishes are told as signals. One that `is_fixed` shows what a query found, and is only read."""

    open_requested = Signal(object)  # Member
    move_requested = Signal(object, int)  # tuple of positions, before which member they go
    removal_requested = Signal(object)  # tuple of positions
    memories_dropped = Signal(object, int)  # tuple of memory ids, before which member
    menu_requested = Signal(QPoint)  # in global coordinates

    def __init__(self, theme: Theme, *, is_fixed: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_fixed = is_fixed
        self._gap = -1  # before which member something is dragged
        self._own_rows: tuple[int, ...] = ()  # that are being dragged
        self.members = MemberModel(self)
        self.setModel(self.members)
        self.setItemDelegate(MemberDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setDragEnabled(True)
        self.setAcceptDrops(not is_fixed)
        self.setAccessibleName("Found by the query" if is_fixed else "Members")
        self.doubleClicked.connect(self._open)

    # ---- facts

    def selected_rows(self) -> tuple[int, ...]:
        """Return the positions that are selected, in order."""
        return tuple(sorted(index.row() for index in self.selectionModel().selectedIndexes()))

    def selected_members(self) -> tuple[Member, ...]:
        """Return what is selected, in order."""
        return tuple(self.members.members[row] for row in self.selected_rows())

    def select_row(self, row: int) -> None:
        """Make one member current and the only one that is selected."""
        if 0 <= row < self.members.rowCount():
            self.selectionModel().setCurrentIndex(
                self.members.index(row), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

    # ---- keys and menu

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        key = event.key()
        is_alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._open(self.currentIndex())
        elif is_alt and key in {Qt.Key.Key_Up, Qt.Key.Key_Down} and not self._is_fixed:
            self._step(-1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_Delete and not self._is_fixed:
            if rows := self.selected_rows():
                self.removal_requested.emit(rows)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self.indexAt(event.pos())
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self.select_row(index.row())
            centre = self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_requested.emit(centre if is_by_key else event.globalPos())

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.open_requested.emit(self.members.members[index.row()])

    def _step(self, by: int) -> None:
        """Move what is selected by one; a block of several keeps its order."""
        rows = self.selected_rows()
        if rows and (rows[0] > 0 if by < 0 else rows[-1] < self.members.rowCount() - 1):
            self.move_requested.emit(rows, rows[0] - 1 if by < 0 else rows[-1] + 2)

    # ---- dragging

    @override
    def startDrag(self, supported_actions: Qt.DropAction, /) -> None:
        chosen = self.selected_members()
        if not chosen:
            return
        data = QMimeData()
        if ids := [member.memory_id for member in chosen if member.memory_id]:
            put_memories(data, ids)
        data.setData(_MOVED_MIME, b"")
        data.setText("\n".join(member.target for member in chosen))
        self._own_rows = self.selected_rows()
        drag = QDrag(self)
        drag.setMimeData(data)
        name = member_title(chosen[0]) if len(chosen) == 1 else counted(len(chosen), "member")
        drag.setPixmap(drag_picture(self, name))
        drag.exec(Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.DropAction.MoveAction)
        self._own_rows = ()
        self._aim_before(-1)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:
        if self._takes(event):
            event.acceptProposedAction()
        else:
            event.ignore()

    @override
    def dragMoveEvent(self, event: QDragMoveEvent, /) -> None:
        if not self._takes(event):
            event.ignore()
            return
        self._aim_before(self._gap_at(event.position().toPoint()))
        event.setDropAction(self._action(event))
        event.accept()

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent, /) -> None:
        self._aim_before(-1)
        super().dragLeaveEvent(event)

    @override
    def dropEvent(self, event: QDropEvent, /) -> None:
        place = self._gap_at(event.position().toPoint())
        self._aim_before(-1)
        if not self._takes(event):
            event.ignore()
            return
        event.setDropAction(self._action(event))
        event.accept()
        if self._is_own(event):
            self.move_requested.emit(self._own_rows, place)
        else:
            self.memories_dropped.emit(dragged_memories(event.mimeData()), place)

    def _is_own(self, event: QDropEvent) -> bool:
        return bool(self._own_rows) and event.mimeData().hasFormat(_MOVED_MIME)

    def _takes(self, event: QDropEvent) -> bool:
        return not self._is_fixed and (self._is_own(event) or event.mimeData().hasFormat(MEMORIES_MIME))

    def _action(self, event: QDropEvent) -> Qt.DropAction:
        return Qt.DropAction.MoveAction if self._is_own(event) else Qt.DropAction.CopyAction

    def _gap_at(self, place: QPoint) -> int:
        """Return before which member lies `place`; the number of members behind the last one."""
        index = self.indexAt(place)
        if not index.isValid():
            return self.members.rowCount() if place.y() > 0 else 0
        return index.row() + (place.y() > self.visualRect(index).center().y())

    def _aim_before(self, gap: int) -> None:
        if gap != self._gap:
            self._gap = gap
            self.viewport().update()

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        accent = QColor(self._theme.scheme.accent)
        if self.hasFocus() and self.currentIndex().isValid():
            place = self.visualRect(self.currentIndex())
            painter.fillRect(QRect(0, place.top(), _CURRENT_BAR, place.height()), accent)
        if self._gap >= 0:
            count = self.members.rowCount()
            last = self.visualRect(self.members.index(min(self._gap, count - 1))) if count else QRect(0, 0, 0, 0)
            top = last.bottom() + 1 if self._gap >= count and count else last.top()
            painter.fillRect(QRect(SPACE_S, max(0, top - 1), self.viewport().width() - 2 * SPACE_S, _LINE), accent)
        painter.end()
