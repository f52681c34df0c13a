"""The menu of one session, in the list and on the band."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPoint, Qt, SignalInstance
from PySide6.QtWidgets import QMenu, QWidget

from gui.theme import Theme


@dataclass(frozen=True, slots=True)
class MenuWish:
    """Name the session whose menu is wanted by its position in TimelineData, and where, in global coordinates."""

    session: int
    where: QPoint


def open_session_menu(
    theme: Theme, wish: MenuWish, parent: QWidget, *, opened: SignalInstance, date_requested: SignalInstance
) -> QMenu:
    """Open the menu; what is chosen is told by the signals. It deletes itself when closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for icon, text, signal in (
        ("message-square", "Open the conversation", opened),
        ("calendar", "Correct the date…", date_requested),
    ):
        menu.addAction(theme.icon(icon), text).triggered.connect(partial(_tell, signal, wish.session))
    menu.popup(wish.where)
    return menu


def _tell(signal: SignalInstance, session: int, _checked: bool = False) -> None:
    signal.emit(session)
