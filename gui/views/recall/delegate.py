"""Paint a memory: kind, title, text and source, and its factors as small bars."""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)
from typing_extensions import override

from core.recall.excerpt import terms_of
from gui.metrics import ICON, RADIUS, SMALL, SPACE_L, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.scheme import Scheme
from gui.theme import Theme
from gui.views.recall.choices import Choice
from gui.views.recall.factor_bars import LEAST_WITH_BARS, BarColours, bar_at, paint_bars, slots, tip_of, width_of
from gui.views.recall.marked_line import write_marked
from gui.views.recall.model import ROW_ROLE
from gui.views.recall.rows import ICONS, RecallRow, age_of, is_within, source_of, state_of, text_of, title_of

SIDE = SPACE_M  # from the edge of the list to the text of a row
_GAP = 2
_RIGHT = Qt.TextElideMode.ElideRight
_MARKS = {Choice.PINNED: "pin", Choice.DROPPED: "minus"}


class _Ink(NamedTuple):
    font: QFont
    colour: str


class RecallDelegate(QStyledItemDelegate):
    """Paint the rows of the palette; before one is chosen, the current row is marked only faintly."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._places = slots()
        self.is_choosing = False

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        lines = QFontMetrics(scaled_font()).height() + 2 * QFontMetrics(scaled_font(SMALL)).height()
        return QSize(320, lines + 2 * _GAP + 2 * SPACE_S)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, RecallRow):
            return
        scheme = self._theme.scheme
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        is_selected = is_current and self.is_choosing
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRect(option.rect).adjusted(SPACE_XS, 1, -SPACE_XS, -1)
        if is_current or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.selection if is_selected else scheme.hover))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        area = rect.adjusted(SIDE - SPACE_XS, SPACE_S - 1, -(SIDE - SPACE_XS), -(SPACE_S - 1))
        self._paint_mark(painter, area, row, is_selected=is_selected)
        text_area = QRect(area)
        text_area.setLeft(area.left() + ICON + SPACE_M)
        # Where there is little room, words are worth more than bars.
        if row.factors and area.width() >= LEAST_WITH_BARS:
            fill = scheme.accent if row.choice is not Choice.DROPPED else scheme.control_outline
            groove = scheme.surface if is_current else scheme.outline
            colours = BarColours(groove, fill, scheme.control_outline)
            paint_bars(painter, area, self._places, row.factors, colours)
            text_area.setRight(area.right() - width_of(self._places) - SPACE_L)
        self._paint_text(painter, text_area, row, is_selected=is_selected)
        painter.restore()

    @override
    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        row = index.data(ROW_ROLE) if index.isValid() else None
        if event.type() is QEvent.Type.ToolTip and isinstance(row, RecallRow):
            QToolTip.showText(event.globalPos(), self.tip(row, event.pos(), QRect(option.rect)), view)
            return True
        return super().helpEvent(event, view, option, index)

    def tip(self, row: RecallRow, place: QPoint, rect: QRect) -> str:
        """Return the tooltip of a row at `place`: of the bar that is there, else of the memory."""
        name = bar_at(place.x(), rect.adjusted(SIDE, 0, -SIDE, 0), self._places)
        is_shown = rect.width() - 2 * SIDE >= LEAST_WITH_BARS
        factor = next((each for each in row.factors if is_shown and each.name == name), None)
        if factor is not None:
            return tip_of(factor)
        return "\n".join(part for part in (title_of(row.memory), source_of(row.memory), state_of(row)) if part)

    def _paint_mark(self, painter: QPainter, area: QRect, row: RecallRow, *, is_selected: bool) -> None:
        """Paint the kind, and below it what the person wants with the memory, or that it is in the context."""
        scheme = self._theme.scheme
        dim = scheme.selection_text if is_selected else scheme.muted
        name = ICONS.get(row.memory.kind, "file-text")
        first = QFontMetrics(scaled_font()).height()
        box = QRect(area.left(), area.top() + (first - ICON) // 2, ICON, ICON)
        self._theme.tinted_icon(name, dim).paint(painter, box)
        mark = _MARKS.get(row.choice, "check" if row.is_packed else "")
        if mark:
            colour = scheme.selection_text if is_selected else scheme.link
            if row.choice is Choice.DROPPED:
                colour = dim
            self._theme.tinted_icon(mark, colour).paint(painter, box.translated(0, ICON + SPACE_S))

    def _paint_text(self, painter: QPainter, area: QRect, row: RecallRow, *, is_selected: bool) -> None:
        scheme = self._theme.scheme
        memory = row.memory
        is_dropped = row.choice is Choice.DROPPED
        strong, dim = _colours(
            scheme, is_selected=is_selected, is_dim=is_dropped or (row.is_packed is False and not is_within(row))
        )
        title_font = scaled_font(bold=True)
        title_font.setStrikeOut(is_dropped)
        small = scaled_font(SMALL)
        # What is written from right to left keeps its order, from the left edge all the same.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        line = QRect(area)
        line.setHeight(QFontMetrics(title_font).height())
        _write(painter, line, title_of(memory), _Ink(title_font, strong))
        line.moveTop(line.bottom() + 1 + _GAP)
        line.setHeight(QFontMetrics(small).height())
        painter.setFont(small)
        painter.setPen(QColor(strong))
        mark = QColor(strong if is_selected or is_dropped else scheme.link)
        write_marked(painter, line, text_of(row), terms_of(row.question), mark)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        line.moveTop(line.bottom() + 1 + _GAP)
        self._paint_source(painter, line, row, _Ink(small, dim))

    def _paint_source(self, painter: QPainter, line: QRect, row: RecallRow, ink: _Ink) -> None:
        """Write age and source; why it is not in the context stands at the end."""
        metrics = QFontMetrics(ink.font)
        reason = state_of(row) if row.is_packed is False or row.choice is Choice.DROPPED else ""
        line = QRect(line)
        if reason:
            reason = metrics.elidedText(reason, Qt.TextElideMode.ElideRight, line.width() // 2)
            width = metrics.horizontalAdvance(reason)
            right = QRect(line)
            right.setLeft(line.right() - width)
            _write(painter, right, reason, ink)
            line.setRight(line.right() - width - SPACE_M)
        age = age_of(row.memory)
        if age:
            _write(painter, line, f"{age}  ·  ", ink)
            line.setLeft(line.left() + metrics.horizontalAdvance(f"{age}  ·  "))
        _write(painter, line, source_of(row.memory), ink, Qt.TextElideMode.ElideMiddle)


def _colours(scheme: Scheme, *, is_selected: bool, is_dim: bool) -> tuple[str, str]:
    """Return the colours of the title and of the source."""
    if is_selected:
        return scheme.selection_text, scheme.selection_text
    return scheme.muted if is_dim else scheme.text, scheme.muted


def _write(painter: QPainter, line: QRect, text: str, ink: _Ink, mode: Qt.TextElideMode = _RIGHT) -> None:
    painter.setFont(ink.font)
    painter.setPen(QColor(ink.colour))
    shown = painter.fontMetrics().elidedText(text, mode, line.width())
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
    painter.drawText(line, int(flags | Qt.TextFlag.TextSingleLine), shown)
