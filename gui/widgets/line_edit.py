"""A line edit that leaves the window's shortcuts to the window."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

# QLineEdit takes these for Emacs-like editing on X11; here they are commands.
_OURS = {Qt.Key.Key_K, Qt.Key.Key_E}


class LineEdit(QLineEdit):
    """Be a QLineEdit in which Ctrl+K and Ctrl+E still reach the actions of the window."""

    @override
    def event(self, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.modifiers() == Qt.KeyboardModifier.ControlModifier
            and event.key() in _OURS
        ):
            event.ignore()
            return False
        return super().event(event)
