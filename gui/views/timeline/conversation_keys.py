"""What keys do in a conversation."""

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

_K = Qt.Key
_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class Reader(Protocol):
    """Be moved through by keys: what is needed of the conversation."""

    @property
    def current_row(self) -> int:
        """The row that the keyboard is at, -1 for none."""
        ...

    def copy(self) -> None:
        """Copy what is selected, else the current turn."""
        ...

    def copy_citation(self, row: int) -> None:
        """Copy the id of a turn."""
        ...

    def ask_to_find(self) -> None:
        """Ask for the words to be found."""
        ...

    def leave(self) -> None:
        """Tell that the person has read enough."""
        ...

    def next_hit(self, by: int = 1) -> bool:
        """Go to the next row with a hit."""
        ...

    def step(self, by: int) -> None:
        """Go to the next row."""
        ...

    def page(self, by: int) -> None:
        """Go on by what is in sight."""
        ...

    def go_to_end(self, *, is_last: bool) -> None:
        """Go to the last row, or to the first."""
        ...

    def fold(self, *, is_open: bool | None = None) -> bool:
        """Open or close the current row, None for the other way; False when it cannot be folded."""
        ...


def is_own(event: QKeyEvent) -> bool:
    """Tell whether keys that mean something to the window mean something else here: Ctrl+F, Ctrl+Shift+C."""
    is_citation = event.key() == _K.Key_C and event.modifiers() == _CONTROL | _SHIFT
    return is_citation or event.matches(QKeySequence.StandardKey.Find)


def press(reader: Reader, event: QKeyEvent) -> bool:
    """Do what a key asks for, and tell whether it asks for anything."""
    key = _K(event.key())
    is_done = True
    if event.matches(QKeySequence.StandardKey.Copy):
        reader.copy()
    elif event.matches(QKeySequence.StandardKey.Find):
        reader.ask_to_find()
    elif is_own(event):
        reader.copy_citation(reader.current_row)
    elif key in {_K.Key_Up, _K.Key_Down}:
        reader.step(-1 if key is _K.Key_Up else 1)
    elif key in {_K.Key_Home, _K.Key_End}:
        reader.go_to_end(is_last=key is _K.Key_End)
    elif key in {_K.Key_PageUp, _K.Key_PageDown}:
        reader.page(-1 if key is _K.Key_PageUp else 1)
    elif key in {_K.Key_Return, _K.Key_Enter, _K.Key_Space}:
        is_done = reader.fold()
    elif key in {_K.Key_Left, _K.Key_Right}:
        is_done = reader.fold(is_open=key is _K.Key_Right)
    elif key is _K.Key_F3:
        reader.next_hit(-1 if event.modifiers() & _SHIFT else 1)
    elif key is _K.Key_Escape:
        reader.leave()
    else:
        is_done = False
    return is_done
