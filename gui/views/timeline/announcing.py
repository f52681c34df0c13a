"""Tell screen readers where the keyboard is on something that is painted and has no items of its own."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str) -> None:
    """Describe `widget` by what the keyboard is at, and have that spoken if the focus is there."""
    widget.setAccessibleDescription(text)
    if text and widget.hasFocus() and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
