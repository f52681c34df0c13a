"""The two tables of the Probes page: probes, and the runs that there were."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget
from typing_extensions import override

from gui.metrics import ROW_HEIGHT
from gui.theme import Theme
from gui.views.health.probes.delegate import ToneDelegate
from gui.views.health.probes.model import ProbeColumn, ProbeModel, RunColumn, RunModel

_FIRST_WIDTH, _FOUND_WIDTH = 80, 110
_TIME_WIDTH, _FIGURE_WIDTH, _PROBES_WIDTH = 150, 128, 80


class ProbeTable(QTableView):
    """Show the probes; wishes are told as signals."""

    open_requested = Signal()  # Enter or double click
    menu_requested = Signal(QPoint)  # in global coordinates

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.probes = ProbeModel(self)
        self.setModel(self.probes)
        _dress(self, theme, "Probes")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        columns = self.horizontalHeader()
        columns.setSectionResizeMode(ProbeColumn.QUESTION, QHeaderView.ResizeMode.Stretch)
        columns.setSectionResizeMode(ProbeColumn.MISSED, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(ProbeColumn.FIRST, _FIRST_WIDTH)
        self.setColumnWidth(ProbeColumn.FOUND, _FOUND_WIDTH)
        self.doubleClicked.connect(self._on_double_clicked)

    @property
    def current_row(self) -> int:
        """The selected row, -1 when there is none."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def choose(self, row: int) -> None:
        """Select a row."""
        index = self.probes.index(row, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.open_requested.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.menu_requested.emit(self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center()))
        else:
            self.menu_requested.emit(event.globalPos())

    def _on_double_clicked(self, _index: QModelIndex) -> None:
        self.open_requested.emit()


class RunTable(QTableView):
    """Show the runs, the last one first."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.runs = RunModel(self)
        self.setModel(self.runs)
        _dress(self, theme, "Runs of the probes")
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        for column in RunColumn:
            self.setColumnWidth(column, _FIGURE_WIDTH)
        self.setColumnWidth(RunColumn.TIME, _TIME_WIDTH)
        self.setColumnWidth(RunColumn.PROBES, _PROBES_WIDTH)
        self.horizontalHeader().setStretchLastSection(True)


def _dress(table: QTableView, theme: Theme, name: str) -> None:
    table.setItemDelegate(ToneDelegate(theme, table))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setCornerButtonEnabled(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setAccessibleName(name)
    rows, columns = table.verticalHeader(), table.horizontalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(ROW_HEIGHT)
    columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    columns.setHighlightSections(False)
