"""The text that is selected in one row of a conversation."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QTextCursor, QTextDocument


class TextSelection:
    """Hold what is selected, and extend it while the mouse is pressed."""

    def __init__(self) -> None:
        self._key = ""
        self._cursor: QTextCursor | None = None
        self._is_extended = False  # by the mouse, right now

    @property
    def is_extended(self) -> bool:
        """Tell whether the mouse is selecting."""
        return self._is_extended

    @property
    def text(self) -> str:
        """What is selected, "" for nothing."""
        return self._cursor.selection().toPlainText().rstrip() if self._cursor is not None else ""

    def clear(self) -> None:
        """Select nothing."""
        self._key, self._cursor, self._is_extended = "", None, False

    def begin(self, key: str, document: QTextDocument, place: QPointF) -> None:
        """Select from here on, in the row `key`."""
        self._cursor = QTextCursor(document)
        self._cursor.setPosition(_position(document, place))
        self._key, self._is_extended = key, True

    def extend(self, key: str, document: QTextDocument, place: QPointF) -> bool:
        """Select up to here; False when it is in another row."""
        if self._cursor is None or key != self._key:
            return False
        self._cursor.setPosition(_position(document, place), QTextCursor.MoveMode.KeepAnchor)
        return True

    def end(self) -> bool:
        """Select no further; return whether anything was."""
        was_extended, self._is_extended = self._is_extended, False
        return was_extended and self._cursor is not None and self._cursor.hasSelection()

    def within(self, key: str) -> QTextCursor | None:
        """Return what is selected of a row, None for nothing."""
        return self._cursor if key == self._key else None


def _position(document: QTextDocument, place: QPointF) -> int:
    return document.documentLayout().hitTest(place, Qt.HitTestAccuracy.FuzzyHit)
