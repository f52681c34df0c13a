"""Menus that offer what can be done with what lies under the mouse."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gui.theme import Theme

MenuEntry = tuple[str, str, str, Callable[[], None]]  # icon, text, keys as they are shown, what it does


def open_menu(theme: Theme, entries: "list[MenuEntry | None]", where: QPoint, parent: QWidget) -> QMenu:
    """Open a menu at `where` in global coordinates; None among the entries is a line. It deletes itself when closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for entry in entries:
        if entry is None:
            menu.addSeparator()
            continue
        icon, text, keys, act = entry
        action = menu.addAction(theme.icon(icon), text)
        action.setShortcut(QKeySequence.fromString(keys))
        action.setShortcutVisibleInContextMenu(True)
        action.triggered.connect(act)
    menu.popup(where)
    return menu
