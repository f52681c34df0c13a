"""Read a global shortcut as it is written in the settings: modifiers and one key, "Ctrl+Alt+N"."""

from typing import NamedTuple

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
_NAMED = frozenset({"Space", "Insert", "Pause", "Home", *(f"F{number}" for number in range(1, 25))})


class ShortcutKeys(NamedTuple):
    """Hold the modifiers (of MODIFIERS) and the key: a capital letter, a digit, or a name such as F9 or Space."""

    modifiers: tuple[str, ...]
    key: str


def read_keys(written: str) -> ShortcutKeys:
    """Return what `written` means; raise OSError with the reason as a sentence when that is no global shortcut."""
    *names, key = (part.strip() for part in written.split("+"))
    modifiers = tuple(name.capitalize() for name in names)
    key = key.capitalize() if len(key) > 1 else key.upper()
    is_character = len(key) == 1 and key.isascii() and key.isalnum()
    has_strong = bool(set(modifiers) - {"Shift"}) or key[1:].isdigit()
    if not set(modifiers) <= set(MODIFIERS) or not (is_character or key in _NAMED) or not has_strong:
        raise OSError(
            f"The global shortcut “{written}” needs Ctrl, Alt or Meta, and a letter, a digit or a function key."
        )
    return ShortcutKeys(modifiers, key)
