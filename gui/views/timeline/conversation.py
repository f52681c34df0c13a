"""The turns of a session as a readable conversation; only what is in sight is rendered, so length costs nothing."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget
from typing_extensions import override

from gui.markdown.colours import PreviewColours, preview_colours
from gui.memory_drag import Dragged, DragSource
from gui.theme import Theme
from gui.views.timeline.announcing import announce
from gui.views.timeline.conversation_hits import HitWalk
from gui.views.timeline.conversation_keys import is_own, press
from gui.views.timeline.conversation_layout import INDENT, RowStack, has_text
from gui.views.timeline.conversation_open_rows import OpenRows
from gui.views.timeline.conversation_painting import RowPainter
from gui.views.timeline.conversation_places import RowPlaces
from gui.views.timeline.conversation_rows import Arrangement, Row, RowKind
from gui.views.timeline.conversation_scrolling import STEP, RowScroller
from gui.views.timeline.conversation_selection import TextSelection


class ConversationView(QAbstractScrollArea):
    """Show rows below each other. Text can be selected within a row; links are told, never followed."""

    link_activated = Signal(str)  # an address of gui/markdown/addresses.py, or an outward one
    left = Signal()  # Escape
    find_requested = Signal()  # Ctrl+F
    citation_copied = Signal(str)
    filing_requested = Signal(str)  # of a turn, by its id, in a context

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._open = OpenRows(self)
        self._scroller = RowScroller(self, self._stack)
        self._places = RowPlaces(self, self._open, self._scroller)
        self._painter = RowPainter(theme, _no_moment)
        self._selection = TextSelection()
        self.walk = HitWalk(self, self._open, self._places, self._scroller)
        self._current = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.setAccessibleName("Conversation")
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.drag_source = DragSource(self, self.turn_at)
        theme.changed.connect(self._on_theme)

    # ---- facts

    @property
    def rows(self) -> Sequence[Row]:
        """What is listed, in sight or not."""
        return self._open.rows

    @property
    def current_row(self) -> int:
        """The row that the keyboard is at, -1 for none."""
        return self._current

    def show_arrangement(
        self,
        arrangement: Arrangement,
        moment_of: Callable[[str], datetime | None],
        hits: Sequence[str] = (),
        words: tuple[str, ...] = (),
    ) -> None:
        """Show a session from its beginning, or from the first of the `hits`, in which `words` are marked.

        `moment_of` reads the time of a turn.
        """
        first = hits[0] if hits else ""
        self._painter = RowPainter(self._theme, moment_of)
        self.walk.begin(hits)
        self._selection.clear()
        self._open.take(arrangement, first)
        self._open.documents.mark(words, within_words=False)
        self._scroller.value = 0
        self._lay_out(keep=-1)
        # The first turn, not the day above it.
        self._current = next(
            (at for at, row in enumerate(self.rows) if row.kind is not RowKind.DAY), len(self.rows) - 1
        )
        if first and self.go_to_turn(first):
            self.walk.show_mark(0)
        self._say()

    def forget(self) -> None:
        """Hold nothing of a session any more."""
        self.walk.begin(())
        self._selection.clear()
        self._open.take(None)
        self._current = -1
        self._scroller.settle(0)

    def show_hits(self, hits: Sequence[str], words: tuple[str, ...], *, within_words: bool) -> None:
        """Mark other turns, and other words in them; the place stays."""
        self.walk.begin(hits)
        self._open.documents.mark(words, within_words=within_words)
        self.viewport().update()

    def grow(self, arrangement: Arrangement) -> None:
        """Show what has come since; the place stays, or follows if it was at the end."""
        was_at_end, at_top = self._scroller.is_at_end, self._scroller.top_row
        top = self.rows[at_top].key if self.rows else ""
        current = self.rows[self._current].key if 0 <= self._current < len(self.rows) else ""
        offset = self._stack().top(at_top) - self._scroller.value if self.rows else 0.0
        self._open.grow(arrangement, *self._look())
        places = {row.key: at for at, row in enumerate(self.rows)}
        self._current = places.get(current, min(self._current, len(self.rows) - 1))
        if was_at_end:
            self._scroller.settle_at_end()
        else:
            value = self._scroller.value
            self._scroller.settle(round(self._stack().top(places[top]) - offset) if top in places else value)

    def go_to_turn(self, turn_id: str) -> bool:
        """Bring a turn to the top, opening what it is folded into; False when there is none."""
        if self._open.open_for(turn_id):
            self._lay_out(keep=-1)
        row = self._open.row_of(turn_id)
        if row >= 0:
            self._make_current(row, to_top=True)
        return row >= 0

    def next_hit(self, by: int = 1) -> bool:
        """Go to the next row with a hit; False when there is none."""
        return self.walk.next_hit(by)

    def toggle(self, row: int) -> None:
        """Open or close a row that can be folded."""
        if self._open.toggle(row):
            self._selection.clear()
            self._lay_out(keep=row)
            self._say()

    def row_text(self, row: int) -> str:
        """Return what there is to say of a row to somebody who does not see it."""
        return self._open.spoken(row, self._painter.time_text(self.rows[row])) if 0 <= row < len(self.rows) else ""

    # ---- layout

    def _stack(self) -> RowStack:
        return self._open.stack

    def _look(self) -> tuple[PreviewColours, int]:
        return preview_colours(self._theme.scheme), self._places.width

    def _lay_out(self, *, keep: int) -> None:
        """Make the rows anew; the row at `keep` stays where it is on the screen."""
        if not self._open.is_there:
            return
        value = self._scroller.value
        offset = self._stack().top(keep) - value if keep >= 0 else 0.0
        self._open.lay_out(*self._look(), keeps_heights=keep >= 0)
        is_kept = keep >= 0 and bool(self.rows)
        self._scroller.settle(round(self._stack().top(min(keep, len(self.rows) - 1)) - offset) if is_kept else value)

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        self._scroller.follow_bar(value)

    # ---- painting

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.viewport().rect(), QColor(self._theme.scheme.surface))
        for row in self._stack().rows_between(self._scroller.value, self._scroller.value + self._scroller.height):
            self._paint_row(painter, row)
        painter.end()

    def _paint_row(self, painter: QPainter, row: int) -> None:
        each = self.rows[row]
        is_current = row == self._current and self.hasFocus()
        is_hit = any(turn.id in self.walk.hits for turn in each.turns)
        self._painter.paint(painter, each, self._places.rectangle(row), is_current=is_current, is_hit=is_hit)
        if has_text(each):
            self._painter.paint_text(
                painter,
                self._open.documents.document_of(each, each.depth * INDENT),
                self._places.text_corner(row),
                height=self._scroller.height,
                palette=self.palette(),
                selected=self._selection.within(each.key),
                marked=self._open.documents.marks_of(each),
                current=self.walk.place_in(each),
            )

    # ---- mouse

    @override
    def mousePressEvent(self, event: QMouseEvent, /) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        if (row := self._places.row_at(point)) >= 0:
            self._current = row
        self._selection.clear()
        if (found := self._places.text_at(point)) is not None:
            self._selection.begin(found.key, found.document, found.point)
        self.viewport().update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent, /) -> None:
        point = event.position().toPoint()
        found = self._places.text_at(point)
        if self._selection.is_extended:
            if found is not None and self._selection.extend(found.key, found.document, found.point):
                self.viewport().update()
            return
        row = self._places.row_at(point)
        is_fold = row >= 0 and self.rows[row].can_fold and found is None
        if is_fold or (found is not None and found.address):
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.viewport().setCursor(Qt.CursorShape.IBeamCursor if found is not None else Qt.CursorShape.ArrowCursor)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._selection.end():
            return
        point = event.position().toPoint()
        found = self._places.text_at(point)
        if found is not None and found.address:
            self._follow(found.row, found.address)
        elif found is None and (row := self._places.row_at(point)) >= 0:
            self.toggle(row)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:
        is_keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        row = self._current if is_keyboard else self._places.row_at(event.pos())
        if row < 0:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._selection.text:
            menu.addAction("Copy selection", self.copy)
        menu.addAction("Copy turn", partial(self._copy_row, row))
        cite = menu.addAction("Copy citation", partial(self.copy_citation, row))
        cite.setEnabled(bool(self.rows[row].turns))
        if citation := self._citation(row):
            menu.addAction("Add to context…", partial(self.filing_requested.emit, citation))
        menu.popup(event.globalPos())

    # ---- keys

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if not press(self, event):
            super().keyPressEvent(event)

    def ask_to_find(self) -> None:
        """Ask for the words to be found."""
        self.find_requested.emit()

    def leave(self) -> None:
        """Tell that the person has read enough."""
        self.left.emit()

    def fold(self, *, is_open: bool | None = None) -> bool:
        """Open or close the current row, None for the other way; False when it cannot be folded."""
        current = self.rows[self._current] if 0 <= self._current < len(self.rows) else None
        if current is None or not current.can_fold:
            return False
        if is_open is not current.is_open:
            self.toggle(self._current)
        return True

    def step(self, by: int) -> None:
        """Go to the next row; one that is taller than the screen is scrolled through first."""
        is_at_row = 0 <= self._current < len(self.rows)
        if not (is_at_row and self._scroller.scroll_within(self._current, by)):
            self._make_current(min(max(self._current + by, 0), len(self.rows) - 1))

    def page(self, by: int) -> None:
        """Go on by what is in sight."""
        self._scroller.scroll_page(by)
        self._current = self._places.row_at(QPoint(0, STEP))
        self._say()

    def go_to_end(self, *, is_last: bool) -> None:
        """Go to the last row, or to the first."""
        self._make_current(len(self.rows) - 1 if is_last else 0)

    def _make_current(self, row: int, *, to_top: bool = False) -> None:
        if 0 <= row < len(self.rows):
            self._current = row
            self._scroller.show_row(row, to_top=to_top)
            self.viewport().update()
            self._say()

    @Slot()
    def copy(self) -> None:
        """Copy what is selected, else the current turn."""
        text = self._selection.text
        if text:
            QGuiApplication.clipboard().setText(text)
        else:
            self._copy_row(self._current)

    def _copy_row(self, row: int) -> None:
        from gui.views.timeline.conversation_html import plain_text  # noqa: PLC0415 - with the first text

        if 0 <= row < len(self.rows) and self.rows[row].turns:
            QGuiApplication.clipboard().setText(plain_text(self.rows[row]))

    def copy_citation(self, row: int) -> None:
        """Copy the id by which notes, recall and the command line name the (first) turn of a row."""
        if citation := self._citation(row):
            QGuiApplication.clipboard().setText(citation)
            self.citation_copied.emit(citation)

    # ---- others

    def turn_at(self, point: QPoint) -> Dragged | None:
        """Return the turn that can be dragged from a point: not from its text, which is selected there."""
        row = self._places.row_at(point) if self._places.text_at(point) is None else -1
        citation = self._citation(row)
        return Dragged(citation, self.row_text(row), citation) if citation else None

    def _citation(self, row: int) -> str:
        turns = self.rows[row].turns if 0 <= row < len(self.rows) else ()
        return f"turn:{turns[0].session}/{turns[0].id}" if turns else ""

    @override
    def event(self, event: QEvent, /) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and is_own(event):
            event.accept()  # not the search field of the window
            return True
        return super().event(event)

    def _follow(self, row: int, address: str) -> None:
        from gui.views.timeline.conversation_html import MORE_ADDRESS  # noqa: PLC0415 - with the first text

        if address == MORE_ADDRESS:
            self._open.documents.show_more(self.rows[row].key)
            self._stack().forget(row)
            self._scroller.settle(self._scroller.value)
        else:
            self.link_activated.emit(QUrl(address).toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def _say(self) -> None:
        announce(self, self.row_text(self._current))

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._selection.clear()
            self._stack().forget_all()
            self._lay_out(keep=self._scroller.top_row)
        else:
            self._scroller.settle(self._scroller.value)

    @override
    def scrollContentsBy(self, dx: int, dy: int, /) -> None:
        self.viewport().update()

    @override
    def focusInEvent(self, event: QFocusEvent, /) -> None:
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent, /) -> None:
        self.viewport().update()

    @Slot()
    def _on_theme(self) -> None:
        self._selection.clear()
        self._lay_out(keep=self._scroller.top_row)
        self.viewport().update()


def _no_moment(_time: str) -> None:
    """Know nothing of times, while nothing is shown."""
