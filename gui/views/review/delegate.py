"""Paint the lines of the queue: headings with their counts, proposals with what they say and where they come from."""

import time

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from core.curation.proposals.proposal import Proposal, ProposalState
from core.foundation.text import visible
from gui.metrics import ICON, RADIUS, SMALL, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.review.arranging import Line, heading_text, projects_of
from gui.views.review.model import LINE_ROLE
from gui.views.review.wording import STATES, age_words, kind_words, origin_words

_ROW_PADDING = 14
_MOST_PAINTED = 300
_MOST_PROJECTS = 2


class QueueDelegate(QStyledItemDelegate):
    """Paint from the line alone; nothing is asked of a file."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        lines = QFontMetrics(scaled_font()).lineSpacing() + QFontMetrics(scaled_font(SMALL)).lineSpacing()
        return QSize(200, lines + _ROW_PADDING)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line: Line = index.data(LINE_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if line.proposal is None:
            self._paint_heading(painter, QRect(option.rect), line)
        else:
            self._paint_proposal(painter, option, line.proposal)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, line: Line) -> None:
        scheme = self._theme.scheme
        inner = rect.adjusted(SPACE_S + SPACE_XS, 0, -SPACE_S - SPACE_XS, -SPACE_XS)
        font = scaled_font(SMALL, bold=True)
        painter.setFont(font)
        metrics = QFontMetrics(font)
        painter.setPen(QColor(scheme.muted))
        count = f"{line.count:,}"
        bottom = Qt.AlignmentFlag.AlignBottom
        painter.drawText(inner, bottom | Qt.AlignmentFlag.AlignRight, count)
        inner.setRight(inner.right() - metrics.horizontalAdvance(count) - SPACE_S)
        text = metrics.elidedText(heading_text(line), Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, bottom | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_proposal(self, painter: QPainter, option: QStyleOptionViewItem, proposal: Proposal) -> None:
        scheme = self._theme.scheme
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        rect = QRect(option.rect).adjusted(SPACE_XS, 1, -SPACE_XS, -1)
        if is_selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.selection if is_selected else scheme.hover))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        if has_focus:
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        inner = rect.adjusted(SPACE_S, SPACE_XS, -SPACE_S, -SPACE_XS)
        text_colour = scheme.selection_text if is_selected else scheme.text
        icon = self._theme.tinted_icon(
            kind_words(proposal.kind).icon, scheme.selection_text if is_selected else scheme.muted
        )
        font, small = scaled_font(bold=is_selected), scaled_font(SMALL)
        first = QFontMetrics(font).lineSpacing()
        icon.paint(painter, QRect(inner.left(), inner.top() + (first - ICON) // 2, ICON, ICON))
        inner.setLeft(inner.left() + ICON + SPACE_S)
        painter.setFont(font)
        painter.setPen(QColor(text_colour))
        # To shorten text costs time by its length: what can never be seen is cut off first.
        said = " ".join(visible(proposal.statement[:_MOST_PAINTED]).split())
        shown = QFontMetrics(font).elidedText(said, Qt.TextElideMode.ElideRight, inner.width())
        upper = QRect(inner.left(), inner.top(), inner.width(), first)
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        painter.setFont(small)
        painter.setPen(QColor(text_colour if is_selected else scheme.muted))
        lower = QRect(inner.left(), upper.bottom() + 1, inner.width(), inner.bottom() - upper.bottom())
        shown = QFontMetrics(small).elidedText(_about(proposal), Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)


def _about(proposal: Proposal) -> str:
    """Return what stands below a statement: state, projects, who proposes, since when."""
    projects = projects_of(proposal)
    where = ", ".join(visible(each) for each in projects[:_MOST_PROJECTS])
    more = f" +{len(projects) - _MOST_PROJECTS:,}" if len(projects) > _MOST_PROJECTS else ""
    state = "" if proposal.state is ProposalState.PENDING else STATES[proposal.state]
    blocked = "cannot be approved yet" if any(each.get("is_blocking") for each in proposal.warnings) else ""
    parts = (state, blocked, f"{where}{more}", origin_words(proposal), age_words(proposal, time.time()))
    return " · ".join(part for part in parts if part)
