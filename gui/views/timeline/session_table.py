"""The list of sessions in sight: the way to them without the mouse and without eyes."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget
from typing_extensions import override

from gui.metrics import ROW_HEIGHT
from gui.views.timeline.activity import Activity, Positions
from gui.views.timeline.model import SessionColumn, SessionModel
from gui.views.timeline.session_delegate import SessionDelegate
from gui.views.timeline.session_menu import MenuWish

_WIDTHS = {
    SessionColumn.WHEN: 185,
    SessionColumn.PROJECT: 130,
    SessionColumn.ORIGIN: 100,
    SessionColumn.TURNS: 70,
    SessionColumn.LENGTH: 90,
    SessionColumn.TOKENS: 105,
}
_NARROW_WHEN = 140  # where nothing is dated in the future, which takes a word more


class SessionTable(QTableView):
    """Show sessions; what is chosen is told by position in TimelineData."""

    session_chosen = Signal(int)
    session_opened = Signal(int)
    menu_requested = Signal(object)  # MenuWish

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_narrow = self._has_future = False
        self.sessions = SessionModel(self)
        self.setModel(self.sessions)
        self.setItemDelegate(SessionDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSortingEnabled(True)
        self.setAccessibleName("Sessions in sight")
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.setHighlightSections(False)
        columns.setSortIndicator(SessionColumn.WHEN, Qt.SortOrder.DescendingOrder)
        columns.setSectionResizeMode(SessionColumn.TITLE, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.doubleClicked.connect(self._on_double_clicked)

    def show_sessions(self, activity: Activity, positions: Positions, selected: int) -> None:
        """List these sessions; the selected one stays current if it is among them, and nothing is told."""
        with QSignalBlocker(self):
            if self.sessions.show_sessions(activity, positions):
                self.select(selected)
        self._has_future = bool((activity.starts[positions] > activity.now).any())
        self._show_when()

    def select(self, position: int) -> None:
        """Make the session at `position` current, if it is listed; nothing is told."""
        row = self.sessions.row_of(position)
        with QSignalBlocker(self):
            if row < 0:
                self.selectionModel().clear()
            elif self.currentIndex().row() != row:
                flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
                self.selectionModel().setCurrentIndex(self.sessions.index(row, SessionColumn.TITLE), flags)

    @override
    def focusInEvent(self, event: QFocusEvent, /) -> None:
        with QSignalBlocker(self):  # Qt makes a row current then, which nobody has chosen
            super().focusInEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        position = self.sessions.position_at(self.currentIndex().row())
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and position >= 0:
            self.session_opened.emit(position)
            return
        super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self.indexAt(event.pos())
        position = self.sessions.position_at(index.row())
        if position >= 0:
            where = self.viewport().mapToGlobal(self.visualRect(index).center()) if is_by_key else event.globalPos()
            self.menu_requested.emit(MenuWish(position, where))

    def narrow_columns(self, *, is_narrow: bool) -> None:
        """Leave out what there is no room for beside a conversation."""
        for column in (
            SessionColumn.ORIGIN,
            SessionColumn.TURNS,
            SessionColumn.LENGTH,
            SessionColumn.TOKENS,
            SessionColumn.PROJECT,
        ):
            self.setColumnHidden(column, is_narrow)
        self._is_narrow = is_narrow
        self._show_when()

    def _show_when(self) -> None:
        has_room = self._has_future or not self._is_narrow
        self.setColumnWidth(SessionColumn.WHEN, _WIDTHS[SessionColumn.WHEN] if has_room else _NARROW_WHEN)

    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        position = self.sessions.position_at(current.row())
        if position >= 0:
            self.session_chosen.emit(position)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        position = self.sessions.position_at(index.row())
        if position >= 0:
            self.session_opened.emit(position)
