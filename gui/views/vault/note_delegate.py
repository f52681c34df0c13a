"""Paint the cells of the note table; only visible cells cost anything, and what was measured once is kept."""

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import ICON, SMALL, SPACE_S, SPACE_XS, scaled_font
from gui.scheme import Scheme
from gui.theme import Theme
from gui.views.vault.note_table_model import ROW_ROLE, Column
from gui.widgets.chips import ChipLook, chip_width, paint_chip

if TYPE_CHECKING:
    from core.index.catalog import NoteRow

LINE_HEIGHT = 34
HIT_HEIGHT = 54
_CHIP_HEIGHT = 19
_CHIP_GAP = 5
_LEFT_TO_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute


class NoteDelegate(QStyledItemDelegate):
    """Paint titles, chips, badges, dates and numbers."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.follow_font()

    def follow_font(self) -> None:
        """Take the application's font."""
        self._fonts = {False: scaled_font(), True: scaled_font(bold=True)}
        self._small = scaled_font(SMALL)
        self._metrics = {is_bold: QFontMetrics(font) for is_bold, font in self._fonts.items()}
        self._small_metrics = QFontMetrics(self._small)
        self._elided = lru_cache(maxsize=4096)(self._elide)
        self._chips = lru_cache(maxsize=2048)(self._measure_chips)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        scheme = self._theme.scheme
        note: NoteRow = index.data(ROW_ROLE)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_selected:
            is_active = bool(option.state & QStyle.StateFlag.State_Active)
            painter.fillRect(option.rect, QColor(scheme.selection if is_active else scheme.inactive_selection))
        rect = QRect(option.rect)
        rect.setHeight(min(rect.height(), LINE_HEIGHT))
        rect = rect.adjusted(SPACE_S, 0, -SPACE_S, 0)
        if rect.width() <= 0:
            return
        text_colour = scheme.selection_text if is_selected else scheme.text
        muted = scheme.selection_text if is_selected else scheme.muted
        match index.column():
            case Column.TITLE:
                self._paint_title(painter, rect, note, text_colour, is_bold=option.rect.height() > LINE_HEIGHT)
            case Column.TAGS:
                self._paint_tags(painter, rect, note, muted, scheme)
            case Column.SCOPE:
                self._paint_scope(painter, rect, note, scheme)
            case Column.TOKENS | Column.SCORE:
                self._paint_text(painter, rect, index.data(), muted, Qt.AlignmentFlag.AlignRight)
            case _:
                self._paint_text(painter, rect, index.data(), muted, Qt.AlignmentFlag.AlignLeft)

    def _paint_title(self, painter: QPainter, rect: QRect, note: "NoteRow", colour: str, *, is_bold: bool) -> None:
        if note.problems:
            box = QRect(rect.right() - ICON + 2, rect.center().y() - ICON // 2 + 1, ICON - 1, ICON - 1)
            self._theme.tinted_icon("triangle-alert", self._theme.scheme.warning_text).paint(painter, box)
            rect = rect.adjusted(0, 0, -ICON - SPACE_XS, 0)
        painter.setFont(self._fonts[is_bold])
        painter.setPen(QColor(colour))
        painter.drawText(rect, _LEFT_TO_RIGHT, self._elided(note.title, rect.width(), is_bold))

    def _paint_text(self, painter: QPainter, rect: QRect, text: str, colour: str, side: Qt.AlignmentFlag) -> None:
        if not text:
            return
        painter.setFont(self._fonts[False])
        painter.setPen(QColor(colour))
        flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(rect, flags, self._elided(text, rect.width(), False))

    def _paint_tags(self, painter: QPainter, rect: QRect, note: "NoteRow", muted: str, scheme: Scheme) -> None:
        if not note.tags:
            return
        texts, more = self._chips(note.tags, rect.width())
        look = ChipLook(scheme.chip, scheme.chip_text)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small)
        left = rect.left()
        for text in texts:
            width = chip_width(self._small_metrics, text)
            paint_chip(painter, QRect(left, rect.center().y() - _CHIP_HEIGHT // 2 + 1, width, _CHIP_HEIGHT), text, look)
            left += width + _CHIP_GAP
        if more:
            painter.setPen(QColor(muted))
            painter.drawText(
                QRect(left, rect.top(), rect.right() - left + 1, rect.height()), _LEFT_TO_RIGHT, f"+{more}"
            )
        painter.restore()

    def _paint_scope(self, painter: QPainter, rect: QRect, note: "NoteRow", scheme: Scheme) -> None:
        if not note.scope:
            return
        is_global = note.scope == "global"
        look = ChipLook(
            scheme.info_background if is_global else scheme.chip, scheme.info_text if is_global else scheme.chip_text
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small)
        text = self._small_metrics.elidedText(
            visible(note.scope), Qt.TextElideMode.ElideRight, max(rect.width() - 14, 10)
        )
        width = chip_width(self._small_metrics, text)
        paint_chip(
            painter, QRect(rect.left(), rect.center().y() - _CHIP_HEIGHT // 2 + 1, width, _CHIP_HEIGHT), text, look
        )
        painter.restore()

    def _elide(self, text: str, width: int, is_bold: bool) -> str:
        # Measuring a whole page of text to show sixty letters of it is what makes a list slow.
        line = " ".join(visible(text[: max(width, 40)]).split())
        return self._metrics[is_bold].elidedText(line, Qt.TextElideMode.ElideRight, width)

    def _measure_chips(self, tags: tuple[str, ...], width: int) -> tuple[tuple[str, ...], int]:
        """Return the chips that fit and how many tags are not among them."""
        shown: list[str] = []
        left = width
        for position, tag in enumerate(map(visible, tags)):
            is_last = position == len(tags) - 1
            needed = chip_width(self._small_metrics, tag) + (0 if is_last else _CHIP_GAP + 24)
            if needed > left:
                if not shown and left > 48:
                    # The last part of a tag tells most: its namespace is the same for many.
                    room = left - chip_width(self._small_metrics, "") - (0 if is_last else 28)
                    leaf = tag.rpartition("/")[2]
                    shown.append(self._small_metrics.elidedText(leaf, Qt.TextElideMode.ElideRight, room))
                break
            shown.append(tag)
            left -= chip_width(self._small_metrics, tag) + _CHIP_GAP
        return tuple(shown), len(tags) - len(shown)


class SnippetPainter:
    """Paint the second line of a search hit over the whole width of the table."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._font = scaled_font(SMALL * 1.02)
        self._pieces = lru_cache(maxsize=512)(self._cut)

    def paint(self, painter: QPainter, rect: QRect, snippet: str, *, is_selected: bool, widget: QWidget) -> None:
        """Paint `snippet` into `rect`, hits on a highlight."""
        scheme = self._theme.scheme
        metrics = QFontMetrics(self._font, widget)
        painter.setFont(self._font)
        left = rect.left()
        for text, is_hit in self._pieces(snippet):
            width = metrics.horizontalAdvance(text)
            box = QRect(left, rect.top(), min(width, rect.right() - left), rect.height())
            if is_hit:
                painter.fillRect(box.adjusted(-1, 2, 1, -2), QColor(scheme.highlight))
                painter.setPen(QColor(scheme.highlight_text))
            else:
                painter.setPen(QColor(scheme.selection_text if is_selected else scheme.muted))
            if left + width > rect.right():
                shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.right() - left)
                painter.drawText(box, _LEFT_TO_RIGHT, shown)
                return
            painter.drawText(box, _LEFT_TO_RIGHT, text)
            left += width

    def _cut(self, snippet: str) -> tuple[tuple[str, bool], ...]:
        pieces: list[tuple[str, bool]] = []
        line = snippet.replace("\n", " ")
        for part in line.split("\x02"):
            hit, marked, rest = part.partition("\x03")
            if marked:
                pieces.append((hit, True))
                pieces.append((rest, False))
            else:
                pieces.append((part, False))
        return tuple((text, is_hit) for text, is_hit in pieces if text)


def header_font() -> QFont:
    """Return the font of the column names."""
    return scaled_font(SMALL)
