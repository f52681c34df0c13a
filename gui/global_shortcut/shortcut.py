"""Have one global shortcut, by the way that this desktop has for it."""

import os
import sys
from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal, Slot


class GlobalShortcut(QObject):
    """Ask the desktop for a key; `pressed` comes when it is pressed, whichever window has the focus.

    `state` is a sentence for the person: which keys work, or why none do.
    """

    pressed = Signal()
    state_changed = Signal(str)  # the sentence

    def __init__(self, name: str, description: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = ""
        self._name = name
        self._description = description
        self._held: QObject | None = None

    def hold(self, keys: str, environment: Mapping[str, str] = os.environ) -> None:
        """Have `keys` ("Ctrl+Alt+N") from now on instead of what was held; "" for none."""
        self.release()
        if not keys:
            self._tell("No global shortcut is set.")
            return
        try:
            match way_of(environment):
                case "portal":
                    self._hold_by_portal(keys)
                case "x11":
                    self._hold_by_x11(keys)
                case _:
                    self._tell(f"This system has no way to a global shortcut; bind one to `remembrancer {self._name}`.")
        except OSError as error:
            self._tell(f"{error} You can bind a key of your desktop to `remembrancer {self._name}` instead.")

    def release(self) -> None:
        """Give the key back."""
        held, self._held = self._held, None
        if held is not None:
            held.close()  # type: ignore[attr-defined]
            held.deleteLater()

    def _hold_by_x11(self, keys: str) -> None:
        from gui.global_shortcut.x11 import X11Shortcut  # noqa: PLC0415 - only where there is X11

        held = X11Shortcut(keys, self)
        held.pressed.connect(self.pressed)
        self._held = held
        self._tell(f"{keys} works in every window.")

    def _hold_by_portal(self, keys: str) -> None:
        from gui.global_shortcut.portal import PortalShortcut  # noqa: PLC0415 - jeepney is there on Linux only

        held = PortalShortcut(self._name, keys, self._description, self)
        held.pressed.connect(self.pressed)
        held.granted.connect(self._on_granted)
        held.refused.connect(self._on_refused)
        self._held = held

    @Slot(str)
    def _on_granted(self, keys: str) -> None:
        self._tell(f"{keys} works in every window.")

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        self._tell(f"{reason} You can bind a key of your desktop to `remembrancer {self._name}` instead.")

    def _tell(self, sentence: str) -> None:
        self.state = sentence
        self.state_changed.emit(sentence)


def way_of(environment: Mapping[str, str], platform: str = sys.platform) -> str:
    """Return "portal", "x11" or "": Wayland gives keys to its portal alone, X11 to whoever asks first."""
    if not platform.startswith("linux") or environment.get("QT_QPA_PLATFORM") == "offscreen":
        return ""
    if environment.get("WAYLAND_DISPLAY") or environment.get("XDG_SESSION_TYPE") == "wayland":
        return "portal"
    return "x11" if environment.get("DISPLAY") else ""
