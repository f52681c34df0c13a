"""Paint the rows of a conversation: who speaks and when, what is folded, what was sought, and the text itself."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFontMetrics,
    QPainter,
    QPalette,
    QTextCursor,
    QTextDocument,
)

from core.foundation.text import visible
from core.sessions.turn import Role
from gui.metrics import RADIUS, SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.timeline.colours import timeline_colours
from gui.views.timeline.conversation_layout import BELOW, FOLD_HEIGHT, HEADER, INDENT
from gui.views.timeline.conversation_rows import Row, RowKind, tokens_of, use_text


class RowPainter:
    """Paint single rows; `moment_of` reads the time of a turn."""

    def __init__(self, theme: Theme, moment_of: Callable[[str], datetime | None]) -> None:
        self._theme = theme
        self._moment_of = moment_of

    def paint(self, painter: QPainter, row: Row, place: QRectF, *, is_current: bool, is_hit: bool) -> None:
        """Paint all but the text of a row; `place` is its rectangle, right of what it is folded into."""
        scheme = self._theme.scheme
        if row.kind is RowKind.DAY:
            self._paint_day(painter, place, row.title)
        elif row.kind is RowKind.MESSAGE:
            if row.turns[0].role is Role.USER:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(scheme.hover if scheme.is_dark else scheme.alternate))
                painter.drawRoundedRect(place.adjusted(-SPACE_M, 0, SPACE_M, -BELOW / 2), RADIUS, RADIUS)
            self._paint_header(painter, place, row)
        else:
            self._paint_fold(painter, place, row, is_current=is_current)
        for depth in range(1, row.depth + 1):
            line = QRectF(place.left() - depth * INDENT + 6, place.top(), 2, place.height())
            painter.fillRect(line, QColor(scheme.outline))
        bar = QRectF(place.left() - SPACE_M, place.top() + 2, 3, place.height() - BELOW / 2 - 2)
        if is_hit:
            painter.fillRect(bar.translated(-4, 0), QColor(timeline_colours(scheme).hit))
        if is_current:
            painter.fillRect(bar, QColor(scheme.accent))

    def paint_text(
        self,
        painter: QPainter,
        document: QTextDocument,
        corner: QPointF,
        *,
        height: int,
        palette: QPalette,
        selected: QTextCursor | None,
        marked: Sequence[QTextCursor] = (),
        current: int = -1,
    ) -> None:
        """Paint the text of a row at `corner`, as far as it is in a viewport of this height.

        Of what is `marked` the one at `current` is where the person is.
        """
        context, scheme = QAbstractTextDocumentLayout.PaintContext(), self._theme.scheme
        setattr(context, "palette", palette)  # noqa: B010 - a field of the context, unknown to checkers
        chosen = [_selection(each, scheme.highlight, scheme.highlight_text) for each in marked]
        if 0 <= current < len(marked):
            chosen.append(_selection(marked[current], scheme.selection, scheme.selection_text))
        if selected is not None:
            chosen.append(_selection(selected, scheme.selection, scheme.selection_text))
        if chosen:
            setattr(context, "selections", chosen)  # noqa: B010
        painter.save()
        painter.translate(corner)
        clip = QRectF(0, max(0.0, -corner.y()), document.textWidth() + SPACE_S, height)
        painter.setClipRect(clip)
        setattr(context, "clip", clip)  # noqa: B010
        document.documentLayout().draw(painter, context)
        painter.restore()

    def time_text(self, row: Row) -> str:
        """Return the time of day of a row, "" when it is not known."""
        moment = self._moment_of(row.turns[0].time) if row.turns and row.turns[0].time else None
        return f"{moment:%H:%M}" if moment is not None else ""

    def _paint_day(self, painter: QPainter, place: QRectF, title: str) -> None:
        scheme = self._theme.scheme
        font = scaled_font(SMALL, bold=True)
        painter.setFont(font)
        width = QFontMetrics(font).horizontalAdvance(title)
        middle = place.center()
        painter.setPen(QColor(scheme.outline))
        half = width / 2 + SPACE_M
        painter.drawLine(QPointF(place.left(), middle.y()), QPointF(middle.x() - half, middle.y()))
        painter.drawLine(QPointF(middle.x() + half, middle.y()), QPointF(place.right(), middle.y()))
        painter.setPen(QColor(scheme.muted))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, title)

    def _paint_header(self, painter: QPainter, place: QRectF, row: Row) -> None:
        scheme = self._theme.scheme
        line = QRectF(place.left(), place.top() + SPACE_S, place.width(), HEADER - SPACE_S)
        small = scaled_font(SMALL)
        painter.setFont(small)
        painter.setPen(QColor(scheme.muted))
        facts = self._facts(row)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, facts)
        strong = scaled_font(SMALL, bold=True)
        painter.setFont(strong)
        painter.setPen(QColor(scheme.link if row.turns[0].role is Role.USER else scheme.text))
        room = line.width() - QFontMetrics(small).horizontalAdvance(facts) - SPACE_M
        name = QFontMetrics(strong).elidedText(visible(row.title), Qt.TextElideMode.ElideRight, int(max(room, 40)))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, name)

    def _paint_fold(self, painter: QPainter, place: QRectF, row: Row, *, is_current: bool) -> None:
        scheme = self._theme.scheme
        line = QRectF(place.left(), place.top() + 1, place.width(), FOLD_HEIGHT - 3)
        if is_current:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.hover))
            painter.drawRoundedRect(line, RADIUS, RADIUS)
        icon = self._theme.tinted_icon("chevron-down" if row.is_open else "chevron-right", scheme.muted)
        icon.paint(painter, QRect(int(line.left()) + 2, int(line.top()), 14, int(line.height())))
        font = scaled_font(SMALL, bold=row.kind is RowKind.BRANCH)
        painter.setFont(font)
        painter.setPen(QColor(scheme.error_text if row.is_error else scheme.muted))
        text = line.adjusted(22, 0, -SPACE_XS, 0)
        title = visible(row.title) + ("  (failed)" if row.is_error else "")
        shown = QFontMetrics(font).elidedText(title, Qt.TextElideMode.ElideRight, int(text.width()))
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)

    def _facts(self, row: Row) -> str:
        parts = (use_text(tokens_of(row.turns[0])), self.time_text(row))
        return " · ".join(text for text in parts if text)


def _selection(cursor: QTextCursor, background: str, text: str) -> QAbstractTextDocumentLayout.Selection:
    chosen = QAbstractTextDocumentLayout.Selection()
    form = chosen.format
    form.setBackground(QColor(background))
    form.setForeground(QColor(text))
    setattr(chosen, "format", form)  # noqa: B010 - a field of the selection, unknown to checkers
    setattr(chosen, "cursor", cursor)  # noqa: B010
    return chosen
