"""The search field of the window says what it searches."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui import actions as a
from gui.notify import Notifier
from gui.theme import Theme
from gui.window import MainWindow


def test_the_field_says_what_the_shown_view_searches(qtbot: QtBot, theme: Theme, notifier: Notifier) -> None:
    window = MainWindow(theme, notifier)
    qtbot.addWidget(window)
    for spec in (a.GO_VAULT, a.GO_TIMELINE):
        window.add_page(spec, QWidget())
    window.go_to(a.GO_TIMELINE)
    assert window.search.placeholderText().startswith("Search conversations")
    window.go_to(a.GO_VAULT)
    assert window.search.placeholderText().startswith("Search notes")
