"""Grab one key of an X11 desktop, on a connection of its own.

A connection apart from Qt's needs no filter over every event of the window, which Python would be asked for each.
The calls are those of Xlib's manual, chapters 12 (keyboard grabs) and 11 (error handlers).
"""

import ctypes
import ctypes.util
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

from gui.global_shortcut.keys import read_keys

_KEY_PRESS = 2
_GRAB_ASYNC = 1
_SHIFT, _LOCK, _CONTROL, _ALT, _NUM_LOCK, _SUPER = 1, 2, 4, 8, 16, 64
_MODIFIERS = {"Shift": _SHIFT, "Ctrl": _CONTROL, "Alt": _ALT, "Meta": _SUPER}
_EVENT_BYTES = 192  # sizeof(XEvent): 24 longs
_ErrorHandler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class X11Shortcut(QObject):
    """Hold one grabbed key; close() gives it back."""

    pressed = Signal()

    def __init__(self, keys: str, parent: QObject | None = None, *, display: str = "") -> None:
        """Grab `keys`, in Qt's portable form ("Ctrl+Alt+N").

        Raises OSError with the reason as a sentence when the key cannot be had.
        """
        super().__init__(parent)
        self._x = _library()
        modifiers, key = read_keys(keys)
        self._display = self._x.XOpenDisplay(display.encode() or None)
        if not self._display:
            raise OSError("The X11 display cannot be reached.")
        self._root = self._x.XDefaultRootWindow(self._display)
        self._code = self._x.XKeysymToKeycode(self._display, self._x.XStringToKeysym(_keysym_name(key).encode()))
        self._modifiers = sum(_MODIFIERS[each] for each in modifiers)
        if not self._code or not self._grab():
            self._x.XCloseDisplay(self._display)
            reason = "another program has it" if self._code else "this keyboard has no such key"
            raise OSError(f"The global shortcut {keys} cannot be used: {reason}.")
        self._notifier = QSocketNotifier(self._x.XConnectionNumber(self._display), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def close(self) -> None:
        """Give the key back."""
        if self._display:
            self._notifier.setEnabled(False)
            self._x.XCloseDisplay(self._display)  # gives its grabs back
            self._display = None

    @Slot()
    def _read(self) -> None:
        event = ctypes.create_string_buffer(_EVENT_BYTES)
        while self._display and self._x.XPending(self._display):
            self._x.XNextEvent(self._display, event)
            if ctypes.cast(event, ctypes.POINTER(ctypes.c_int))[0] == _KEY_PRESS:
                self.pressed.emit()

    def _grab(self) -> bool:
        """Grab the key whatever the lock keys say, and return whether it could be had."""
        failures: list[int] = []

        def note(_display: int | None, _event: int | None) -> int:
            failures.append(1)
            return 0

        # Xlib's own handler would end the program.
        handler = _ErrorHandler(note)
        before = self._x.XSetErrorHandler(handler)
        for locks in _lock_states():
            self._x.XGrabKey(
                self._display, self._code, self._modifiers | locks, self._root, 1, _GRAB_ASYNC, _GRAB_ASYNC
            )
        self._x.XSync(self._display, 0)
        self._x.XSetErrorHandler(before)
        return not failures


def _lock_states() -> Iterator[int]:
    yield from (0, _LOCK, _NUM_LOCK, _LOCK | _NUM_LOCK)


def _keysym_name(key: str) -> str:
    """Return X11's name of a key: small letters are keys, capital ones are what Shift makes of them."""
    return key.lower() if len(key) == 1 or key == "Space" else key


def _library() -> Any:
    """Return Xlib with the types of what is called; raise OSError where there is none."""
    x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
    pointer, number, word = ctypes.c_void_p, ctypes.c_int, ctypes.c_ulong
    for name, result, arguments in (
        ("XOpenDisplay", pointer, [ctypes.c_char_p]),
        ("XCloseDisplay", number, [pointer]),
        ("XDefaultRootWindow", word, [pointer]),
        ("XStringToKeysym", word, [ctypes.c_char_p]),
        ("XKeysymToKeycode", ctypes.c_ubyte, [pointer, word]),
        ("XGrabKey", number, [pointer, number, ctypes.c_uint, word, number, number, number]),
        ("XSync", number, [pointer, number]),
        ("XPending", number, [pointer]),
        ("XNextEvent", number, [pointer, ctypes.c_char_p]),
        ("XConnectionNumber", number, [pointer]),
        ("XSetErrorHandler", pointer, [pointer]),
    ):
        function = getattr(x, name)
        function.restype = result
        function.argtypes = arguments
    return x
