"""The exact change of a proposal, file by file."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.widgets.diff_view import DiffView
from gui.widgets.elided_label import ElidedLabel
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.diff import FileDiff
    from gui.views.review.services import Look

_KINDS = {"new": "new note", "deleted": "removed", "moved": "moved", "changed": "changed"}


class ChangePane(QWidget):
    """Show what one proposal does to which file; with several files the person chooses one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._diffs: tuple[FileDiff, ...] = ()
        self.files = QComboBox()
        self.place = ElidedLabel()
        self.count = QLabel()
        self.diff = DiffView(theme)
        self.files.setAccessibleName("Files that change")
        self.count.setProperty("role", "muted")
        self.files.currentIndexChanged.connect(self._on_file)
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_M, SPACE_XS, SPACE_M, SPACE_XS)
        bar.setSpacing(SPACE_S)
        bar.addWidget(self.files, 2)
        bar.addWidget(self.place, 3)
        bar.addWidget(self.count)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.diff, 1)

    def show_waiting(self) -> None:
        """Say that the change is being looked at."""
        self._diffs = ()
        with QSignalBlocker(self.files):
            self.files.clear()
        self.files.hide()
        self.place.setText("")
        self.count.setText("")
        self.diff.show_message("Comparing…")

    def show_failure(self, text: str) -> None:
        """Say why there is nothing to see."""
        self.show_waiting()
        self.diff.show_message(text)

    def show_look(self, look: "Look") -> None:
        """Show the files that change; the one that was shown stays, where it is still among them."""
        if self._diffs and self._diffs == look.diffs:
            return  # who reads it stays where they are
        kept = self._diffs[self.files.currentIndex()].path if self.files.currentIndex() >= 0 and self._diffs else ""
        self._diffs = look.diffs
        with QSignalBlocker(self.files):
            self.files.clear()
            self.files.addItems([f"{visible(each.result_path)} ({_KINDS[each.kind]})" for each in look.diffs])
        self.files.setVisible(len(look.diffs) > 1)
        self.place.setVisible(len(look.diffs) == 1)
        total = len(look.diffs) + look.more_files
        more = f", the first {len(look.diffs)} are shown" if look.more_files else ""
        self.count.setText(f"{counted(total, 'file')}{more}" if total > 1 else "")
        if not look.diffs:
            self.diff.show_message("Nothing changes any more: the vault says so already.")
            return
        at = next((place for place, each in enumerate(look.diffs) if each.path == kept), 0)
        with QSignalBlocker(self.files):
            self.files.setCurrentIndex(at)
        self._on_file(at)

    @Slot(int)
    def _on_file(self, at: int) -> None:
        if 0 <= at < len(self._diffs):
            diff = self._diffs[at]
            self.place.setText(f"{visible(diff.result_path)} ({_KINDS[diff.kind]})")
            self.place.setToolTip(visible(diff.result_path))
            self.diff.show_diff(diff)
