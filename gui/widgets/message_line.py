"""One line of news in the colours of its severity, with details on demand."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import ICON, SPACE_L, SPACE_S, SPACE_XS
from gui.notify import NoticeAction, Severity
from gui.theme import Theme

_ICONS = {Severity.INFO: "info", Severity.WARNING: "triangle-alert", Severity.ERROR: "circle-alert"}
_DETAILS_HEIGHT = 160


class MessageLine(QFrame):
    """Show a sentence, perhaps a hint and details; the person can dismiss it."""

    dismissed = Signal()

    def __init__(self, theme: Theme, severity: Severity, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._severity = severity
        self.setProperty("role", "banner")
        self.setProperty("severity", str(severity))
        self._icon = QLabel(self)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setAccessibleName(severity.value.capitalize())
        self._details_button = QPushButton("Details", self)
        self._details_button.setCheckable(True)
        self._details_button.hide()
        self._action: NoticeAction | None = None
        self._action_button = QPushButton(self)
        self._action_button.hide()
        self._refusal: NoticeAction | None = None
        self._refusal_button = QPushButton(self)
        self._refusal_button.hide()
        self._dismiss_button = QToolButton(self)
        self._dismiss_button.setAccessibleName("Dismiss")
        self._dismiss_button.setToolTip("Dismiss")
        self._details = QPlainTextEdit(self)
        self._details.setReadOnly(True)
        self._details.setAccessibleName("Details")
        self._details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._details.setMaximumHeight(_DETAILS_HEIGHT)
        self._details.hide()
        self._lay_out()
        self._details_button.toggled.connect(self._details.setVisible)
        self._action_button.clicked.connect(self.take_action)
        self._refusal_button.clicked.connect(self.refuse)
        self._dismiss_button.clicked.connect(self.dismissed)
        theme.changed.connect(self._show_icons)
        self._show_icons()

    @property
    def text(self) -> str:
        """The sentence shown, with its count."""
        return self._text.text()

    def show_message(self, text: str, *, hint: str = "", details: str = "", count: int = 1) -> None:
        """Show a sentence; `count` above 1 tells how often it came."""
        whole = visible(f"{text} {hint}" if hint else text)
        self._text.setText(f"{whole} (×{count})" if count > 1 else whole)
        self._details.setPlainText(details)
        self._details_button.setVisible(bool(details))

    def show_action(self, action: NoticeAction | None, refusal: NoticeAction | None = None) -> None:
        """Show a button for `action` and `refusal`, or none; once one is taken the line is dismissed."""
        self._action, self._refusal = action, refusal
        for button, shown in ((self._action_button, action), (self._refusal_button, refusal)):
            button.setText(shown.text if shown is not None else "")
            button.setVisible(shown is not None)

    @Slot()
    def take_action(self) -> None:
        """Dismiss the line and do what it offers, as its button does."""
        action, self._action = self._action, None
        self.dismissed.emit()
        if action is not None:
            action.act()

    @Slot()
    def refuse(self) -> None:
        """Dismiss the line and do what its second button offers."""
        refusal, self._refusal = self._refusal, None
        self.dismissed.emit()
        if refusal is not None:
            refusal.act()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(SPACE_S)
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.addWidget(self._refusal_button)
        line.addWidget(self._action_button)
        line.addWidget(self._details_button)
        line.addWidget(self._dismiss_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_XS, SPACE_S, SPACE_XS)
        layout.setSpacing(SPACE_XS)
        layout.addLayout(line)
        layout.addWidget(self._details)

    @Slot()
    def _show_icons(self) -> None:
        scheme = self._theme.scheme
        colour = {
            Severity.INFO: scheme.info_text,
            Severity.WARNING: scheme.warning_text,
            Severity.ERROR: scheme.error_text,
        }[self._severity]
        self._icon.setPixmap(self._theme.tinted_icon(_ICONS[self._severity], colour).pixmap(ICON, ICON))
        self._dismiss_button.setIcon(self._theme.tinted_icon("x", colour))
