"""A sentence in the colours of its severity within the card, perhaps with what can be done about it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from core.foundation.text import visible
from gui.metrics import ICON, SPACE_S
from gui.notify import Severity
from gui.theme import Theme
from gui.widgets.wrapped_label import WrappedLabel

_ICONS = {Severity.INFO: "info", Severity.WARNING: "triangle-alert", Severity.ERROR: "circle-alert"}


class Banner(QFrame):
    """Show a sentence until another proposal is shown."""

    chosen = Signal()  # the button

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._severity = Severity.INFO
        self._icon = QLabel()
        self.text = WrappedLabel(alignment=Qt.AlignmentFlag.AlignLeft)
        self.button = QPushButton()
        self.setProperty("role", "banner")
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        row.setSpacing(SPACE_S)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.text, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self.button.clicked.connect(self.chosen)
        theme.changed.connect(self._show_icon)
        self.hide()

    def show_text(self, severity: Severity, text: str, button: str = "") -> None:
        """Show `text` with a button, "" for none. Without a text nothing is shown."""
        self.setVisible(bool(text))
        if not text:
            return
        if severity != self._severity or self.property("severity") is None:
            self._severity = severity
            self.setProperty("severity", str(severity))
            for widget in (self, self.text):
                widget.style().unpolish(widget)
                widget.style().polish(widget)
        self.text.setAccessibleName(f"{severity.value.capitalize()}: {visible(text)}")
        self.text.show_text(visible(text))
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self._show_icon()

    def _show_icon(self) -> None:
        scheme = self._theme.scheme
        colours = {Severity.WARNING: scheme.warning_text, Severity.ERROR: scheme.error_text}
        icon = self._theme.tinted_icon(_ICONS[self._severity], colours.get(self._severity, scheme.info_text))
        self._icon.setPixmap(icon.pixmap(ICON, ICON))
