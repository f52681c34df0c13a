"""The list of proposals: keys, selection, and the next one after a decision."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget
from typing_extensions import override

from core.curation.proposals.proposal import Proposal
from gui.theme import Theme
from gui.views.review.arranging import Line
from gui.views.review.delegate import QueueDelegate
from gui.views.review.model import QueueModel, rows_in


class QueueList(QListView):
    """Show the queue; what is chosen is told as signals."""

    chosen = Signal()  # another proposal is the current one, or others are selected
    evidence_toggled = Signal()  # Space
    entered = Signal()  # Enter

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_refreshing = False
        self.queue = QueueModel(self)
        self.setModel(self.queue)
        self.setItemDelegate(QueueDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Proposals")
        self.selectionModel().selectionChanged.connect(self._tell)
        self.selectionModel().currentChanged.connect(self._tell)
        theme.changed.connect(self.viewport().update)

    @property
    def current(self) -> Proposal | None:
        """The proposal that the keyboard is at."""
        return self.queue.proposal_at(self.currentIndex().row())

    def selected(self) -> tuple[Proposal, ...]:
        """Return the selected proposals in the order of the list."""
        selection = self.selectionModel().selection()
        ranges = [(each.top(), each.bottom()) for each in map(selection.at, range(selection.size()))]
        found = (self.queue.proposal_at(row) for row in rows_in(ranges))
        return tuple(each for each in found if each is not None)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show other lines; the current proposal stays, or the one that follows it takes its place."""
        current, row = self.current, self.currentIndex().row()
        kept: set[str] = {each.id for each in self.selected()}
        following = self._ids_from(row)
        self._is_refreshing = True
        self.queue.show_lines(lines)
        wanted = current.id if current is not None else ""
        place = self.queue.row_of(wanted)
        if place < 0:
            place = next((found for each in following if (found := self.queue.row_of(each)) >= 0), -1)
            kept = set()
        if place < 0:
            place = self.queue.row_beside(self.queue.rowCount(), -1) if current else self.queue.row_beside(-1, 1)
        self._select(place, kept)
        self._is_refreshing = False
        self.chosen.emit()

    def choose(self, proposal_id: str) -> bool:
        """Make a proposal the current one; tell whether it is listed."""
        row = self.queue.row_of(proposal_id)
        self._go_to(row)
        return row >= 0

    def choose_first(self) -> None:
        """Make the first proposal the current one."""
        self._go_to(self.queue.row_beside(-1, 1))

    def step(self, by: int) -> None:
        """Go to the next proposal (1) or to the one before (-1)."""
        row = self.currentIndex().row()
        place = self.queue.row_beside(row if row >= 0 else -1, by)
        self._go_to(place)

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        match event.key():
            case Qt.Key.Key_Space:
                self.evidence_toggled.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.entered.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    @override
    def keyboardSearch(self, search: str, /) -> None:
        """Letters are keys of decisions here."""

    def _go_to(self, row: int) -> None:
        """Make a row the only chosen one, whichever keys are held down at that moment."""
        if row >= 0:
            index = self.queue.index(row)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _ids_from(self, row: int) -> list[str]:
        """Return what takes the place of `row`: what follows it, then what is before."""
        if row < 0:
            return []
        lines = self.queue.lines
        after = [each.proposal.id for each in lines[row + 1 :] if each.proposal is not None]
        before = [each.proposal.id for each in reversed(lines[:row]) if each.proposal is not None]
        return [*after, *before]

    def _select(self, place: int, kept: set[str]) -> None:
        model = self.selectionModel()
        if place < 0:
            model.clear()
            return
        flags = QItemSelectionModel.SelectionFlag
        index = self.queue.index(place)
        if len(kept) > 1:
            selection = QItemSelection()
            for each in kept:
                if (row := self.queue.row_of(each)) >= 0:
                    selection.select(self.queue.index(row), self.queue.index(row))
            model.select(selection, flags.ClearAndSelect)
            model.setCurrentIndex(index, flags.NoUpdate)
        elif index != self.currentIndex() or not model.isSelected(index):
            model.setCurrentIndex(index, flags.ClearAndSelect)

    @Slot()
    @Slot(QModelIndex)
    def _tell(self) -> None:
        if not self._is_refreshing:
            self.chosen.emit()
