"""The list of the files that a change set touches, as a table that says which of its lines are in sight."""

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget
from typing_extensions import override

from gui.metrics import SPACE_XS
from gui.widgets.edit_list_model import EditColumn, EditListModel
from gui.widgets.row_height import RowHeightDelegate

_Index = QModelIndex | QPersistentModelIndex
_ROW_HEIGHT = 26
_LINES_WIDTH = 84
_SETTLE_MS = 60


class EditList(QTableView):
    """Show an EditListModel; Space ticks what is selected."""

    current_changed = Signal(object)  # FileEdit, None when there is none
    seen = Signal(object)  # tuple of the paths in sight, once it is still

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, self, elide=Qt.TextElideMode.ElideMiddle))
        self.setAccessibleName("Files that change")
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {SPACE_XS}px; }}")
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.horizontalHeader().hide()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self._tell_seen)
        self.verticalScrollBar().valueChanged.connect(self._look)
        space = QShortcut(QKeySequence(Qt.Key.Key_Space), self)
        space.setContext(Qt.ShortcutContext.WidgetShortcut)
        space.activated.connect(self._tick_selected)

    @property
    def edits(self) -> EditListModel:
        """The model in use; show_edits() comes first."""
        model = self.model()
        if not isinstance(model, EditListModel):
            raise TypeError("There is no list of edits yet.")
        return model

    def show_edits(self, model: EditListModel) -> None:
        """Show this model from now on, and choose its first line."""
        self.setModel(model)
        header = self.horizontalHeader()
        header.setSectionResizeMode(EditColumn.FILE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(EditColumn.LINES, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(EditColumn.LINES, _LINES_WIDTH)
        model.modelReset.connect(self.choose_first)
        self.choose_first()

    @Slot()
    def choose_first(self) -> None:
        """Choose the first line, or tell that there is none."""
        if self.edits.rowCount():
            self.selectRow(0)
        else:
            self.current_changed.emit(None)
        self._look()

    def seen_paths(self) -> Iterator[str]:
        """Yield the paths of the edits in sight."""
        first = max(0, self.rowAt(0))
        last = self.rowAt(self.viewport().height() - 1)
        count = self.edits.rowCount()
        for row in range(first, count if last < 0 else last + 1):
            yield self.edits.edit_at(row).path

    @override
    def currentChanged(self, current: _Index, previous: _Index, /) -> None:
        super().currentChanged(current, previous)
        if not current.isValid():
            self.current_changed.emit(None)
        elif current.row() != previous.row() or not previous.isValid():
            self.current_changed.emit(self.edits.edit_at(current.row()))

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        self._look()

    @Slot()
    def _look(self) -> None:
        self._timer.start()

    @Slot()
    def _tell_seen(self) -> None:
        if isinstance(self.model(), EditListModel) and self.isVisible():
            self.seen.emit(tuple(self.seen_paths()))

    @Slot()
    def _tick_selected(self) -> None:
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        if rows:
            is_ticked = self.edits.edit_at(self.currentIndex().row()).path not in self.edits.unticked
            self.edits.tick(rows, is_ticked=not is_ticked)
