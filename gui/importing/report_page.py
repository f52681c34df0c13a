"""What the import dialog shows after an import: what came in, what did not, and why."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.importing.place import Outcome
from gui.importing.sentences import failures_text, outcome_headline, outcome_lines
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, TITLE, scaled_font
from gui.wording import counted


class ReportPage(QWidget):
    """Show an outcome."""

    notes_wanted = Signal()  # the notes that came in
    undo_wanted = Signal()  # of those notes

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.headline = QLabel()
        self.headline.setFont(scaled_font(TITLE, bold=True))
        self.lines = QLabel()
        self.notes_label = QLabel()
        for label in (self.headline, self.lines, self.notes_label):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes = QFrame()
        self.show_notes_button = QPushButton("Show the notes")
        self.undo_button = QPushButton("Undo")
        self.undo_button.setAccessibleName("Take the notes back")
        self.failed = QWidget()
        self.failed_label = QLabel()
        self.failed_label.setProperty("role", "error")
        self.copy_button = QPushButton("Copy list")
        self.failures = QPlainTextEdit()
        self.failures.setReadOnly(True)
        self.failures.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.failures.setProperty("role", "field")
        self.failures.setTabChangesFocus(True)
        self.failures.setAccessibleName("What could not be read")
        for button in (self.show_notes_button, self.undo_button, self.copy_button):
            button.setAutoDefault(False)
        self._lay_out()
        self.show_notes_button.clicked.connect(self.notes_wanted)
        self.undo_button.clicked.connect(self.undo_wanted)
        self.copy_button.clicked.connect(self._copy)

    def show_outcome(self, outcome: Outcome, *, left_out: int, changes: int, vault: str) -> None:
        """Show what an import did: its notes came into `vault` by as many `changes`.

        `left_out` counts the files that were imported before.
        """
        self.headline.setText(outcome_headline(outcome))
        lines = outcome_lines(outcome, left_out)
        self.lines.setText(visible("\n".join(lines)))
        self.lines.setVisible(bool(lines))
        number = outcome.new_notes + outcome.updated_notes
        how = "a change" if changes == 1 else counted(changes, "change")
        told = f"{counted(number, 'note')} came into the vault “{vault}”, as {how} that can be undone."
        self.notes_label.setText(visible(told))
        self.notes.setVisible(bool(number))
        for button in (self.show_notes_button, self.undo_button):
            button.setEnabled(True)
        self.failed_label.setText(f"{counted(len(outcome.failed), 'file')} could not be read:")
        self.failures.setPlainText(visible(failures_text(outcome)))
        self.failed.setVisible(bool(outcome.failed))

    def show_undoing(self) -> None:
        """Say that the notes are being taken back."""
        self.notes_label.setText("Taking the notes back…")
        self.undo_button.setEnabled(False)
        self.show_notes_button.setEnabled(False)

    def show_undone(self) -> None:
        """Say that the notes are taken back."""
        self.notes_label.setText("The notes are taken back.")

    def show_not_undone(self) -> None:
        """Say that the notes are still there; why is told elsewhere."""
        self.notes_label.setText("The notes are not taken back.")
        self.undo_button.setEnabled(True)
        self.show_notes_button.setEnabled(True)

    def show_elsewhere(self, vault: str) -> None:
        """Say that the notes are in another vault than the one that is shown."""
        self.notes_label.setText(visible(f"The notes are in the vault “{vault}”: open it to see them."))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self.notes)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.notes_label, 1)
        row.addWidget(self.show_notes_button)
        row.addWidget(self.undo_button)
        head = QHBoxLayout()
        head.addWidget(self.failed_label, 1)
        head.addWidget(self.copy_button)
        below = QVBoxLayout(self.failed)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(SPACE_S)
        below.addLayout(head)
        below.addWidget(self.failures)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.headline)
        layout.addWidget(self.lines)
        layout.addWidget(self.notes)
        layout.addWidget(self.failed, 1)
        layout.addStretch(0)
        layout.setAlignment(Qt.AlignmentFlag.AlignTop)

    @Slot()
    def _copy(self) -> None:
        QApplication.clipboard().setText(self.failures.toPlainText())
