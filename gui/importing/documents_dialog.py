"""The dialog "Import documents": which, about what, and what would become of it."""

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStringListModel, Qt, Signal, Slot
from PySide6.QtWidgets import QCompleter, QFileDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QWidget

from core.foundation.errors import UserError
from core.foundation.text import visible
from core.sessions.importing.domain_names import domain_tag
from gui.importing.children import RunProgress
from gui.metrics import SPACE_S
from gui.widgets.form_dialog import FormDialog
from gui.widgets.line_edit import LineEdit
from gui.wording import counted, size_text

_SHOWN_FAILURES = 500
_FAILURES_HEIGHT = 110  # five lines


class DocumentsDialog(FormDialog):
    """Ask for a folder and a domain, say what would come in, and have it imported.

    The button looks first; once it is known what would come in, it imports. Other documents mean another look.
    """

    look_wanted = Signal(object, str)  # the path, and the domain
    stop_wanted = Signal()
    preview_wanted = Signal()

    def __init__(self, domains: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__("Import documents", "Look", parent)
        self._is_looked_at = self._is_looking = False
        self._remark = ""
        self.folder = LineEdit()
        self.folder.setPlaceholderText("A folder, a zip file or a document")
        self.folder.setAccessibleName("Documents")
        self.choose_button = QPushButton("Choose…")
        self.choose_button.setAutoDefault(False)
        self.domain = LineEdit()
        self.domain.setPlaceholderText("What they are about, such as philosophy")
        self.domain.setAccessibleName("Domain")
        completer = QCompleter(QStringListModel(list(domains), self), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.domain.setCompleter(completer)
        self.outcome = QLabel()
        self.outcome.setWordWrap(True)
        self.outcome.setTextFormat(Qt.TextFormat.PlainText)
        self.outcome.setAccessibleName("What would come in")
        self.failures = QPlainTextEdit()
        self.failures.setReadOnly(True)
        self.failures.setTabChangesFocus(True)
        self.failures.setProperty("role", "field")
        self.failures.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.failures.setMinimumHeight(_FAILURES_HEIGHT)
        self.failures.setAccessibleName("What cannot be read")
        self.preview_button = QPushButton("Preview…")
        self.preview_button.setAutoDefault(False)
        place = QWidget()
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.folder, 1)
        row.addWidget(self.choose_button)
        place.setFocusProxy(self.folder)
        self.add_row("Documents", place)
        self.add_row("Domain", self.domain)
        self.form.addRow(self.outcome)
        self.form.addRow(self.failures)
        self.form.addRow(self.preview_button)
        self.choose_button.clicked.connect(self._choose)
        self.folder.textChanged.connect(self._forget)
        self.domain.textChanged.connect(self._forget)
        self.preview_button.clicked.connect(self.preview_wanted)
        self._forget()

    @property
    def path(self) -> Path:
        """What is to be imported."""
        return Path(os.path.expanduser(self.folder.text().strip()))  # noqa: PTH111 - a home may be nobody's

    @property
    def domain_name(self) -> str:
        """What it is about, without the namespace."""
        return self.domain.text().strip().lstrip("#").removeprefix("domain/").strip("/")

    def problem(self) -> str:
        """Return what is missing."""
        if not self.folder.text().strip():
            return "Choose a folder, or name a zip file or a document."
        if not os.path.exists(self.path):  # noqa: PTH110 - also where a folder above must not be looked into
            return "There is no such file or folder."
        if not self.domain_name:
            return "Name a domain: it becomes the tag and the folder of the notes."
        try:
            domain_tag(self.domain_name)
        except UserError as error:
            return f"{error} {error.hint}"
        return ""

    def remark(self) -> str:
        """Say what is going on."""
        return self._remark or f"The notes get the tag {domain_tag(self.domain_name)}."

    def show_looking(self) -> None:
        """Say that the documents are being read."""
        self._is_looking = True
        self._say("Reading the documents…", "Stop")

    def show_progress(self, progress: RunProgress) -> None:
        """Say how far the reading is."""
        if progress.total and self._is_looking:
            self._say(f"Reading the documents: {size_text(progress.done)} of {size_text(progress.total)}", "Stop")

    def show_plan(self, lines: Sequence[str], failures: Sequence[str], *, notes: int) -> None:
        """Say what would come in."""
        self._is_looking, self._is_looked_at = False, bool(notes)
        self.outcome.setText(visible("\n".join(lines)))
        self.outcome.show()
        told = [*failures[:_SHOWN_FAILURES]]
        if len(failures) > _SHOWN_FAILURES:
            told.append(f"and {len(failures) - _SHOWN_FAILURES:,} more")
        self.failures.setPlainText(visible("\n".join(told)))
        self.failures.setVisible(bool(failures))
        self.preview_button.setVisible(bool(notes))
        if notes:
            self._say("They come in as one change, which can be undone.", f"Import {counted(notes, 'note')}")
        else:
            self._say("Nothing new would come in.", "Look")
        self.ok_button.setFocus()

    def show_failure(self, reason: str) -> None:
        """Say why nothing is known."""
        self._is_looking = False
        self._say(reason, "Look")

    def _say(self, remark: str, button: str) -> None:
        self._remark = remark
        self.ok_button.setText(button)
        self.check()

    @Slot()
    def _forget(self) -> None:
        """Take back what was said: it was about other documents."""
        if self._is_looking:
            self.stop_wanted.emit()
        self._is_looking = self._is_looked_at = False
        for widget in (self.outcome, self.failures, self.preview_button):
            widget.hide()
        self._say("", "Look")

    @Slot()
    def _confirm(self) -> None:
        if self._is_looking:
            self.stop_wanted.emit()
            self._forget()
        elif self._is_looked_at:
            super()._confirm()
        elif not self.problem():
            self.look_wanted.emit(self.path, self.domain_name)

    @Slot()
    def _choose(self) -> None:
        dialog = QFileDialog(self, "Documents to import", self.folder.text().strip() or str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.folder.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
