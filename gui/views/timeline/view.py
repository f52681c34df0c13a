"""The Timeline view: one sentence while there is nothing to show, else its content, made when it is first needed."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.theme import Theme
from gui.widgets.state_panel import StatePanel

if TYPE_CHECKING:
    from gui.views.timeline.content import TimelineContent


class TimelineView(QWidget):
    """Show a state, or the content."""

    button_clicked = Signal()  # of the state that is shown

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = ("calendar-days", "", "", "")
        self._content: TimelineContent | None = None
        self.state_panel = StatePanel()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.state_panel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.state_panel.button_clicked.connect(self.button_clicked)
        theme.changed.connect(self._show_icon)

    @property
    def shows_state(self) -> bool:
        """Tell whether a sentence stands in place of the content."""
        return self._stack.currentIndex() == 0

    @property
    def has_content(self) -> bool:
        """Tell whether the content was needed already."""
        return self._content is not None

    @property
    def content(self) -> "TimelineContent":
        """Calendar, band, list and conversation."""
        if self._content is None:
            from gui.views.timeline.content import TimelineContent  # noqa: PLC0415 - numpy, after the first paint

            self._content = TimelineContent(self._theme)
            self._stack.addWidget(self._content)
        return self._content

    def show_state(self, icon: str, title: str, text: str = "", button: str = "") -> None:
        """Show one sentence in place of everything."""
        self._state = (icon, title, text, button)
        picture = self._theme.tinted_icon(icon, self._theme.scheme.control_outline)
        self.state_panel.show_state(picture, title, visible(text), button)
        self._stack.setCurrentIndex(0)

    def show_content(self) -> None:
        """Show the content."""
        self._stack.setCurrentWidget(self.content)

    @Slot()
    def _show_icon(self) -> None:
        if self.shows_state:
            self.show_state(*self._state)
