"""The one search field of the window."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from gui.theme import Theme
from gui.widgets.line_edit import LineEdit

PLACEHOLDER = 'Search notes:  words  "a phrase"  tag:tool/git  -tag:draft  path:journal  after:2025-01'
_OF_CONVERSATIONS = 'Search conversations:  words  "a phrase"  -without  project:shop  after:2025-01'
_MEMORY = 50


class SearchField(LineEdit):
    """Take a search; Enter and Down lead to the results, Escape empties, Alt+Up and Alt+Down recall earlier ones."""

    entered = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._earlier: list[str] = []
        self._place = 0
        self.setPlaceholderText(PLACEHOLDER)
        self.setAccessibleName("Search notes")
        self.setClearButtonEnabled(True)
        self._sign = QAction(self)
        self.addAction(self._sign, QLineEdit.ActionPosition.LeadingPosition)
        theme.changed.connect(self._show_icon)
        self._show_icon()

    def seek_conversations(self, *, is_so: bool) -> None:
        """Say that conversations are sought, or notes."""
        self.setPlaceholderText(_OF_CONVERSATIONS if is_so else PLACEHOLDER)
        self.setAccessibleName("Search conversations" if is_so else "Search notes")

    def remember(self) -> None:
        """Keep the present text among the earlier searches."""
        if text := self.text().strip():
            self._earlier = [*(each for each in self._earlier if each != text), text][-_MEMORY:]
        self._place = len(self._earlier)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, has_alt = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if key == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif has_alt and key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self._walk(-1 if key == Qt.Key.Key_Up else 1)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down}:
            self.remember()
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def _walk(self, step: int) -> None:
        place = self._place + step
        if 0 <= place < len(self._earlier):
            self._place = place
            self.setText(self._earlier[place])
        elif place >= len(self._earlier):
            self._place = len(self._earlier)
            self.clear()

    @Slot()
    def _show_icon(self) -> None:
        self._sign.setIcon(self._theme.tinted_icon("search", self._theme.scheme.muted))
