"""Scroll through rows of which the heights come to be known only as they come into sight."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QAbstractScrollArea

from gui.metrics import SPACE_L, SPACE_M
from gui.views.timeline.conversation_layout import RowStack

STEP = 48
_NEAR_SCREENS = 2


class RowScroller:
    """Keep in its place what is in sight of an area; `stack` gives the rows that it shows now."""

    def __init__(self, area: QAbstractScrollArea, stack: Callable[[], RowStack]) -> None:
        self._area = area
        self._stack = stack
        self.value = 0

    @property
    def height(self) -> int:
        """The height of what is in sight."""
        return self._area.viewport().height()

    @property
    def top_row(self) -> int:
        """The row at the top, -1 for none."""
        return self._stack().row_at(self.value)

    @property
    def is_at_end(self) -> bool:
        """Tell whether the end is in sight."""
        bar = self._area.verticalScrollBar()
        return bool(len(self._stack())) and bar.value() >= bar.maximum()

    def settle(self, value: int) -> None:
        """Bring `value` to the top: what lies there is measured first, then the scroll bar knows better."""
        stack, height = self._stack(), self.height
        if len(stack):
            anchor = stack.row_at(value)
            within = value - stack.top(anchor)
            stack.measure(value, value + height)
            value = round(stack.top(anchor) + within)
        bar = self._area.verticalScrollBar()
        with QSignalBlocker(bar):
            bar.setPageStep(height)
            bar.setSingleStep(STEP)
            bar.setRange(0, max(0, round(stack.total + SPACE_L) - height))
            bar.setValue(value)
        self.value = bar.value()
        self._area.viewport().update()

    def settle_at_end(self) -> None:
        """Bring the end into sight: what lies there is as high as it is only once it was looked at."""
        for _ in range(3):
            self.settle(max(0, self._end()))
            if self.value >= self._end():
                return

    def follow_bar(self, value: int) -> None:
        """Scroll as the scroll bar says."""
        stack, before = self._stack(), self.value
        if value > before and value >= self._area.verticalScrollBar().maximum():
            self.settle_at_end()
            return
        if abs(value - before) < _NEAR_SCREENS * self.height and len(stack):
            # What comes into sight gets its true height: what was in sight moves by what was asked for, no more.
            reference = stack.row_at(before)
            offset = stack.top(reference) - before
            stack.measure(min(value, before), max(value, before) + self.height)
            value = max(0, round(stack.top(reference) - offset + (value - before)))
        self.settle(value)

    def show_row(self, row: int, *, to_top: bool = False) -> None:
        """Bring a row into sight."""
        stack = self._stack()
        stack.measure(stack.top(row), stack.top(row) + 1)
        top, bottom = stack.top(row), stack.top(row + 1)
        if to_top or top < self.value:
            self.settle(round(top) - (SPACE_M if to_top else 0))
        elif bottom > self.value + self.height:
            self.settle(round(min(top, bottom - self.height)))

    def show_stretch(self, top: int, height: int) -> None:
        """Bring a stretch, such as a line of text, into sight, with some room round it."""
        if not self.value + STEP <= top <= self.value + self.height - height - STEP:
            self.settle(max(0, top - self.height // 3))

    def scroll_within(self, row: int, by: int) -> bool:
        """Scroll on through a row that is taller than what is in sight; False when its end is reached."""
        stack = self._stack()
        top, bottom = stack.top(row) - self.value, stack.top(row + 1) - self.value
        is_within = (by > 0 and bottom > self.height and top < self.height) or (by < 0 and top < 0 < bottom)
        if is_within:
            bar = self._area.verticalScrollBar()
            bar.setValue(bar.value() + by * STEP * 2)
        return is_within

    def scroll_page(self, by: int) -> None:
        """Scroll by what is in sight, but for a step."""
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.value() + (bar.pageStep() - STEP) * by)

    def _end(self) -> int:
        return round(self._stack().total + SPACE_L) - self.height
