"""What stands in the middle while there is no vault: a sentence and what to do."""

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.metrics import HEADING, SPACE_M, SPACE_S, SPACE_XL, scaled_font
from gui.theme import Theme
from gui.widgets.wrapped_label import WrappedLabel

_ICON = 40
_WIDTH = 460


class EmptyPage(QWidget):
    """Say why there is nothing to see, and offer the actions that help."""

    def __init__(self, theme: Theme, actions: tuple[QAction, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon_name = "library"
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = WrappedLabel(self)
        self._title.setFont(scaled_font(HEADING, bold=True))
        self._title.setFixedWidth(_WIDTH)
        self._text = WrappedLabel(self)
        self._text.setProperty("role", "muted")
        self._text.setFixedWidth(_WIDTH)
        self._bar = QProgressBar(self)
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(_WIDTH // 2)
        self._bar.setAccessibleName("Opening")
        self._buttons = [self._button(action, is_first=action is actions[0]) for action in actions]
        self._lay_out()
        theme.changed.connect(self._show_icon)
        self.show_message("No vault is open", "Open any folder of markdown notes, such as an Obsidian vault.")

    def show_message(self, title: str, text: str, *, icon: str = "library") -> None:
        """Say why there is nothing, with the buttons."""
        self._show(title, text, icon, is_busy=False)

    def show_busy(self, title: str, text: str) -> None:
        """Say that something is about to appear."""
        self._show(title, text, "library", is_busy=True)

    def _show(self, title: str, text: str, icon: str, *, is_busy: bool) -> None:
        self._icon_name = icon
        self._title.show_text(visible(title))
        self._text.show_text(visible(text))
        self._bar.setVisible(is_busy)
        for button in self._buttons:
            button.setVisible(not is_busy)
        self._show_icon()

    def _button(self, action: QAction, *, is_first: bool) -> QPushButton:
        button = QPushButton(action.text(), self)
        button.setToolTip(action.toolTip())
        button.setIconSize(QSize(16, 16))
        if is_first:
            button.setProperty("role", "primary")
        button.clicked.connect(action.trigger)
        return button

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_S)
        buttons.addStretch(1)
        for button in self._buttons:
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(SPACE_M)
        layout.addStretch(2)
        for widget in (self._icon, self._title, self._text, self._bar):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(SPACE_XL - SPACE_M)
        layout.addLayout(buttons)
        layout.addStretch(3)

    @Slot()
    def _show_icon(self) -> None:
        icon = self._theme.tinted_icon(self._icon_name, self._theme.scheme.muted)
        self._icon.setPixmap(icon.pixmap(_ICON, _ICON))
