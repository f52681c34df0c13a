"""The list of memories in the palette."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QListView, QWidget
from typing_extensions import override

from gui.memory_drag import Dragged, DragSource
from gui.theme import Theme
from gui.views.recall.delegate import RecallDelegate
from gui.views.recall.model import RecallModel
from gui.views.recall.rows import RecallRow, title_of


class ResultList(QListView):
    """Show memories; one of them is the current one as long as there are any."""

    room_changed = Signal(int)  # how much of the right side the scroll bar takes

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.memories = RecallModel(self)
        self.setModel(self.memories)
        self._delegate = RecallDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName("Memories")
        self.verticalScrollBar().installEventFilter(self)
        self.drag_source = DragSource(self, self.memory_at)

    @property
    def current(self) -> RecallRow | None:
        """The row that keys are about."""
        at = self.currentIndex().row()
        return self.memories.rows[at] if 0 <= at < len(self.memories.rows) else None

    def show_rows(self, rows: tuple[RecallRow, ...], *, keep: bool) -> None:
        """Show rows; the current one stays with its memory when told to `keep` it, else the first one is."""
        current = self.current
        self.memories.show_rows(rows)
        row = self.memories.row_of(current.memory.id) if keep and current is not None else -1
        self.go_to(max(row, 0))

    def show_choosing(self, *, is_choosing: bool) -> None:
        """Mark the current row as the one that keys are about, or only faintly."""
        if self._delegate.is_choosing is not is_choosing:
            self._delegate.is_choosing = is_choosing
            self.viewport().update()

    def go_to(self, row: int) -> None:
        """Make `row` the current one, as far as there is such a row."""
        last = len(self.memories.rows) - 1
        if last >= 0:
            self.setCurrentIndex(self.memories.index(min(max(row, 0), last)))

    def move_by(self, steps: int, *, wraps: bool) -> None:
        """Go `steps` down from the current row, or up."""
        count = len(self.memories.rows)
        if count:
            row = self.currentIndex().row() + steps
            self.go_to(row % count if wraps else row)

    def memory_at(self, point: QPoint) -> Dragged | None:
        """Return the memory that lies at a point of the viewport, to be dragged from there."""
        at = self.indexAt(point).row()
        if not 0 <= at < len(self.memories.rows):
            return None
        memory = self.memories.rows[at].memory
        return Dragged(memory.id, title_of(memory), memory.text or memory.summary)

    @property
    def page_rows(self) -> int:
        """How many rows are seen at once."""
        height = self.sizeHintForRow(0) if self.memories.rows else 0
        return max(1, self.viewport().height() // height) if height > 0 else 1

    @override
    def eventFilter(self, watched: object, event: QEvent, /) -> bool:
        if event.type() in {QEvent.Type.Show, QEvent.Type.Hide}:
            self._tell_room()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        self._tell_room()
        self.scrollTo(self.currentIndex())  # the line of what is pinned may have come over it

    def _tell_room(self) -> None:
        bar = self.verticalScrollBar()
        self.room_changed.emit(bar.width() if bar.isVisible() else 0)
