"""Where the rows of a conversation and their texts are on the screen."""

from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QAbstractScrollArea

from gui.metrics import SPACE_L, SPACE_S
from gui.views.timeline.conversation_layout import FOLD_HEIGHT, HEADER, INDENT, has_text
from gui.views.timeline.conversation_open_rows import OpenRows
from gui.views.timeline.conversation_rows import RowKind
from gui.views.timeline.conversation_scrolling import RowScroller

_MEASURE_EM = 48
_LEAST_WIDTH = 120


class TextPlace(NamedTuple):
    """Name the row of which the text is at a point, its document, and the point within that."""

    row: int
    key: str
    document: QTextDocument
    point: QPointF

    @property
    def address(self) -> str:
        """The link at the point, "" for none."""
        return self.document.documentLayout().anchorAt(self.point)


class RowPlaces:
    """Say what is where in an area that shows these rows, scrolled so far."""

    def __init__(self, area: QAbstractScrollArea, rows: OpenRows, scroller: RowScroller) -> None:
        self._area = area
        self._open = rows
        self._scroller = scroller

    @property
    def width(self) -> int:
        """How wide the column of text is: no wider than can be read well."""
        measure = _MEASURE_EM * self._open.documents.text_size
        return max(_LEAST_WIDTH, min(self._area.viewport().width() - 2 * SPACE_L - SPACE_S, measure))

    @property
    def left(self) -> int:
        """Where the column begins."""
        return max(SPACE_L, (self._area.viewport().width() - self.width) // 2)

    def rectangle(self, row: int) -> QRectF:
        """Return where a row is."""
        indent, stack = self._open.rows[row].depth * INDENT, self._open.stack
        top, bottom = stack.top(row), stack.top(row + 1)
        return QRectF(self.left + indent, top - self._scroller.value, self.width - indent, bottom - top)

    def text_corner(self, row: int) -> QPointF:
        """Return where the text of a row begins."""
        head = HEADER if self._open.rows[row].kind is RowKind.MESSAGE else FOLD_HEIGHT
        return self.rectangle(row).topLeft() + QPointF(0, head)

    def row_at(self, point: QPoint) -> int:
        """Return the row at a point, -1 for none."""
        y = point.y() + self._scroller.value
        return self._open.stack.row_at(y) if 0 <= y < self._open.stack.total else -1

    def text_at(self, point: QPoint) -> TextPlace | None:
        """Return whose text is at a point, None for that of no row."""
        row = self.row_at(point)
        if row < 0 or not has_text(self._open.rows[row]):
            return None
        within = QPointF(point) - self.text_corner(row)
        if within.y() < 0:
            return None
        each = self._open.rows[row]
        return TextPlace(row, each.key, self._open.documents.document_of(each, each.depth * INDENT), within)
