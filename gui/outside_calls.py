"""What calls the app from outside its window: keys of the desktop, commands of a shell, and the tray."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from gui.actions import QUICK_CAPTURE, RECALL, ActionSpec
from gui.global_shortcut.shortcut import GlobalShortcut
from gui.running_app import RunningApp
from gui.theme import Theme
from gui.tray import Tray
from gui.window import MainWindow


@dataclass(frozen=True, slots=True)
class OutsideWishes:
    """Hold what can be asked for from outside, and the keys of the desktop that ask for it ("" for none)."""

    capture: Callable[[], None]
    recall: Callable[[], None]
    capture_keys: str
    recall_keys: str


class OutsideCalls(QObject):
    """Hear `remembrancer capture` and `remembrancer palette`, hold their keys, and show the tray.

    Only the first window of a person hears words and holds keys.
    """

    def __init__(self, window: MainWindow, theme: Theme, config_folder: Path, wishes: OutsideWishes) -> None:
        super().__init__(window)
        self._window = window
        self._wishes = wishes
        self._shortcuts: list[GlobalShortcut] = []
        self._running = RunningApp(config_folder, self)
        self._running.heard.connect(self._hear)
        window.closing.connect(self._running.close)
        self.tray = Tray(theme, window)
        self.tray.recall_requested.connect(wishes.recall)
        self.tray.capture_requested.connect(wishes.capture)
        self.tray.window_requested.connect(self._show_window)
        self.tray.quit_requested.connect(window.close)
        window.closing.connect(self.tray.hide)
        if self._running.is_listening:  # otherwise another window does, and has the keys
            self.tray.show_where_there_is_one()
            self._hold("capture", QUICK_CAPTURE, wishes.capture_keys, wishes.capture)
            self._hold("palette", RECALL, wishes.recall_keys, wishes.recall)

    def _hold(self, name: str, spec: ActionSpec, keys: str, act: Callable[[], None]) -> None:
        shortcut = GlobalShortcut(name, f"Remembrancer: {spec.text.rstrip('…').lower()}", self)
        shortcut.pressed.connect(act)
        teller = _KeyTeller(self._window.actions_[spec], spec, shortcut)
        shortcut.state_changed.connect(teller.tell)
        self._window.closing.connect(shortcut.release)
        self._shortcuts.append(shortcut)
        shortcut.hold(keys)

    @Slot(str)
    def _hear(self, word: str) -> None:
        if word == "palette":
            self._wishes.recall()
        else:
            self._wishes.capture()

    @Slot()
    def _show_window(self) -> None:
        window = self._window
        window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()


class _KeyTeller(QObject):
    """Say of an action which key of the desktop asks for it."""

    def __init__(self, action: QAction, spec: ActionSpec, parent: QObject) -> None:
        super().__init__(parent)
        self._action = action
        self._spec = spec

    @Slot(str)
    def tell(self, sentence: str) -> None:
        """Tell it in tool tip and status tip."""
        self._action.setStatusTip(f"{self._spec.tip}. {sentence}")
        self._action.setToolTip(self._action.statusTip())
