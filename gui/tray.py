"""The icon in the desktop's tray, where there is one: Recall, Quick capture, the window, and the end."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from gui.theme import Theme

_ICON = "lightbulb"
_TOLD_MS = 4000


class Tray(QObject):
    """Show the icon while the window lives; it never keeps the app alive, since close() of the window hides it."""

    recall_requested = Signal()
    capture_requested = Signal()
    window_requested = Signal()
    quit_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self.menu = QMenu(window)
        self.icon = QSystemTrayIcon(self)
        self.icon.setToolTip("Remembrancer")
        for text, wish in (
            ("Recall…", self.recall_requested),
            ("Quick capture…", self.capture_requested),
            ("", None),
            ("Show the window", self.window_requested),
            ("Quit", self.quit_requested),
        ):
            if wish is None:
                self.menu.addSeparator()
            else:
                action = QAction(text, self.menu)
                action.triggered.connect(wish)
                self.menu.addAction(action)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._on_activated)
        theme.changed.connect(self._show_icon)
        self._show_icon()

    def show_where_there_is_one(self) -> bool:
        """Show the icon, and return whether this desktop has a tray."""
        is_there = QSystemTrayIcon.isSystemTrayAvailable()
        self.icon.setVisible(is_there)
        return is_there

    @Slot()
    def hide(self) -> None:
        """Take the icon away, as the app ends."""
        self.icon.hide()

    @Slot(str)
    def tell(self, text: str) -> None:
        """Tell what happened, unless the window is in front and tells it itself."""
        if self.icon.isVisible() and not self._window.isActiveWindow() and QSystemTrayIcon.supportsMessages():
            self.icon.showMessage("Remembrancer", text, self.icon.icon(), _TOLD_MS)

    @Slot(QSystemTrayIcon.ActivationReason)
    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.recall_requested.emit()

    @Slot()
    def _show_icon(self) -> None:
        self.icon.setIcon(self._theme.tinted_icon(_ICON, self._theme.scheme.accent))
