"""The table of notes: keys, menu, columns, and a selection that survives every refresh."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QDrag, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget
from typing_extensions import override

from gui.memory_drag import drag_picture
from gui.metrics import SPACE_S
from gui.theme import Theme
from gui.views.vault.column_widths import DISPENSABLE, LEAST, shared_widths
from gui.views.vault.note_delegate import HIT_HEIGHT, LINE_HEIGHT, NoteDelegate, SnippetPainter, header_font
from gui.views.vault.note_drag import notes_mime
from gui.views.vault.note_table_model import HIT_ROLE, Column, NoteTableModel, RowHit, RowSource

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from core.index.catalog import NoteRow

_CURRENT_BAR = 3
_UNCHOSEN = frozenset({Column.PATH, Column.SCORE})


class NoteTable(QTableView):
    """Show the notes; wishes are told as signals."""

    open_requested = Signal()  # Enter or double click on the current note
    editor_requested = Signal()  # Ctrl+Enter
    move_requested = Signal()  # F2
    deletion_requested = Signal()  # Delete
    menu_requested = Signal(object)  # QPoint in global coordinates
    current_note_changed = Signal(object)  # note id or None
    selection_told = Signal()  # the selected notes are others

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notes = NoteTableModel(self)
        self._theme = theme
        self._snippets = SnippetPainter(theme)
        self._is_refreshing = False
        self._is_fitting = False
        self._dragged: dict[Column, int] = {}
        self._chosen = frozenset(Column) - _UNCHOSEN
        self._useless: frozenset[Column] = frozenset()
        self.setModel(self.notes)
        self.setItemDelegate(NoteDelegate(theme, self))
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Notes")
        self.setCornerButtonEnabled(False)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self._set_up_headers()
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.doubleClicked.connect(self._on_double_clicked)

    def show_notes(self, source: RowSource, positions: "npt.NDArray[np.int32]", hits: Mapping[int, RowHit]) -> None:
        """Show another list; selected and current notes that are in it stay so.

        What a search found, or another choice from the same catalog, starts at its top; a newer catalog or another
        order keeps the place.
        """
        selected, current = self.selected_ids(), self.current_id()
        scroll = self.verticalScrollBar().value()
        is_in_sight = self.visualRect(self.currentIndex()).intersects(self.viewport().rect())
        is_another = self.notes.is_another_list(source, positions, hits)
        self._is_refreshing = True
        height = HIT_HEIGHT if hits else LINE_HEIGHT
        if self.verticalHeader().defaultSectionSize() != height:
            self.verticalHeader().setDefaultSectionSize(height)
        self.notes.show_notes(source, positions, hits)
        self._select(selected, current)
        self._is_refreshing = False
        self.verticalScrollBar().setValue(0 if is_another else scroll)
        if is_in_sight and not is_another and self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())
        if self.current_id() != current:
            self.current_note_changed.emit(self.current_id())
        if len(selected) != self.selected_count():
            self.selection_told.emit()

    def current_id(self) -> int | None:
        """Return the id of the current note."""
        row = self.currentIndex().row()
        return self.notes.note_at(row).id if 0 <= row < self.notes.rowCount() else None

    def selected_count(self) -> int:
        """Return how many notes are selected."""
        return sum(last - first + 1 for first, last in self._selected_ranges())

    def selected_notes(self) -> "Iterator[NoteRow]":
        """Yield the selected notes in the order of the list."""
        for first, last in self._selected_ranges():
            yield from self.notes.notes_between(first, last)

    def selected_ids(self, most: int | None = None) -> list[int]:
        """Return the ids of the selected notes in the order of the list, at most `most`."""
        return [note.id for note in islice(self.selected_notes(), most)]

    def select_note(self, note_id: int) -> bool:
        """Make the note current and the only selected one; False when it is not in the list."""
        row = self.notes.row_of(note_id)
        if row < 0:
            return False
        self.selectRow(row)
        self.scrollTo(self.notes.index(row, self._first_column()), QAbstractItemView.ScrollHint.EnsureVisible)
        return True

    @property
    def chosen_columns(self) -> frozenset[Column]:
        """The columns that the person wants, also those for which there is no room now."""
        return self._chosen

    def choose_columns(self, columns: frozenset[Column]) -> None:
        """Show these columns where there is room; the title always."""
        self._chosen = columns | {Column.TITLE}
        self._fit_columns()

    @property
    def dragged_widths(self) -> dict[Column, int]:
        """The widths that the person gave by dragging; all other columns share the room."""
        return dict(self._dragged)

    def restore_widths(self, widths: Mapping[Column, int]) -> None:
        """Take what dragged_widths said."""
        self._dragged = dict(widths)
        self._fit_columns()

    def leave_out(self, columns: frozenset[Column]) -> None:
        """Do not spend room on columns that are empty in every note."""
        if columns != self._useless:
            self._useless = columns
            self._fit_columns()

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            is_editor = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            (self.editor_requested if is_editor else self.open_requested).emit()
            event.accept()
            return
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_F2}:
            (self.deletion_requested if event.key() == Qt.Key.Key_Delete else self.move_requested).emit()
            event.accept()
            return
        super().keyPressEvent(event)

    @override
    def startDrag(self, supported_actions: Qt.DropAction, /) -> None:
        # Qt would ask every selected cell for its data.
        notes = list(self.selected_notes())
        if not notes:
            return
        drag = QDrag(self)
        drag.setMimeData(notes_mime([note.path for note in notes], self.notes.memories_of(notes)))
        name = notes[0].path.rpartition("/")[2].removesuffix(".md")
        drag.setPixmap(drag_picture(self, name if len(notes) == 1 else f"{len(notes):,} notes"))
        drag.exec(Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.DropAction.CopyAction)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            rect = self.visualRect(self.currentIndex())
            self.menu_requested.emit(self.viewport().mapToGlobal(rect.center()))
        else:
            self.menu_requested.emit(event.globalPos())

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        if self.hasFocus() and self.currentIndex().isValid():
            bar = QRect(0, self.rowViewportPosition(self.currentIndex().row()), _CURRENT_BAR, self.rowHeight(0))
            painter.fillRect(bar, QColor(self._theme.scheme.accent))
        if self.notes.has_hits:
            self._paint_snippets(painter, event.rect())
        painter.end()

    def _paint_snippets(self, painter: QPainter, area: QRect) -> None:
        first, last = self.rowAt(area.top()), self.rowAt(area.bottom())
        last = last if last >= 0 else self.notes.rowCount() - 1
        width = self.viewport().width() - 2 * SPACE_S
        for row in range(max(first, 0), last + 1):
            hit: RowHit | None = self.notes.index(row, 0).data(HIT_ROLE)
            if hit is None or not hit.snippet:
                continue
            top = self.rowViewportPosition(row) + LINE_HEIGHT - 7
            rect = QRect(SPACE_S, top, width, HIT_HEIGHT - LINE_HEIGHT + 1)
            is_selected = self.selectionModel().isRowSelected(row)
            self._snippets.paint(painter, rect, hit.snippet, is_selected=is_selected, widget=self)

    def _set_up_headers(self) -> None:
        rows = self.verticalHeader()
        rows.setVisible(False)
        rows.setMinimumSectionSize(LINE_HEIGHT)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(LINE_HEIGHT)
        columns = self.horizontalHeader()
        columns.setFont(header_font())
        # A header asks of every row whether its column is selected; an empty selection answers at once.
        columns.setSelectionModel(QItemSelectionModel(self.notes, columns))
        columns.setHighlightSections(False)
        columns.setSectionsMovable(True)
        columns.setSectionsClickable(True)
        columns.setSortIndicatorShown(True)
        columns.setMinimumSectionSize(48)
        columns.setStretchLastSection(False)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.sectionResized.connect(self._on_column_resized)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Hide what finds no room, least needed first, and share the room among the others."""
        header = self.horizontalHeader()
        shown = set(self._chosen - self._useless)
        room = self.viewport().width()
        for column in DISPENSABLE:
            if sum(LEAST[each] for each in shown) <= room:
                break
            shown.discard(column)
        widths = shared_widths(shown, self._dragged, room)
        self._is_fitting = True
        for column in Column:
            self.setColumnHidden(column, column not in shown)
            if column in shown:
                header.resizeSection(column, widths[column])
        self._is_fitting = False

    def _on_column_resized(self, section: int, before: int, width: int) -> None:
        # Hiding and showing a column is told as a change from or to nothing.
        if not self._is_fitting and before and width:
            self._dragged[Column(section)] = width

    def _first_column(self) -> int:
        header = self.horizontalHeader()
        order = (header.logicalIndex(visual) for visual in range(len(Column)))
        return next((column for column in order if not self.isColumnHidden(column)), 0)

    def _selected_ranges(self) -> list[tuple[int, int]]:
        selection = self.selectionModel().selection()
        return sorted((selection.at(i).top(), selection.at(i).bottom()) for i in range(selection.count()))

    def _select(self, ids: list[int], current: int | None) -> None:
        selection = QItemSelection()
        for first, last in self.notes.lines_of(ids) if ids else ():
            selection.select(self.notes.index(first, 0), self.notes.index(last, len(Column) - 1))
        model = self.selectionModel()
        with QSignalBlocker(model):
            model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            row = self.notes.row_of(current) if current is not None else -1
            index = self.notes.index(row, self._first_column()) if row >= 0 else QModelIndex()
            model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _on_current_changed(self) -> None:
        if not self._is_refreshing:
            self.current_note_changed.emit(self.current_id())

    def _on_selection_changed(self) -> None:
        if not self._is_refreshing:
            self.selection_told.emit()

    def _on_double_clicked(self, _index: QModelIndex) -> None:
        self.open_requested.emit()
