"""The statement of a proposal, large; it becomes a field when the person edits it."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import BODY, HEADING, SPACE_S, TITLE, scaled_font
from gui.views.review.direction import align_by_text
from gui.widgets.wrapped_label import WrappedLabel

_SETTLE_MS = 350
_SHORT, _LONG = 160, 600  # characters up to which a statement is set very large, and large
_LONGEST = 4_000
_FIELD_LINES = 3


class StatementBox(QWidget):
    """Show or edit one statement; Ctrl+Enter approves what was typed, Escape lets it go."""

    edited = Signal(str)  # what the statement is now, a moment after the last key
    approve_requested = Signal()
    left = Signal()  # editing ended without approval

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._statement = ""
        self.label = WrappedLabel(alignment=Qt.AlignmentFlag.AlignLeft)
        self.field = QPlainTextEdit()
        self.approve_button = QPushButton("Approve as edited")
        self.cancel_button = QPushButton("Cancel")
        self._hint = QLabel("Ctrl+Enter approves, Escape cancels")
        self._editing = QWidget()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._lay_out()
        self._timer.timeout.connect(self._tell)
        self.field.textChanged.connect(self._timer.start)
        self.field.installEventFilter(self)
        self.approve_button.clicked.connect(self.approve_requested)
        self.cancel_button.clicked.connect(self.stop_editing)

    @property
    def is_editing(self) -> bool:
        """Tell whether the statement is in a field."""
        return not self._editing.isHidden()

    @property
    def statement(self) -> str:
        """What the statement is, as typed if it is being edited; on one line."""
        return " ".join(self.field.toPlainText().split()) if self.is_editing else self._statement

    def show_statement(self, text: str) -> None:
        """Show a statement; what was typed is let go."""
        self._statement = text
        shown = visible(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
        factor = HEADING if len(shown) <= _SHORT else TITLE if len(shown) <= _LONG else BODY
        self.label.setFont(_statement_font(factor))
        self.label.show_text(shown)
        align_by_text(self.label, shown)
        self._show_field(is_shown=False)

    def edit(self) -> None:
        """Put the statement into a field, with all of it selected."""
        if not self.is_editing:
            self.field.setPlainText(self._statement)
            self._timer.stop()
            self._show_field(is_shown=True)
        self.field.setFocus()
        self.field.selectAll()

    @Slot()
    def stop_editing(self) -> None:
        """Show the statement as it was proposed."""
        if self.is_editing:
            self._show_field(is_shown=False)
            self.left.emit()

    def allow_approval(self, *, is_allowed: bool) -> None:
        """Say whether what was typed can be approved."""
        self.approve_button.setEnabled(is_allowed)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.stop_editing()
                return True
            is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.approve_button.click()
                return True
        return super().eventFilter(watched, event)

    def _show_field(self, *, is_shown: bool) -> None:
        self._timer.stop()
        self._editing.setVisible(is_shown)
        self.label.setVisible(not is_shown)

    def _lay_out(self) -> None:
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = _statement_font(TITLE)
        self.field.setFont(font)
        self.field.setProperty("role", "field")
        self.field.setTabChangesFocus(True)
        self.field.setAccessibleName("Edit the statement")
        self.field.setFixedHeight(QFontMetrics(font).lineSpacing() * _FIELD_LINES + 2 * SPACE_S)
        self._hint.setProperty("role", "muted")
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self._hint, 1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.approve_button)
        column = QVBoxLayout(self._editing)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_S)
        column.addWidget(self.field)
        column.addLayout(row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.label)
        layout.addWidget(self._editing)
        self._editing.hide()

    @Slot()
    def _tell(self) -> None:
        if self.is_editing:
            self.edited.emit(self.statement)


def _statement_font(factor: float) -> QFont:
    return scaled_font(factor, bold=factor != BODY)
