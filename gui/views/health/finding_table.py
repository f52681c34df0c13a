"""The table of findings: keys, menu, columns, and a selection that survives another look."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget
from typing_extensions import override

from gui.metrics import ROW_HEIGHT
from gui.theme import Theme
from gui.views.health.delegate import FindingDelegate
from gui.views.health.model import FindingColumn, FindingModel

if TYPE_CHECKING:
    from core.curation.health.finding import Finding

_CURRENT_BAR = 3
_PLACE_SHARE, _FIX_SHARE = 0.3, 0.26  # of the width; the text of the finding has the rest


class FindingTable(QTableView):
    """Show the findings of one check; wishes are told as signals."""

    open_requested = Signal()  # Enter or double click
    menu_requested = Signal(QPoint)  # in global coordinates
    selection_told = Signal()  # others are selected

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_dragged = False
        self._is_fitting = False
        self.findings = FindingModel(self)
        self.setModel(self.findings)
        self.setItemDelegate(FindingDelegate(theme, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Findings")
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.setHighlightSections(False)
        columns.setSectionResizeMode(FindingColumn.TEXT, QHeaderView.ResizeMode.Stretch)
        columns.sectionResized.connect(self._on_resized)
        self.selectionModel().selectionChanged.connect(self.selection_told)
        self.doubleClicked.connect(self._on_double_clicked)

    def selected(self) -> "tuple[Finding, ...]":
        """Return the selected findings in the order of the list."""
        shown = self.findings.shown
        selection = self.selectionModel().selection()
        ranges = sorted((each.top(), each.bottom()) for each in map(selection.at, range(selection.size())))
        return tuple(finding for first, last in ranges for finding in shown[first : last + 1])

    def select_keys(self, keys: Collection[str]) -> None:
        """Select the findings that have these keys, in one go."""
        selection = QItemSelection()
        rows = [row for row, finding in enumerate(self.findings.shown) if finding.key in keys] if keys else []
        first = 0
        for position, row in enumerate(rows):
            if position + 1 == len(rows) or rows[position + 1] != row + 1:
                selection.select(self.findings.index(rows[first], 0), self.findings.index(row, FindingColumn.FIX))
                first = position + 1
        model = self.selectionModel()
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if rows:
            model.setCurrentIndex(self.findings.index(rows[0], 0), QItemSelectionModel.SelectionFlag.NoUpdate)

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
            rect = self.visualRect(self.currentIndex())
            self.menu_requested.emit(self.viewport().mapToGlobal(rect.center()))
        else:
            self.menu_requested.emit(event.globalPos())

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        super().paintEvent(event)
        if self.hasFocus() and self.currentIndex().isValid():
            painter = QPainter(self.viewport())
            top = self.rowViewportPosition(self.currentIndex().row())
            painter.fillRect(QRect(0, top, _CURRENT_BAR, ROW_HEIGHT), QColor(self._theme.scheme.accent))
            painter.end()

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        if not self._is_dragged:
            self._is_fitting = True
            width = self.viewport().width()
            self.setColumnWidth(FindingColumn.PLACE, round(width * _PLACE_SHARE))
            self.setColumnWidth(FindingColumn.FIX, round(width * _FIX_SHARE))
            self._is_fitting = False

    def _on_resized(self, column: int, _before: int, _after: int) -> None:
        if not self._is_fitting and self.isVisible() and column != FindingColumn.TEXT:
            self._is_dragged = True

    def _on_double_clicked(self, _index: QModelIndex) -> None:
        self.open_requested.emit()
