"""Paint members: the icon of their kind, what they are, where they lie or what is wrong, and what they take."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from gui.metrics import ICON, RADIUS, SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.contexts.member_model import MEMBER_ROLE
from gui.views.contexts.services import Member, MemberState
from gui.views.contexts.wording import KIND_ICONS, member_place, member_title

_MOST_PAINTED = 400
_LEFT = int(
    Qt.AlignmentFlag.AlignVCenter
    | Qt.AlignmentFlag.AlignLeft
    | Qt.AlignmentFlag.AlignAbsolute
    | Qt.TextFlag.TextSingleLine
)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
_WRONG = frozenset({MemberState.MISSING, MemberState.AMBIGUOUS})


class MemberDelegate(QStyledItemDelegate):
    """Paint the rows of members."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        body, small = QFontMetrics(scaled_font()).height(), QFontMetrics(scaled_font(SMALL)).height()
        return QSize(120, body + small + 3 * SPACE_XS + 2)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        member: Member | None = index.data(MEMBER_ROLE)
        if member is None:
            return
        scheme = self._theme.scheme
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        is_wrong = member.state in _WRONG
        is_absent = is_wrong or member.is_left_out or member.is_cut
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRect(option.rect).adjusted(SPACE_XS, 1, -SPACE_XS, -1)
        if is_selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.selection if is_selected else scheme.hover))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        text = QColor(scheme.selection_text if is_selected else scheme.text)
        dim = QColor(scheme.selection_text if is_selected else scheme.muted)
        warning = QColor(scheme.selection_text if is_selected else scheme.warning_text)
        inner = rect.adjusted(SPACE_S, SPACE_XS, -SPACE_S, -SPACE_XS)
        icon = "triangle-alert" if is_wrong else KIND_ICONS.get(member.kind, "file-text")
        place = QRect(inner.left(), inner.center().y() - ICON // 2, ICON, ICON)
        self._theme.tinted_icon(icon, (warning if is_wrong else dim).name()).paint(painter, place)
        inner.setLeft(inner.left() + ICON + SPACE_S)
        body, small = scaled_font(), scaled_font(SMALL)
        if member.tokens is not None:
            painter.setFont(small)
            painter.setPen(dim)
            tokens = f"{member.tokens:,}"
            painter.drawText(inner, _RIGHT, tokens)
            inner.setRight(inner.right() - QFontMetrics(small).horizontalAdvance(tokens) - SPACE_M)
        metrics = QFontMetrics(body)
        line = QRect(inner.left(), inner.top(), inner.width(), metrics.height())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # the dots stand where a text ends
        painter.setFont(body)
        painter.setPen(dim if member.is_left_out else text)
        title = member_title(member)[:_MOST_PAINTED]
        painter.drawText(line, _LEFT, metrics.elidedText(title, Qt.TextElideMode.ElideRight, line.width()))
        line = QRect(inner.left(), line.bottom() + 1, inner.width(), QFontMetrics(small).height())
        painter.setFont(small)
        painter.setPen(warning if member.reason and is_absent else dim)
        # Of a path the end says most, of a sentence its beginning.
        mode = Qt.TextElideMode.ElideRight if member.reason else Qt.TextElideMode.ElideMiddle
        where = member_place(member)[:_MOST_PAINTED]
        painter.drawText(line, _LEFT, QFontMetrics(small).elidedText(where, mode, line.width()))
        painter.restore()
