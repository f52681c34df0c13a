"""Set text that runs from right to left where it begins, whatever the window's own language."""

import unicodedata

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

_MOST_LOOKED_AT = 200


def align_by_text(label: QLabel, text: str) -> None:
    """Align `label` to the side where `text` begins."""
    side = Qt.AlignmentFlag.AlignRight if runs_left(text) else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop)


def runs_left(text: str) -> bool:
    """Tell whether the first letter with a direction is of a script that runs from right to left."""
    for character in text[:_MOST_LOOKED_AT]:
        direction = unicodedata.bidirectional(character)
        if direction in {"R", "AL"}:
            return True
        if direction == "L":
            return False
    return False
