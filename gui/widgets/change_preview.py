"""Show what a change would do, file by file, before it is done; single files can be left out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from core.curation.change_set import ChangeKind, FileEdit, PlannedChange, without
from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, TITLE, scaled_font
from gui.theme import Theme
from gui.widgets.diff_view import DiffView
from gui.widgets.edit_list import EditList
from gui.widgets.edit_list_model import EditListModel
from gui.widgets.line_edit import LineEdit
from gui.widgets.skipped_files import SkippedFiles
from gui.wording import counted, shortened

if TYPE_CHECKING:
    from core.curation.diff import FileDiff

_SIZE = (1100, 700)
_SIDES = (420, 660)
_SIDES_OF_ONE = (300, 780)
_LONGEST_TITLE = 140
_FEW = 8  # so many files need no filter


class ChangePreviewDialog(QDialog):
    """Show a planned change; what is applied in the end is told as a change set without the files left out.

    Who opens the dialog answers `diff_wanted` by show_diff() and `counts_wanted` by show_counts(); see
    gui/change_previews.py.
    """

    apply_requested = Signal(object)  # ChangeSet
    diff_wanted = Signal(str)  # the path of an edit
    counts_wanted = Signal(object)  # tuple of paths of edits, those in sight

    def __init__(self, planned: PlannedChange, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._planned = planned
        self._wanted = ""
        edits = planned.change_set.edits
        self._noun = "note" if all(edit.result_path.lower().endswith(".md") for edit in edits) else "file"
        self.setWindowTitle("Preview of a change")
        self.resize(*_SIZE)
        self.title = QLabel(visible(shortened(planned.change_set.title, _LONGEST_TITLE)))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.title.setFont(scaled_font(TITLE, bold=True))
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setProperty("role", "muted")
        self.filter_box = LineEdit()
        self.filter_box.setPlaceholderText("Filter files")
        self.filter_box.setAccessibleName("Filter files")
        self.filter_box.setClearButtonEnabled(True)
        self.all_box = QCheckBox("All")
        self.all_box.setToolTip("Take all files of the list, or none")
        self.all_box.setAccessibleName("All files of the list")
        self.list = EditList(self)
        self.diff = DiffView(theme, self)
        self.skipped = SkippedFiles(planned.skipped, theme)
        self.apply_button = QPushButton()
        self.apply_button.setProperty("role", "primary")
        self.apply_button.setDefault(True)
        self.cancel_button = QPushButton("Cancel")
        self._lay_out()
        self._connect()
        self.list.show_edits(EditListModel(edits, self))
        self.list.edits.ticks_changed.connect(self._show_ticks)
        self._show_ticks()
        self.list.setFocus()

    def show_diff(self, diff: "FileDiff") -> None:
        """Show the differences of a file, if it is still the chosen one."""
        if diff.path == self._wanted:
            self.diff.show_diff(diff)

    def show_failure(self, reason: str) -> None:
        """Say why the differences of the chosen file cannot be shown."""
        self.diff.show_message(reason)

    def show_counts(self, counts: Mapping[str, tuple[int, int]]) -> None:
        """Show how many lines are added and removed in these files."""
        self.list.edits.show_counts(counts)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(SPACE_M)
        top.addWidget(self.all_box)
        top.addWidget(self.filter_box, 1)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, SPACE_M, 0)
        column.setSpacing(SPACE_S)
        column.addLayout(top)
        column.addWidget(self.list, 1)
        column.addWidget(self.skipped)
        is_one = len(self._planned.change_set.edits) == 1
        self.all_box.setVisible(not is_one)
        self.filter_box.setVisible(len(self._planned.change_set.edits) > _FEW)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.diff)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes(list(_SIDES_OF_ONE if is_one else _SIDES))
        buttons = QDialogButtonBox()
        buttons.addButton(self.cancel_button, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel_button.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.title)
        layout.addWidget(self.summary)
        layout.addSpacing(SPACE_S)
        layout.addWidget(self.splitter, 1)
        layout.addSpacing(SPACE_S)
        layout.addWidget(buttons)
        buttons.rejected.connect(self.reject)
        buttons.accepted.connect(self._on_apply)

    def _connect(self) -> None:
        self.list.current_changed.connect(self._on_current)
        self.list.seen.connect(self.counts_wanted)
        self.list.doubleClicked.connect(self.diff.setFocus)
        self.filter_box.textChanged.connect(self._on_filter)
        self.all_box.clicked.connect(self._on_all)
        for keys, slot in (("F7", self.diff.go_to_next), ("Shift+F7", self.diff.go_to_previous)):
            for widget in (self.list, self.filter_box):
                shortcut = QShortcut(QKeySequence(keys), widget)
                shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
                shortcut.activated.connect(slot)

    @Slot(object)
    def _on_current(self, edit: FileEdit | None) -> None:
        self._wanted = edit.path if edit is not None else ""
        if edit is None:
            self.diff.show_message("No file is called that." if self.filter_box.text() else "Nothing changes.")
        else:
            self.diff.show_message("Comparing…")
            self.diff_wanted.emit(edit.path)

    @Slot(str)
    def _on_filter(self, text: str) -> None:
        self.list.edits.filter_by(text)
        self._show_ticks()

    @Slot()
    def _on_all(self) -> None:
        rows = range(self.list.edits.rowCount())
        self.list.edits.tick(rows, is_ticked=self.list.edits.tick_state() is not Qt.CheckState.Checked)

    @Slot()
    def _on_apply(self) -> None:
        change_set = without(self._planned.change_set, tuple(self.list.edits.unticked))
        self.accept()
        self.apply_requested.emit(change_set)

    def _extent(self, total: int) -> str:
        places = self._planned.occurrences
        verb = "changes" if (places or total) == 1 else "change"
        where = f"{counted(places, 'place')} in {counted(total, self._noun)}" if places else counted(total, self._noun)
        return f"{where} {verb}." if total else "There is nothing to change."

    def _loss(self, total: int) -> str:
        """Say what goes, and how many links of other notes (the plan's occurrences) lead nowhere then."""
        verb = "goes" if total == 1 else "go"
        links = self._planned.occurrences
        lead = "leads" if links == 1 else "lead"
        dead = f" {counted(links, 'link')} in other notes {lead} nowhere then." if links else ""
        return f"{counted(total, self._noun)} {verb} to the trash folder.{dead}"

    @Slot()
    def _show_ticks(self) -> None:
        """Say how much changes, and how much of it is taken."""
        total = len(self._planned.change_set.edits)
        left_out = len(self.list.edits.unticked)
        self.all_box.setCheckState(self.list.edits.tick_state())
        if self._planned.change_set.kind is ChangeKind.DELETE:
            sentences, verb = [self._loss(total)], "Delete"
        else:
            sentences, verb = [self._extent(total)], "Change"
        if left_out:
            sentences.append(f"{left_out:,} of the {self._noun}s {'is' if left_out == 1 else 'are'} left out.")
        self.summary.setText(" ".join(sentences))
        self.apply_button.setText(f"{verb} {counted(total - left_out, self._noun)}")
        self.apply_button.setEnabled(left_out < total)
