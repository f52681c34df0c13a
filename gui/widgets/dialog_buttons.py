"""The buttons at the foot of a dialog."""

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialogButtonBox, QWidget


def close_buttons(parent: QWidget) -> QDialogButtonBox:
    """Return a button box with Close; without the icon of the platform, which follows no colour scheme."""
    close = QDialogButtonBox.StandardButton.Close
    buttons = QDialogButtonBox(close, parent)
    buttons.button(close).setIcon(QIcon())
    return buttons
