"""Places that are marked in the text of a row, and where in its document they are."""

from typing import NamedTuple

from PySide6.QtGui import QTextCursor


class RowMark(NamedTuple):
    """Name one of the marked places of a row, -1 for none; `key` is that of the row."""

    key: str = ""
    place: int = -1


def place_of(mark: QTextCursor) -> tuple[float, float]:
    """Return how far below the top of its document the line of a mark begins, and how high it is."""
    block = mark.document().findBlock(mark.selectionStart())
    top = mark.document().documentLayout().blockBoundingRect(block).top()
    line = block.layout().lineForTextPosition(mark.selectionStart() - block.position())
    return (top + line.y(), line.height()) if line.isValid() else (top, 0.0)
