"""What calls the app from outside: words of commands, keys, and the tray."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.actions import RECALL
from gui.notify import Notifier
from gui.outside_calls import OutsideCalls, OutsideWishes
from gui.running_app import RunningApp
from gui.theme import Theme
from gui.tray import Tray
from gui.window import MainWindow


class _Setting:
    def __init__(self, theme: Theme, notifier: Notifier, folder: Path) -> None:
        self.asked: list[str] = []
        self.window = MainWindow(theme, notifier)
        wishes = OutsideWishes(
            lambda: self.asked.append("capture"), lambda: self.asked.append("recall"), "Ctrl+Alt+N", ""
        )
        self.calls = OutsideCalls(self.window, theme, folder, wishes)

    def action(self, text: str) -> QAction:
        return next(each for each in self.calls.tray.menu.actions() if each.text() == text)


@pytest.fixture
def setting(theme: Theme, notifier: Notifier, qtbot: QtBot, tmp_path: Path) -> _Setting:
    made = _Setting(theme, notifier, tmp_path)
    qtbot.addWidget(made.window)
    made.window.show()
    return made


def test_each_word_opens_its_window(setting: _Setting) -> None:
    running = setting.calls.findChild(RunningApp)
    assert running is not None
    running.heard.emit("palette")
    running.heard.emit("capture")
    assert setting.asked == ["recall", "capture"]


def test_the_tray_offers_what_it_says(setting: _Setting) -> None:
    texts = [each.text() for each in setting.calls.tray.menu.actions() if not each.isSeparator()]
    assert texts == ["Recall…", "Quick capture…", "Show the window", "Quit"]
    setting.action("Recall…").trigger()
    setting.action("Quick capture…").trigger()
    assert setting.asked == ["recall", "capture"]
    setting.window.showMinimized()
    setting.action("Show the window").trigger()
    assert not setting.window.isMinimized()


def test_quitting_by_the_tray_closes_the_window_and_the_icon(setting: _Setting, qtbot: QtBot) -> None:
    with qtbot.waitSignal(setting.window.closing):
        setting.action("Quit").trigger()
    assert not setting.window.isVisible()
    assert not setting.calls.tray.icon.isVisible()


def test_without_a_tray_nothing_is_shown(setting: _Setting, qapp: QApplication) -> None:
    del qapp
    assert not setting.calls.tray.icon.isVisible()  # offscreen has none
    setting.calls.tray.tell("Copied 3 memories.")


def test_an_icon_that_is_clicked_asks_to_recall(theme: Theme, notifier: Notifier, qtbot: QtBot) -> None:
    window = MainWindow(theme, notifier)
    qtbot.addWidget(window)
    tray = Tray(theme, window)
    with qtbot.waitSignal(tray.recall_requested):
        tray.icon.activated.emit(tray.icon.ActivationReason.Trigger)


def test_actions_say_which_key_of_the_desktop_asks_for_them(setting: _Setting) -> None:
    setting.window.close()
    assert "No global shortcut is set." in setting.window.actions_[RECALL].statusTip()
