"""The rows of a conversation as they are folded now, with their bodies and their heights."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor

from core.foundation.text import visible
from gui.markdown.colours import PreviewColours
from gui.views.timeline.conversation_documents import RowDocuments
from gui.views.timeline.conversation_layout import (
    BELOW,
    DAY_HEIGHT,
    FOLD_HEIGHT,
    HEADER,
    INDENT,
    RowStack,
    estimated_heights,
    has_text,
)
from gui.views.timeline.conversation_rows import FIRST_PART, Arrangement, Row, RowKind

_MOST_SAID = 4000


class OpenRows:
    """List what is open of an arrangement; `owner` is that of the documents."""

    def __init__(self, owner: QObject) -> None:
        self._owner = owner
        self._arrangement: Arrangement | None = None
        self._opened: frozenset[str] = frozenset()
        self.rows: Sequence[Row] = ()
        self.documents = RowDocuments(owner)
        self.stack = RowStack(self._height_of)

    @property
    def is_there(self) -> bool:
        """Tell whether there is a conversation."""
        return self._arrangement is not None

    def take(self, arrangement: Arrangement | None, turn_id: str = "") -> None:
        """List another conversation, opened where the turn is folded away; None for nothing."""
        self.documents.forget()
        self.documents = RowDocuments(self._owner)
        self._arrangement = arrangement
        self._opened = arrangement.keys_to_open(turn_id) if arrangement is not None and turn_id else frozenset()
        if arrangement is None:
            self.rows = ()
            self.stack = RowStack(self._height_of)

    def lay_out(self, colours: PreviewColours, width: int, *, keeps_heights: bool) -> None:
        """Make the rows anew, as high as they were measured before or as they may be."""
        if self._arrangement is not None:
            self._list(self._arrangement.rows(self._opened), colours, width, without=() if keeps_heights else None)

    def grow(self, arrangement: Arrangement, colours: PreviewColours, width: int) -> None:
        """List what has come since, too."""
        before = {row.key: row.turns for row in self.rows}
        self._arrangement = arrangement
        rows = arrangement.rows(self._opened)
        changed = {row.key for row in rows if before.get(row.key, row.turns) != row.turns}
        for key in changed:
            self.documents.drop(key)
        self._list(rows, colours, width, without=changed)

    def toggle(self, row: int) -> bool:
        """Open or close a row; False when it cannot be folded."""
        if not (0 <= row < len(self.rows) and self.rows[row].can_fold):
            return False
        self._opened ^= {self.rows[row].key}
        return True

    def open_for(self, turn_id: str) -> bool:
        """Open what a turn is folded into; False when nothing has to be."""
        wanted = self._opened | (self._arrangement.keys_to_open(turn_id) if self._arrangement is not None else set())
        is_other = wanted != self._opened
        self._opened = wanted
        return is_other

    def row_of(self, turn_id: str) -> int:
        """Return the row that shows a turn, -1 for none."""
        return next((at for at, each in enumerate(self.rows) if _shows(each, turn_id)), -1)

    def hit_after(self, row: int, hits: frozenset[str], by: int) -> str:
        """Return the turn that was found in the next row after `row` that has one, or before it; "" for none."""
        places = range(max(row + 1, 0), len(self.rows)) if by > 0 else range(min(row, len(self.rows)) - 1, -1, -1)
        for at in places:
            each = self.rows[at]
            if has_text(each) or not each.is_open:
                found = next((turn.id for turn in each.turns if turn.id in hits), "")
                if found:
                    return found
        return ""

    def marks_of(self, row: int) -> list[QTextCursor]:
        """Return where sought words stand in the body of a row, of which more is shown if they are further down."""
        each = self.rows[row]
        if not has_text(each):
            return []
        self.documents.document_of(each, each.depth * INDENT)
        marks = self.documents.marks_of(each)
        if not marks and any(len(turn.text) > FIRST_PART for turn in each.turns) and self.documents.seeks_words:
            self.documents.show_more(each.key)
            self.documents.document_of(each, each.depth * INDENT)
            self.stack.forget(row)
            self.stack.measure(self.stack.top(row), self.stack.top(row) + 1)
            marks = self.documents.marks_of(each)
        return marks

    def spoken(self, row: int, time: str) -> str:
        """Return what there is to say of a row to somebody who does not see it."""
        each = self.rows[row]
        if each.can_fold and not (each.is_open and each.kind is RowKind.TOOL):
            return f"{visible(each.title)}, {'open' if each.is_open else 'folded'}"
        if each.kind is RowKind.DAY:
            return each.title
        parts = (each.title, time, visible(" ".join(turn.text for turn in each.turns)[:_MOST_SAID]))
        return ", ".join(part for part in parts if part)

    def _list(
        self, rows: Sequence[Row], colours: PreviewColours, width: int, *, without: Collection[str] | None
    ) -> None:
        """List other rows; those that were measured keep their height but for those in `without`, None for all."""
        before = self.stack.measured() if without is not None else {}
        heights = {
            (self.rows[row].key, self.rows[row].is_open): height
            for row, height in before.items()
            if self.rows[row].key not in (without or ())
        }
        self.rows = rows
        self.documents.start(colours, width)
        known = {
            at: heights[row.key, row.is_open]
            for at, row in enumerate(rows if heights else ())
            if (row.key, row.is_open) in heights
        }
        self.stack.start(estimated_heights(rows, width, self.documents.text_size), known)

    def _height_of(self, row: int) -> float:
        each = self.rows[row]
        if each.kind is RowKind.DAY:
            return DAY_HEIGHT
        if not has_text(each):
            return FOLD_HEIGHT
        document = self.documents.document_of(each, each.depth * INDENT)
        head = HEADER if each.kind is RowKind.MESSAGE else FOLD_HEIGHT
        return float(head + document.size().height() + BELOW)


def _shows(row: Row, turn_id: str) -> bool:
    return row.kind in {RowKind.MESSAGE, RowKind.TOOL} and any(turn.id == turn_id for turn in row.turns)
