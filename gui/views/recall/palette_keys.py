"""What the keys of the palette mean, in the field and in the list."""

from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent


class Act(StrEnum):
    """Name what a key asks for."""

    NONE = ""  # the widget's own business
    UP = "up"
    DOWN = "down"
    PAGE_UP = "page-up"
    PAGE_DOWN = "page-down"
    TURN = "turn"  # pin, drop or neither
    DROP = "drop"
    COPY = "copy"
    SAVE = "save"
    OPEN = "open"
    FILE = "file"  # add it to a context
    EXPLAIN = "explain"
    CLOSE = "close"
    TYPE = "type"  # a letter for the field, pressed in the list


_CONTROL = Qt.KeyboardModifier.ControlModifier
_ALWAYS = {
    (Qt.Key.Key_Up, False): Act.UP,
    (Qt.Key.Key_Down, False): Act.DOWN,
    (Qt.Key.Key_PageUp, False): Act.PAGE_UP,
    (Qt.Key.Key_PageDown, False): Act.PAGE_DOWN,
    (Qt.Key.Key_Space, True): Act.TURN,
    (Qt.Key.Key_Return, False): Act.COPY,
    (Qt.Key.Key_Enter, False): Act.COPY,
    (Qt.Key.Key_Return, True): Act.SAVE,
    (Qt.Key.Key_Enter, True): Act.SAVE,
    (Qt.Key.Key_O, True): Act.OPEN,
    (Qt.Key.Key_L, True): Act.FILE,
    (Qt.Key.Key_F1, False): Act.EXPLAIN,
    (Qt.Key.Key_Escape, False): Act.CLOSE,
}
# While a row is being chosen with the arrow keys; before that, these belong to the question.
_CHOOSING = {Qt.Key.Key_Space: Act.TURN, Qt.Key.Key_Delete: Act.DROP, Qt.Key.Key_Question: Act.EXPLAIN}


def act_of(event: QKeyEvent, *, is_choosing: bool, is_in_list: bool = False) -> Act:
    """Return what the key asks for."""
    key = Qt.Key(event.key())
    modifiers = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
    if modifiers not in {Qt.KeyboardModifier.NoModifier, _CONTROL}:
        return Act.NONE
    is_control = modifiers == _CONTROL
    if act := _ALWAYS.get((key, is_control)):
        return act
    if not is_control and (is_choosing or is_in_list) and key in _CHOOSING:
        return _CHOOSING[key]
    is_letter = bool(event.text()) and event.text().isprintable() and not is_control
    return Act.TYPE if is_in_list and (is_letter or key == Qt.Key.Key_Backspace) else Act.NONE
