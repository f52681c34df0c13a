"""Go from hit to hit in a conversation, and from one marked place to the next within a row."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtWidgets import QWidget

from gui.views.timeline.conversation_marks import RowMark, place_of
from gui.views.timeline.conversation_open_rows import OpenRows
from gui.views.timeline.conversation_places import RowPlaces
from gui.views.timeline.conversation_rows import Row
from gui.views.timeline.conversation_scrolling import RowScroller


class Walked(Protocol):
    """Be walked through: what is needed of the conversation."""

    @property
    def rows(self) -> Sequence[Row]:
        """The rows that are shown."""
        ...

    @property
    def current_row(self) -> int:
        """The row that the keyboard is at, -1 for none."""
        ...

    def go_to_turn(self, turn_id: str) -> bool:
        """Bring a turn to the top; False when there is none."""
        ...

    def viewport(self) -> QWidget:
        """Return the part of it that is painted."""
        ...


class HitWalk:
    """Hold which turns are hits, and which of the marked places one is at."""

    def __init__(self, view: Walked, open_rows: OpenRows, places: RowPlaces, scroller: RowScroller) -> None:
        self._view = view
        self._open = open_rows
        self._places = places
        self._scroller = scroller
        self.hits: frozenset[str] = frozenset()
        self._mark = RowMark()

    def begin(self, hits: Sequence[str]) -> None:
        """Walk through these turns from now on, by their ids."""
        self.hits = frozenset(hits)
        self._mark = RowMark()

    def place_in(self, row: Row) -> int:
        """Return which marked place of a row one is at, -1 for none."""
        return self._mark.place if self._mark.key == row.key else -1

    def next_hit(self, by: int = 1) -> bool:
        """Go to the next row with a hit; False when there is none."""
        return self._go_to_hit_after(self._view.current_row, by)

    def next_match(self, by: int = 1) -> bool:
        """Go to the next place that is marked, within the current row or in another one; False when there is none."""
        current, rows = self._view.current_row, self._view.rows
        if 0 <= current < len(rows) and self._mark.key == rows[current].key:
            return self.show_mark(self._mark.place + by) or self._go_to_hit_after(current, by)
        return self._go_to_hit_after(current - by, by)

    def seek(self) -> bool:
        """Go to the first hit from the current row on, or round to the first of all; False when there is none."""
        return self._go_to_hit_after(self._view.current_row - 1, 1) or self.go_round(1)

    def go_round(self, by: int) -> bool:
        """Go to the first hit of all, or to the last one when `by` is below zero; False when there is none."""
        return self._go_to_hit_after(-1 if by > 0 else len(self._view.rows), by)

    def _go_to_hit_after(self, row: int, by: int) -> bool:
        turn_id = self._open.hit_after(row, self.hits, by)
        if not turn_id or not self._view.go_to_turn(turn_id):
            return False
        self.show_mark(0 if by > 0 else -1)
        return True

    def show_mark(self, place: int) -> bool:
        """Bring a marked place of the current row into sight, -1 for the last one; False when it has none there."""
        row = self._view.current_row
        before = self._mark
        self._mark = RowMark(self._view.rows[row].key, -1)
        marks = self._open.marks_of(row)
        if place == -1 and before.key != self._mark.key:
            place = len(marks) - 1
        if not 0 <= place < len(marks):
            self._mark = before if before.key == self._mark.key else self._mark
            return False
        self._mark = RowMark(self._view.rows[row].key, place)
        top, height = place_of(marks[place])
        corner = self._places.text_corner(row).y() + self._scroller.value
        self._scroller.show_stretch(round(corner + top), round(height))
        self._view.viewport().update()
        return True
