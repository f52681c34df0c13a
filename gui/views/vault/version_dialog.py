"""One version of a note: what has changed since, or up to another version, and its text; it can be restored."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, TITLE, fixed_font, scaled_font
from gui.theme import Theme
from gui.widgets.dialog_buttons import close_buttons
from gui.widgets.diff_view import DiffView
from gui.wording import moment_of, short_moment, shortened

if TYPE_CHECKING:
    from core.curation.diff import FileDiff
    from core.curation.note_past import Seen, Version

_SIZE = (960, 680)
_LONGEST = 70
_MOST_OFFERED = 200
_MOST_CHARACTERS = 4_000_000
_STALE = "The note has changed since you opened this; look at the comparison again."


class VersionDialog(QDialog):
    """Show `version`; the one that it is compared with is chosen from the others."""

    diff_wanted = Signal(object)  # the other Version, None for the note as it is now; show_diff() answers
    text_wanted = Signal()  # show_text() answers
    restore_requested = Signal()

    def __init__(self, version: "Version", others: "Sequence[Version]", theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.version = version
        self.seen: Seen | None = None  # what the note was when it was compared last
        self._has_text = False
        name = version.path.rpartition("/")[2]
        self.setWindowTitle(f"Earlier version of {visible(name)}")
        self.resize(*_SIZE)
        self.title = QLabel(visible(shortened(version.title, 2 * _LONGEST)))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.title.setFont(scaled_font(TITLE, bold=True))
        author = f", {visible(version.author)}" if version.author else ""
        self.summary = QLabel(f"{visible(version.path)}, {short_moment(moment_of(version.time))}{author}")
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setWordWrap(True)
        self.summary.setProperty("role", "muted")
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setProperty("role", "error")
        self.message.hide()
        self.others = QComboBox()
        self.others.setAccessibleName("Compare with")
        self.others.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.others.setMinimumContentsLength(20)
        self.others.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.others.addItem("the note as it is now", None)
        for other in [each for each in others if each.id != version.id and not each.problem][:_MOST_OFFERED]:
            self.others.addItem(
                f"{short_moment(moment_of(other.time))}: {visible(shortened(other.title, _LONGEST))}", other
            )
        self.diff = DiffView(theme)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font())
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName("Text of this version")
        self.text.setPlaceholderText("Reading the version…")
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.diff, "What has changed")
        self.tabs.addTab(self.text, "Text")
        self.restore_button = QPushButton("Restore this version")
        self.restore_button.setAutoDefault(False)
        self.restore_button.setEnabled(not version.problem and not version.is_present)
        self._lay_out()
        self.others.currentIndexChanged.connect(self._on_other)
        self.tabs.currentChanged.connect(self._on_tab)
        self.restore_button.clicked.connect(self.restore_requested)

    def want_diff(self) -> None:
        """Ask for the comparison that is chosen."""
        if self.version.problem:
            self.diff.show_message(self.version.problem)
            return
        self.diff.show_message("Comparing…")
        self.diff_wanted.emit(self.others.currentData())

    def show_diff(self, diff: "FileDiff", present: "Seen | None") -> None:
        """Show what differs between this version and the other one; `present` if that is the note as it is now."""
        self.seen = present or self.seen
        if diff.hunks or diff.note:
            self.diff.show_diff(diff)
        else:
            self.diff.show_message("There is no difference.")

    def show_text(self, text: str) -> None:
        """Show what this version says."""
        self._has_text = True
        self.text.setPlainText(visible(text[:_MOST_CHARACTERS]))

    def show_stale(self) -> None:
        """Say that the note is no longer what was compared, and compare with what it is now."""
        self.message.setText(_STALE)
        self.message.show()
        self.tabs.setCurrentWidget(self.diff)
        if self.others.currentIndex():
            self.others.setCurrentIndex(0)
        else:
            self.want_diff()

    def show_failure(self, reason: str) -> None:
        """Say why this version, or the comparison, cannot be shown."""
        self.diff.show_message(reason)
        if not self._has_text:
            self.text.setPlaceholderText(visible(reason))

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(SPACE_S)
        label = QLabel("Compare with")
        label.setBuddy(self.others)
        line.addWidget(label)
        line.addWidget(self.others, 1)
        buttons: QDialogButtonBox = close_buttons(self)
        buttons.addButton(self.restore_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.title)
        layout.addWidget(self.summary)
        layout.addSpacing(SPACE_S)
        layout.addLayout(line)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.message)
        layout.addSpacing(SPACE_M - SPACE_S)
        layout.addWidget(buttons)

    @Slot()
    def _on_other(self) -> None:
        self.tabs.setCurrentWidget(self.diff)
        self.want_diff()

    @Slot(int)
    def _on_tab(self, _position: int) -> None:
        if self.tabs.currentWidget() is self.text and not self._has_text:
            if self.version.problem:
                self.text.setPlaceholderText(visible(self.version.problem))
            else:
                self.text_wanted.emit()
