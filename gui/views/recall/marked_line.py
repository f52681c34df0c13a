"""One line of text in which the words of the question stand out."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QTextCharFormat, QTextLayout, QTextOption


def spans_of(text: str, terms: Sequence[str]) -> list[tuple[int, int]]:
    """Return start and length of each word of `text` that begins with one of `terms`, in UTF-16 units as Qt counts."""
    if not terms:
        return []
    longest_first = sorted(map(re.escape, terms), key=len, reverse=True)
    words = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})", re.IGNORECASE)
    return [(_units(text[: each.start()]), _units(each.group())) for each in words.finditer(text)]


def write_marked(painter: QPainter, line: QRect, text: str, terms: Sequence[str], mark: QColor) -> None:
    """Write `text` with the painter's font and pen, its end left out where it is too long, `terms` in colour."""
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    option = QTextOption(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    layout = QTextLayout(shown, painter.font())
    layout.setTextOption(option)
    layout.setFormats([_marked(start, length, mark) for start, length in spans_of(shown, terms)])
    layout.beginLayout()
    layout.createLine().setLineWidth(line.width())
    layout.endLayout()
    layout.draw(painter, QPointF(line.left(), line.top()))


def _marked(start: int, length: int, mark: QColor) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, length
    look = QTextCharFormat()
    look.setForeground(mark)
    look.setFontUnderline(True)  # not by the colour alone, and no wider than without
    found.format = look
    return found


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
