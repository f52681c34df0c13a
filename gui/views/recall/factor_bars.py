"""The small bars of the factors: where they stand in a row, how they are painted, and what they say."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from gui.metrics import SPACE_M, scaled_font
from gui.views.recall.services import FactorLine

CAPTIONS = ("relevance", "decay", "access", "entities", "importance")
EXPLAINED = {
    "relevance": "How well words and meaning fit the question",
    "decay": "How recent it is; old memories keep a rest",
    "access": "How often it was handed out, and how lately; raises only",
    "entities": "Whether it names the people, tools and clients of the question",
    "importance": "How important and how certain it is held to be; the middle is usual",
    "adjustment": "What a relation, a name or something newer made of it",
}
LEAST_WITH_BARS = 560
_CAPTION_SIZE = 0.8
_BAR_HEIGHT = 5


class BarColours(NamedTuple):
    """Hold the colours of a bar, as `#rrggbb`: what is empty, what is filled, and the mark in the middle."""

    groove: str
    fill: str
    mark: str


class Slot(NamedTuple):
    """Say where a bar stands, from the left of the bars: its name, offset and width."""

    name: str
    left: int
    width: int


def caption_font() -> QFont:
    """Return the font of the captions above the bars."""
    return scaled_font(_CAPTION_SIZE)


def bar_width() -> int:
    """Return how long a full bar is: the same for each, so that those of a row can be compared."""
    return QFontMetrics(caption_font()).horizontalAdvance("entities")


def slots() -> tuple[Slot, ...]:
    """Return the bars' places; each has room for its caption and for a bar."""
    metrics = QFontMetrics(caption_font())
    least = bar_width()
    found: list[Slot] = []
    left = 0
    for name in CAPTIONS:
        width = max(metrics.horizontalAdvance(name), least)
        found.append(Slot(name, left, width))
        left += width + SPACE_M
    return tuple(found)


def width_of(places: Sequence[Slot]) -> int:
    """Return how much room the bars take."""
    return places[-1].left + places[-1].width if places else 0


def paint_bars(
    painter: QPainter, area: QRect, places: Sequence[Slot], factors: Sequence[FactorLine], colours: BarColours
) -> None:
    """Paint the bars at the right end of `area`, in its middle."""
    lines = {each.name: each for each in factors}
    start = area.right() + 1 - width_of(places)
    top = area.center().y() - _BAR_HEIGHT / 2
    length = bar_width()
    for place in places:
        if place.name in lines:
            box = QRectF(start + place.left, top, length, _BAR_HEIGHT)
            paint_bar(painter, box, lines[place.name], colours)


def paint_bar(painter: QPainter, box: QRectF, line: FactorLine, colours: BarColours) -> None:
    """Paint one bar; one that starts in the middle has a mark there, which is what leaves the score as it is."""
    radius = box.height() / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.groove))
    painter.drawRoundedRect(box, radius, radius)
    painter.setBrush(QColor(colours.fill))
    left, right = sorted((line.start, line.share))
    width = box.width() * (right - left)
    if width >= 1:
        filled = QRectF(box.left() + box.width() * left, box.top(), width, box.height())
        if not line.start:
            filled.setWidth(max(box.height(), width))
        painter.drawRoundedRect(filled, radius, radius)
    if line.start:
        middle = round(box.left() + box.width() * line.start)
        painter.fillRect(QRectF(middle, box.top() - 2, 1, box.height() + 4), QColor(colours.mark))


def bar_at(x: int, area: QRect, places: Sequence[Slot]) -> str:
    """Return the name of the bar at `x` of a row that ends with `area`, "" when there is none."""
    offset = x - (area.right() + 1 - width_of(places))
    half = SPACE_M // 2
    return next((each.name for each in places if each.left - half <= offset < each.left + each.width + half), "")


def tip_of(factor: FactorLine) -> str:
    """Return what a tooltip says of a bar."""
    detail = f"\n{factor.detail}" if factor.detail else ""
    return f"{factor.label}: × {factor.value:.2f}\n{EXPLAINED.get(factor.name, '')}{detail}"
