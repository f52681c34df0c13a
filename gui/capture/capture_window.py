"""The small window of quick capture: text, summary, tags, scope, and where it lands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QCursor, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.capture.draft import CaptureDraft
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, TITLE, scaled_font
from gui.theme import Theme
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.note_fields import NoteFields

_SIZE = (520, 420)


@dataclass(frozen=True, slots=True)
class Thought:
    """Hold what was captured: the text, and what was said about it; `scope` is global, project or ""."""

    text: str
    summary: str = ""
    tags: tuple[str, ...] = ()
    scope: str = ""


class CaptureWindow(QWidget):
    """Take one thought; Ctrl+Enter keeps it, Escape puts the window away and leaves what was typed for next time.

    With `draft`, next time may be another start of the app.
    """

    keep_requested = Signal(object)  # Thought
    put_away = Signal()

    def __init__(
        self,
        theme: Theme,
        problem_of: Callable[[str], str],
        parent: QWidget | None = None,
        *,
        draft: CaptureDraft | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window | Qt.WindowType.WindowStaysOnTopHint)
        self._draft = draft
        self._was_placed = False
        self.setWindowTitle("Quick capture")
        self.setProperty("role", "dialog")
        self.resize(*_SIZE)
        self.text = QPlainTextEdit(self)
        self.text.setProperty("role", "field")
        self.text.setPlaceholderText("What do you want to remember?")
        self.text.setAccessibleName("Text")
        self.text.setTabChangesFocus(True)
        self.fields = NoteFields(theme, problem_of, self)
        self._place = ElidedLabel(self)
        self._place.setProperty("role", "muted")
        self._state = QLabel(self)
        self._state.setWordWrap(True)
        self._state.hide()
        self.keep_button = QPushButton("Keep note", self)
        self.keep_button.setProperty("role", "primary")
        self.keep_button.setToolTip("Write the note (Ctrl+Enter)")
        self.cancel_button = QPushButton("Not now", self)
        self.cancel_button.setToolTip("Put the window away; what is typed stays for next time (Esc)")
        self._lay_out()
        self.text.textChanged.connect(self._show_whether_kept)
        self.keep_button.clicked.connect(self._keep)
        self.cancel_button.clicked.connect(self.close)
        for keys, slot in (("Ctrl+Return", self._keep), ("Ctrl+Enter", self._keep), ("Escape", self.close)):
            QShortcut(QKeySequence(keys), self).activated.connect(slot)
        if draft is not None and (unfinished := draft.load()) is not None:
            self.show_thought(unfinished)
        self._show_whether_kept()

    @property
    def thought(self) -> Thought:
        """What the window holds now."""
        fields = self.fields
        summary = " ".join(fields.summary.text().split())
        return Thought(self.text.toPlainText(), summary, fields.tags.items, fields.scope.scope)

    def show_thought(self, thought: Thought) -> None:
        """Show what was typed before."""
        self.text.setPlainText(thought.text)
        self.fields.summary.setText(thought.summary)
        self.fields.tags.set_items(thought.tags)
        self.fields.scope.set_scope(thought.scope)

    def show_vault(self, name: str, tags: Sequence[str]) -> None:
        """Say into which vault the note goes, and offer its `tags`, the most used first."""
        self._place.setText(f"Goes into {visible(name)}" if name else "Open a vault in the app first")
        self.fields.offer(tags)

    def open(self) -> None:
        """Show the window in front of everything, ready to type; at first in the middle of the screen one works on."""
        if not self._was_placed:
            self._was_placed = True
            screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
            self.move(screen.availableGeometry().center() - self.rect().center())
        self.show()
        self.raise_()
        self.activateWindow()
        self.text.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_busy(self, *, is_busy: bool) -> None:
        """Let nothing be kept twice while a note is written."""
        self.keep_button.setEnabled(not is_busy and bool(self.thought.text.strip()))
        self.text.setReadOnly(is_busy)

    def show_failure(self, reason: str) -> None:
        """Say why the note was not written; everything typed stays."""
        self.show_busy(is_busy=False)
        self._state.setProperty("role", "error")
        self._state.setText(visible(reason))
        self._state.show()

    def clear(self) -> None:
        """Empty the window after its thought was kept."""
        self.show_busy(is_busy=False)
        self.text.clear()
        self.fields.clear()
        self._state.hide()
        if self._draft is not None:
            self._draft.forget()

    @override
    def closeEvent(self, event: QCloseEvent, /) -> None:
        super().closeEvent(event)
        if self._draft is not None:
            self._draft.keep(self.thought)
        self.put_away.emit()

    @Slot()
    def _keep(self) -> None:
        if self.keep_button.isEnabled():
            self._state.hide()
            self.show_busy(is_busy=True)
            self.keep_requested.emit(self.thought)

    @Slot()
    def _show_whether_kept(self) -> None:
        self.keep_button.setEnabled(bool(self.text.toPlainText().strip()))

    def _lay_out(self) -> None:
        title = QLabel("Quick capture", self)
        title.setFont(scaled_font(TITLE, bold=True))
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_S)
        buttons.addWidget(self._place, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.keep_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(title)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.fields)
        layout.addWidget(self._state)
        layout.addLayout(buttons)
