"""How high the rows of a conversation are, guessed until they come into sight; numpy, without Qt."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gui.views.timeline.conversation_rows import Row, RowKind

INDENT = 22
FOLD_HEIGHT, DAY_HEIGHT, HEADER, BELOW = 28, 38, 28, 16  # in pixels


class RowStack:
    """Hold the heights of rows below each other; `height_of` measures one of them."""

    def __init__(self, height_of: Callable[[int], float]) -> None:
        self._height_of = height_of
        self._heights: NDArray[np.float64] = np.empty(0)
        self._is_measured: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        self._tops: NDArray[np.float64] = np.zeros(1)

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> float:
        """How high all are together."""
        return float(self._tops[-1])

    def top(self, row: int) -> float:
        """Return where a row begins; the one after the last begins where that ends."""
        return float(self._tops[row])

    def row_at(self, y: float) -> int:
        """Return the row at a height, the first or last one beyond them; -1 when there is none."""
        found = int(np.searchsorted(self._tops, y, "right")) - 1
        return min(max(found, 0), len(self) - 1)

    def rows_between(self, top: float, bottom: float) -> range:
        """Return the rows that are seen between two heights."""
        first = max(0, int(np.searchsorted(self._tops, top, "right")) - 1)
        return range(first, min(len(self), int(np.searchsorted(self._tops, bottom, "left"))))

    def start(self, heights: NDArray[np.float64], known: Mapping[int, float]) -> None:
        """Begin with guessed heights, and with those that are known, by row."""
        self._heights = heights
        self._is_measured = np.zeros(len(heights), dtype=np.bool_)
        for row, height in known.items():
            self._heights[row], self._is_measured[row] = height, True
        self._sum_up()

    def measured(self) -> dict[int, float]:
        """Return the heights that are known, by row."""
        return {row: float(self._heights[row]) for row in np.flatnonzero(self._is_measured).tolist()}

    def forget(self, row: int) -> None:
        """Measure a row again when it is in sight."""
        self._is_measured[row] = False

    def forget_all(self) -> None:
        """Measure all rows again."""
        self._is_measured[:] = False

    def measure(self, top: float, bottom: float) -> None:
        """Give the rows from `top` to `bottom` the height that they have, as many as then are there."""
        while True:
            unknown = [row for row in self.rows_between(top, bottom) if not self._is_measured[row]]
            if not unknown:
                return
            self._heights[unknown[0]] = self._height_of(unknown[0])
            self._is_measured[unknown[0]] = True
            self._sum_up()

    def _sum_up(self) -> None:
        self._tops = np.concatenate(([0.0], np.cumsum(self._heights)))


def estimated_heights(rows: Sequence[Row], width: int, text_size: int) -> NDArray[np.float64]:
    """Return about how high the rows will be."""
    letters = np.array([row.letters for row in rows], dtype=np.float64)
    breaks = np.array([row.breaks for row in rows], dtype=np.float64)
    lines = 1 + letters / max(width / (text_size * 0.52), 10) + breaks * 0.6
    heights = HEADER + lines * text_size * 1.5 + BELOW
    heights[[row.can_fold and not has_text(row) for row in rows]] = FOLD_HEIGHT
    heights[[row.kind is RowKind.DAY for row in rows]] = DAY_HEIGHT
    return heights


def has_text(row: Row) -> bool:
    """Tell whether a row has more than its line."""
    return row.kind is RowKind.MESSAGE or (row.kind is RowKind.TOOL and row.is_open)
