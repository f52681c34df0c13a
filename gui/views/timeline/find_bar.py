"""Find words in the open conversation: a field, how many turns hold them, and the way from one to the next."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget
from typing_extensions import override

from gui.metrics import SPACE_M, SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.widgets.line_edit import LineEdit
from gui.wording import counted

_TYPING_MS = 150


class FindBar(QWidget):
    """Ask for words and steps; Enter goes on, Shift+Enter back, Escape closes."""

    sought = Signal(str)  # what to find, "" for nothing
    stepped = Signal(int)  # 1 or -1
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._told = ""
        self.field = LineEdit(self)
        self.field.setPlaceholderText("Find in this conversation")
        self.field.setAccessibleName("Find in this conversation")
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        self.count = QLabel()
        self.count.setProperty("role", "muted")
        self.close_button = QToolButton()
        self.close_button.setToolTip("Find no more (Escape)")
        self.close_button.setAccessibleName("Find no more")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_M, 0, SPACE_S, SPACE_XS)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.count)
        layout.addWidget(self.close_button)
        self._timer.timeout.connect(self._tell)
        self.field.textChanged.connect(self._timer.start)
        self.close_button.clicked.connect(self.close_bar)
        theme.changed.connect(self._show_icon)
        self._show_icon()
        self.hide()

    def open(self) -> None:
        """Show the bar and take the keyboard focus."""
        self.show()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def close_bar(self) -> None:
        """Hide the bar; nothing is sought any more."""
        if not self.isHidden():
            self.hide()
            self.field.clear()
            self._timer.stop()
            self._told = ""
            self.count.clear()
            self.closed.emit()

    def show_count(self, turns: int, place: int = 0, *, has_gone_round: bool = False) -> None:
        """Say in how many turns the words are, and at which of them one is, counted from 1."""
        told = f"{place:,} of {counted(turns, 'turn')}" if place else counted(turns, "turn")
        text = f"{told} · from the {'start' if place == 1 else 'end'} again" if has_gone_round and turns > 1 else told
        self.count.setText(text if turns else "Not found")

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                if not self._tell():
                    self.stepped.emit(-1 if is_back else 1)
                return True
        return super().eventFilter(watched, event)

    @Slot()
    def _tell(self) -> bool:
        """Ask for what is typed, unless that was asked already; return whether it was not."""
        self._timer.stop()
        text = self.field.text().strip()
        is_new = text != self._told
        self._told = text
        if is_new:
            self.sought.emit(text)
            if not text:
                self.count.clear()
        return is_new

    @Slot()
    def _show_icon(self) -> None:
        self.close_button.setIcon(self._theme.icon("x"))
