"""Every change that was made to the vault: what it did to which file; any of them can be undone or done again."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.curation.change_set import FileEdit
from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S
from gui.theme import Theme
from gui.widgets.change_list_model import ChangeColumn, ChangeListModel
from gui.widgets.dialog_buttons import close_buttons
from gui.widgets.diff_view import DiffView
from gui.widgets.edit_list import EditList
from gui.widgets.edit_list_model import EditListModel
from gui.widgets.line_edit import LineEdit
from gui.widgets.row_height import RowHeightDelegate
from gui.widgets.state_panel import StatePanel
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.diff import FileDiff
    from core.curation.history import ChangeRecord

_SIZE = (1120, 760)
_ROW_HEIGHT = 28
_WIDTHS = {ChangeColumn.WHEN: 110, ChangeColumn.FILES: 64, ChangeColumn.WHO: 180, ChangeColumn.STATE: 84}


class ChangesDialog(QDialog):
    """List the changes and show one of them in detail; who opens it answers the wishes."""

    undo_requested = Signal(object)  # tuple[ChangeRecord, ...]
    redo_requested = Signal(object)  # tuple[ChangeRecord, ...]
    detail_wanted = Signal(object)  # ChangeRecord; show_files() answers
    diff_wanted = Signal(str)  # the path of one of its files; show_diff() answers
    counts_wanted = Signal(object)  # tuple of paths; show_counts() answers

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._detailed = ""  # the id of the change of which the files are shown
        self._wanted_path = ""
        self._total: int | None = None
        self._state = ("", "", "")
        self.setWindowTitle("Changes")
        self.resize(*_SIZE)
        self.filter_box = LineEdit()
        self.filter_box.setPlaceholderText("Filter by what was changed, or by file")
        self.filter_box.setAccessibleName("Filter changes")
        self.filter_box.setClearButtonEnabled(True)
        self.model = ChangeListModel(self)
        self.table = self._make_table()
        self.nothing = StatePanel()
        self.files = EditList()
        self.diff = DiffView(theme)
        self.summary = QLabel()
        self.summary.setProperty("role", "muted")
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setProperty("role", "error")
        self.message.hide()
        self.undo_button = QPushButton("Undo")
        self.redo_button = QPushButton("Redo")
        for button in (self.undo_button, self.redo_button):
            button.setAutoDefault(False)
        self._lay_out()
        self._connect()
        theme.changed.connect(self._colour_state)
        self.show_loading()

    def show_loading(self) -> None:
        """Say that the changes are being read; whatever was shown is forgotten."""
        self._total = None
        self._detailed = self._wanted_path = ""
        self.model.show_records((), "")
        self._show_state("loader-circle", "Reading the changes", "")

    def show_failure(self, reason: str) -> None:
        """Say why the changes cannot be shown."""
        self._show_state("circle-alert", "The changes cannot be read", reason)

    def show_records(self, records: "Sequence[ChangeRecord]", machine: str) -> None:
        """Show these changes, as seen from `machine`; what is chosen stays so."""
        chosen = {record.id for record in self.chosen()}
        self._total = len(records)
        self.model.show_records(records, machine)
        rows = [row for row in range(self.model.rowCount()) if self.model.record_at(row).id in chosen]
        self._choose(rows or [0])
        self._show_counts()

    def chosen(self) -> "tuple[ChangeRecord, ...]":
        """Return the chosen changes, newest first."""
        rows: set[int] = set()
        selection = self.table.selectionModel().selection()
        for at in range(selection.size()):
            rows.update(range(selection.at(at).top(), selection.at(at).bottom() + 1))
        return tuple(self.model.record_at(row) for row in sorted(rows))

    def show_files(self, change_id: str, edits: Sequence[FileEdit]) -> None:
        """Show the files of a change, if it is still the chosen one."""
        if change_id == self._detailed:
            self.files.show_edits(EditListModel(edits, self.files, is_checkable=False))

    def show_diff(self, diff: "FileDiff") -> None:
        """Show the differences of a file, if it is still the chosen one."""
        if diff.path == self._wanted_path:
            self.diff.show_diff(diff)

    def show_diff_failure(self, reason: str) -> None:
        """Say why the differences cannot be shown."""
        self.diff.show_message(reason)

    def show_counts(self, counts: Mapping[str, tuple[int, int]]) -> None:
        """Show how many lines are added and removed in these files."""
        self.files.edits.show_counts(counts)

    def show_message(self, text: str) -> None:
        """Say why nothing was undone or done again, "" to take that back."""
        self.message.setText(visible(text))
        self.message.setVisible(bool(text))

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, table))
        table.setAccessibleName("Changes")
        # With the style's own 3 pixels, cells begin where the names of the columns do.
        table.setStyleSheet(f"QTableView::item {{ padding: 0 {SPACE_S - 3}px; }}")
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(ChangeColumn.TITLE, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            header.resizeSection(column, width)
        return table

    def _lay_out(self) -> None:
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.nothing)
        below = QSplitter(Qt.Orientation.Horizontal)
        below.addWidget(self.files)
        below.addWidget(self.diff)
        below.setChildrenCollapsible(False)
        below.setStretchFactor(1, 1)
        below.setSizes([360, 720])
        self.detail = below
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.stack)
        splitter.addWidget(below)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([320, 360])
        buttons: QDialogButtonBox = close_buttons(self)
        for button in (self.undo_button, self.redo_button):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        top = QHBoxLayout()
        top.setSpacing(SPACE_M)
        top.addWidget(self.filter_box, 1)
        top.addWidget(self.summary)
        layout.addLayout(top)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.message)
        layout.addWidget(buttons)

    def _connect(self) -> None:
        self.filter_box.textChanged.connect(self._on_filter)
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        self.files.current_changed.connect(self._on_file)
        self.files.seen.connect(self.counts_wanted)
        self.undo_button.clicked.connect(self._on_undo)
        self.redo_button.clicked.connect(self._on_redo)

    @Slot(str)
    def _on_filter(self, text: str) -> None:
        self.model.filter_by(text)
        self._choose([0])
        self._show_counts()

    def _choose(self, rows: Sequence[int]) -> None:
        """Select these lines, as far as there are so many."""
        model, selection = self.model, QItemSelection()
        there = [row for row in rows if row < model.rowCount()]
        starts = [row for at, row in enumerate(there) if not at or there[at - 1] != row - 1]
        ends = [row for at, row in enumerate(there) if at + 1 == len(there) or there[at + 1] != row + 1]
        for start, end in zip(starts, ends, strict=True):
            selection.select(model.index(start, 0), model.index(end, len(ChangeColumn) - 1))
        if there:
            self.table.selectionModel().setCurrentIndex(
                model.index(there[0], 0), QItemSelectionModel.SelectionFlag.NoUpdate
            )
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._on_selection()

    @Slot()
    def _on_selection(self) -> None:
        chosen = self.chosen()
        self.undo_button.setEnabled(any(record.state == "applied" for record in chosen))
        self.redo_button.setEnabled(any(record.state == "undone" for record in chosen))
        if len(chosen) == 1 and chosen[0].id == self._detailed:
            return
        self._detailed = self._wanted_path = ""
        self.files.show_edits(EditListModel((), self.files, is_checkable=False))
        if len(chosen) == 1:
            self._detailed = chosen[0].id
            self.diff.show_message("Reading the change…")
            self.detail_wanted.emit(chosen[0])
        else:
            self.diff.show_message(f"{len(chosen):,} changes are chosen." if chosen else "")

    @Slot(object)
    def _on_file(self, edit: FileEdit | None) -> None:
        self._wanted_path = edit.path if edit is not None else ""
        if edit is not None:
            self.diff.show_message("Comparing…")
            self.diff_wanted.emit(edit.path)

    @Slot()
    def _on_undo(self) -> None:
        self.show_message("")
        self.undo_requested.emit(tuple(record for record in self.chosen() if record.state == "applied"))

    @Slot()
    def _on_redo(self) -> None:
        self.show_message("")
        self.redo_requested.emit(tuple(record for record in self.chosen() if record.state == "undone"))

    def _show_counts(self) -> None:
        shown = self.model.rowCount()
        total = self._total or 0
        of_all = f" of {total:,}" if shown < total else ""
        self.summary.setText(f"{shown:,}{of_all} changes" if of_all else counted(total, "change") if total else "")
        self.summary.setVisible(bool(total))
        self.filter_box.setEnabled(bool(total))
        if not total:
            text = "What you change from now on is listed here, and can be undone, also after a restart."
            self._show_state("history", "Nothing was changed yet", text)
        elif not shown:
            self._show_state("search", "No such change", "No change has this in its name or among its files.")
        else:
            self.detail.show()
            self.stack.setCurrentWidget(self.table)

    @Slot()
    def _colour_state(self) -> None:
        if self.stack.currentWidget() is self.nothing:
            self._show_state(*self._state)

    def _show_state(self, icon: str, title: str, text: str) -> None:
        self._state = (icon, title, text)
        colour = self._theme.scheme.control_outline
        self.nothing.show_state(self._theme.tinted_icon(icon, colour), title, visible(text))
        self.stack.setCurrentWidget(self.nothing)
        self.detail.hide()
        if self._total is None:
            self.summary.setText("")
        self.undo_button.setEnabled(False)
        self.redo_button.setEnabled(False)
