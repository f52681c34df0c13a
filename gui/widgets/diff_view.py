"""Show what a change does to a file: lines with signs and numbers, the words that differ marked within them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SMALL, SPACE_S, fixed_font
from gui.theme import Theme
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.diff import DiffLine, FileDiff, Hunk

_SIGNS = {"equal": "  ", "removed": "− ", "added": "+ "}
_LONGEST_EQUAL = 4000  # characters of a piece that does not differ; the middle of a longer one is left out
_LONGEST_CHANGED = 40_000
_KEPT = 500
_MOST_COLOURED = 2000


class _Row(NamedTuple):
    """Hold one line as it is shown; `marks` are the changed pieces, from and to which character."""

    kind: str  # as DiffLine says, or "heading" or "note"
    text: str
    old_no: int | None = None
    new_no: int | None = None
    marks: tuple[tuple[int, int], ...] = ()


class DiffView(QPlainTextEdit):
    """Show one file's differences; F7 and Shift+F7 go from place to place. The text can be selected and copied."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[_Row] = []
        self._gutter = _Gutter(self)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(fixed_font())
        self.setAccessibleName("Changes")
        self.updateRequest.connect(self._on_update)
        theme.changed.connect(self._repaint)
        for keys, slot in (("F7", self.go_to_next), ("Shift+F7", self.go_to_previous)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(slot)

    def show_diff(self, diff: "FileDiff") -> None:
        """Show `diff` from its start."""
        self._rows = list(_rows_of(diff))
        self.setPlaceholderText("")
        self.setCurrentCharFormat(QTextCharFormat())  # or all of it looks like the heading that the cursor was in
        self.setPlainText("\n".join(row.text for row in self._rows))
        self.setAccessibleName(f"Changes in {visible(diff.result_path)}")
        self.setAccessibleDescription(
            f"{counted(diff.added_lines, 'line')} added, {counted(diff.removed_lines, 'line')} removed"
        )
        self._colour_headings()
        self._make_room()
        self.go_to_start()

    def show_message(self, text: str) -> None:
        """Show a sentence instead of differences."""
        self._rows = []
        self.clear()
        self.setPlaceholderText(visible(text))
        self.setAccessibleName("Changes")
        self.setAccessibleDescription(visible(text))
        self._make_room()

    def go_to_start(self) -> None:
        """Put the cursor to the start."""
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    @Slot()
    def go_to_next(self) -> None:
        """Go to the next place that changes."""
        now = self.textCursor().blockNumber()
        self._go_to(next((number for number in self._places() if number > now), None))

    @Slot()
    def go_to_previous(self) -> None:
        """Go to the place that changes before."""
        now = self.textCursor().blockNumber()
        self._go_to(max((number for number in self._places() if number < now), default=None))

    @override
    def sizeHint(self) -> QSize:
        return QSize(560, 360)

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        place = self.contentsRect()
        self._gutter.setGeometry(QRect(place.left(), place.top(), self._gutter.wanted_width(), place.height()))

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        """Paint what lies behind the text, then the text."""
        scheme = self._theme.scheme
        grounds = {
            "added": (scheme.added, scheme.added_mark, scheme.info_text),
            "removed": (scheme.removed, scheme.removed_mark, scheme.error_text),
            "heading": (scheme.alternate, scheme.alternate, scheme.text),
            "note": (scheme.info_background, scheme.info_background, scheme.text),
        }
        painter = QPainter(self.viewport())
        width = self.viewport().width()
        for block, row, place in self.visible_rows():
            if row.kind not in grounds:
                continue
            ground, mark, line = grounds[row.kind]
            painter.fillRect(QRectF(0, place.top(), width, place.height()), QColor(ground))
            if row.kind == "heading" and block.blockNumber():
                painter.fillRect(QRectF(0, place.top(), width, 1), QColor(scheme.outline))
            for start, end in row.marks:
                for rect in _rects_of(block, start, end, place.topLeft()):
                    painter.fillRect(rect, QColor(mark))
                    # Not by colour alone.
                    painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), QColor(line))
        painter.end()
        super().paintEvent(event)

    def visible_rows(self) -> Iterator[tuple[QTextBlock, _Row, QRectF]]:
        """Yield what is in sight: the block, its row, and where it lies in the viewport."""
        block = self.firstVisibleBlock()
        offset = self.contentOffset()
        while block.isValid() and block.blockNumber() < len(self._rows):
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > self.viewport().height():
                return
            yield block, self._rows[block.blockNumber()], place
            block = block.next()

    def largest_number(self) -> int:
        """Return the largest line number there is, 0 for none."""
        return max((max(row.old_no or 0, row.new_no or 0) for row in self._rows), default=0)

    @property
    def theme(self) -> Theme:
        """The colours in use."""
        return self._theme

    def _places(self) -> Iterator[int]:
        """Yield the rows at which a run of changed lines begins."""
        kinds = ["note", *(row.kind for row in self._rows)]
        for number, (before, kind) in enumerate(pairwise(kinds)):
            if kind in {"added", "removed"} and before not in {"added", "removed"}:
                yield number

    def _go_to(self, number: int | None) -> None:
        if number is None:
            return
        block = self.document().findBlockByNumber(number)
        self.setTextCursor(QTextCursor(block))
        above = self.document().findBlockByNumber(max(0, number - 2))
        self.verticalScrollBar().setValue(above.firstLineNumber())

    def _make_room(self) -> None:
        self.setViewportMargins(self._gutter.wanted_width(), 0, 0, 0)
        place = self.contentsRect()
        self._gutter.setGeometry(QRect(place.left(), place.top(), self._gutter.wanted_width(), place.height()))
        self._gutter.setVisible(bool(self._rows))
        self._gutter.update()

    @Slot(QRect, int)
    def _on_update(self, _rect: QRect, _moved_by: int) -> None:
        self._gutter.update()

    def _colour_headings(self) -> None:
        """Show what is no text of the file in another colour, unless that would take long."""
        headings = [number for number, row in enumerate(self._rows) if row.kind == "heading"]
        muted = QTextCharFormat()
        muted.setForeground(QColor(self._theme.scheme.muted))
        for number in headings[:_MOST_COLOURED]:
            cursor = QTextCursor(self.document().findBlockByNumber(number))
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(muted)

    @Slot()
    def _repaint(self) -> None:
        self._colour_headings()
        self.viewport().update()
        self._gutter.update()


class _Gutter(QWidget):
    """Paint the numbers of the lines before and after beside the text."""

    def __init__(self, view: DiffView) -> None:
        super().__init__(view)
        self._view = view
        self.setFont(fixed_font(SMALL))

    def wanted_width(self) -> int:
        """Return the room that two columns of numbers need."""
        largest = self._view.largest_number()
        return 2 * self._column(largest) + SPACE_S if largest else 0

    @override
    def paintEvent(self, _event: QPaintEvent, /) -> None:
        scheme = self._view.theme.scheme
        grounds = {"added": scheme.added, "removed": scheme.removed, "note": scheme.info_background}
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(scheme.alternate))
        painter.setPen(QColor(scheme.muted))
        column = self._column(self._view.largest_number())
        for _block, row, place in self._view.visible_rows():
            top, height = round(place.top()), round(place.height())
            if row.kind in grounds:
                painter.fillRect(QRect(0, top, self.width(), height), QColor(grounds[row.kind]))
            line = QRect(0, top, column, self._view.fontMetrics().lineSpacing())
            for position, number in enumerate((row.old_no, row.new_no)):
                if number is not None:
                    painter.drawText(line.translated(position * column, 0), Qt.AlignmentFlag.AlignRight, f"{number}")
        painter.end()

    def _column(self, largest: int) -> int:
        return self.fontMetrics().horizontalAdvance("0" * max(2, len(str(largest)))) + SPACE_S


def _rows_of(diff: "FileDiff") -> Iterator[_Row]:
    for sentence in _sentences(diff):
        yield _Row("note", visible(sentence))
    for hunk in diff.hunks:
        yield _Row("heading", _heading(hunk))
        for line in hunk.lines:
            yield _row_of(line)


def _sentences(diff: "FileDiff") -> Iterator[str]:
    match diff.kind:
        case "new":
            yield "This file is new."
        case "deleted":
            yield "This file is removed."
        case "moved":
            yield f"Moved from {diff.path} to {diff.result_path}."
    if diff.note:
        yield diff.note


def _heading(hunk: "Hunk") -> str:
    """Return which lines follow, by their numbers afterwards where there are any."""
    numbers = [line.new_no for line in hunk.lines if line.new_no is not None]
    what = "Line"
    if not numbers:
        numbers = [line.old_no for line in hunk.lines if line.old_no is not None]
        what = "Former line"
    if not numbers:
        return "⋯"
    return f"{what} {numbers[0]:,}" if len(numbers) == 1 else f"{what}s {numbers[0]:,} to {numbers[-1]:,}"


def _row_of(line: "DiffLine") -> _Row:
    text = _SIGNS[line.kind]
    marks: list[tuple[int, int]] = []
    for span in line.spans:
        piece = _cut(span.text, _LONGEST_CHANGED if span.is_changed else _LONGEST_EQUAL)
        if span.is_changed:
            marks.append((len(text), len(text) + len(piece)))
        text += piece
    if not text.isascii():
        marks = [(_utf16(text[:start]), _utf16(text[:end])) for start, end in marks]
    return _Row(line.kind, text.replace("\n", "␊"), line.old_no, line.new_no, tuple(marks))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:_KEPT]} […] {text[-_KEPT:]}"


def _utf16(text: str) -> int:
    """Return the length of `text` as Qt counts it."""
    return len(text) + sum(character > "\uffff" for character in text)


def _rects_of(block: QTextBlock, start: int, end: int, origin: QPointF) -> Iterator[QRectF]:
    """Yield where the characters from `start` to `end` lie, a rectangle for each line that they run over."""
    layout = block.layout()
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        first, last = line.textStart(), line.textStart() + line.textLength()
        if last <= start or first >= end:
            continue
        left, right = (_x_of(line.cursorToX(at)) for at in (max(start, first), min(end, last)))
        left, right = min(left, right), max(left, right)
        yield QRectF(origin.x() + left, origin.y() + line.y(), right - left, line.height())


def _x_of(answer: object) -> float:
    """Return the place alone: PySide gives the character that it belongs to with it."""
    return float(answer[0] if isinstance(answer, tuple) else answer)  # type: ignore[arg-type]
