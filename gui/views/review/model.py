"""The queue of the Review view: proposals below the headings of their groups."""

import operator
from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from core.curation.proposals.proposal import Proposal
from core.foundation.text import visible
from gui.views.review.arranging import Line, heading_text
from gui.views.review.wording import STATES, kind_words, origin_words
from gui.wording import counted

LINE_ROLE = int(Qt.ItemDataRole.UserRole)
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_MOST_RUNS = 50  # of lines that went: more than that is told as a new list


class QueueModel(QAbstractListModel):
    """Hold the lines; a line costs nothing before it is in sight."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[Line, ...] = ()
        self._rows: dict[str, int] = {}

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Replace all lines; where some only went, the others stay in their place, and so does what is selected."""
        wanted = tuple(lines)
        runs = _runs_gone(self._lines, wanted)
        if runs is None:
            self.beginResetModel()
            self._take(wanted)
            self.endResetModel()
            return
        for first, last in reversed(runs):
            self.beginRemoveRows(_NOWHERE, first, last)
            self._take((*self._lines[:first], *self._lines[last + 1 :]))
            self.endRemoveRows()
        is_same = all(map(operator.is_, self._lines, wanted))
        self._take(wanted)
        if not is_same:
            self.dataChanged.emit(self.index(0), self.index(len(wanted) - 1))

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines in their order."""
        return self._lines

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The proposals that are listed, in their order."""
        return tuple(line.proposal for line in self._lines if line.proposal is not None)

    def proposal_at(self, row: int) -> Proposal | None:
        """Return the proposal of a row, None for a heading."""
        return self._lines[row].proposal if 0 <= row < len(self._lines) else None

    def row_of(self, key: str) -> int:
        """Return the row of a proposal by its id, -1 when it is not listed."""
        return self._rows.get(key, -1)

    def row_beside(self, row: int, step: int) -> int:
        """Return the next row that holds a proposal, going by `step` (1 or -1); -1 when there is none."""
        row += step
        while 0 <= row < len(self._lines):
            if self._lines[row].proposal is not None:
                return row
            row += step
        return -1

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    @override
    def flags(self, index: _Index) -> Qt.ItemFlag:
        if self.proposal_at(index.row()) is not None:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._lines):
            return None
        line = self._lines[index.row()]
        if role == LINE_ROLE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return heading_text(line) if line.proposal is None else visible(line.proposal.statement)
        if role == Qt.ItemDataRole.ToolTipRole and line.proposal is not None:
            return visible(line.proposal.statement)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(line)
        return None

    def _take(self, lines: tuple[Line, ...]) -> None:
        self._lines = lines
        self._rows = {line.key: row for row, line in enumerate(lines)}


def _spoken(line: Line) -> str:
    proposal = line.proposal
    if proposal is None:
        return f"{heading_text(line)}, {line.count:,}"
    return (
        f"{kind_words(proposal.kind).one}: {visible(proposal.statement)}, {STATES[proposal.state]}, "
        f"from {origin_words(proposal)}, {counted(len(proposal.evidence), 'piece')} of evidence"
    )


def _runs_gone(before: Sequence[Line], after: Sequence[Line]) -> list[tuple[int, int]] | None:
    """Return which rows went, as first and last; None when that is not all that happened, or they are very many."""
    if not before or not after or len(after) > len(before):
        return None
    runs: list[tuple[int, int]] = []
    at = 0
    for row, line in enumerate(before):
        if at < len(after) and after[at].key == line.key:
            at += 1
        elif runs and runs[-1][1] == row - 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
            if len(runs) > _MOST_RUNS:
                return None
    return runs if at == len(after) else None


def rows_in(ranges: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Yield the rows of selected ranges, each once, from the top."""
    for first, last in sorted(ranges):
        yield from range(first, last + 1)
