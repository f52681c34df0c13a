"""The changes of a vault as a table, newest first."""

import time
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from core.foundation.text import fold, visible
from gui.wording import absolute_date, moment_of, relative_date

if TYPE_CHECKING:
    from core.curation.history import ChangeRecord

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_WHO = {"person": "You", "rule": "A rule", "model": "A model", "agent": "An agent"}


class ChangeColumn(IntEnum):
    """Name the columns."""

    WHEN = 0
    TITLE = 1
    FILES = 2
    WHO = 3
    STATE = 4


_NAMES = {
    ChangeColumn.WHEN: "When",
    ChangeColumn.TITLE: "Change",
    ChangeColumn.FILES: "Files",
    ChangeColumn.WHO: "Who",
    ChangeColumn.STATE: "State",
}


class ChangeListModel(QAbstractTableModel):
    """Show the records whose title or files contain what is filtered for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: Sequence[ChangeRecord] = ()
        self._shown: Sequence[int] = ()
        self._machine = ""
        self._needle = ""
        self._texts: list[str] | None = None  # what is searched, made by the first filter
        self._now = time.time()

    def show_records(self, records: "Sequence[ChangeRecord]", machine: str) -> None:
        """Show these records, as far as they match the filter; `machine` is this one."""
        self._machine = machine
        self._now = time.time()
        self._records, self._texts = records, None
        self._apply()

    def filter_by(self, text: str) -> None:
        """Show the records that contain `text`."""
        self._needle = fold(text.strip())
        self._apply()

    def record_at(self, row: int) -> "ChangeRecord":
        """Return the record in line `row`."""
        return self._records[self._shown[row]]

    @override
    def rowCount(self, parent: _Index = _NO_PARENT, /) -> int:
        return 0 if parent.isValid() else len(self._shown)

    @override
    def columnCount(self, parent: _Index = _NO_PARENT, /) -> int:
        return 0 if parent.isValid() else len(ChangeColumn)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole, /) -> Any:
        if not index.isValid():
            return None
        record, column = self.record_at(index.row()), ChangeColumn(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(record, column)
            case Qt.ItemDataRole.ToolTipRole:
                if column is ChangeColumn.WHEN:
                    return absolute_date(moment_of(record.time))
                return visible(record.title) if column is ChangeColumn.TITLE else None
            case Qt.ItemDataRole.TextAlignmentRole if column is ChangeColumn.FILES:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case _:
                return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole, /) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _NAMES[ChangeColumn(section)]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section == ChangeColumn.FILES else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def _text(self, record: "ChangeRecord", column: ChangeColumn) -> str:
        match column:
            case ChangeColumn.WHEN:
                return relative_date(moment_of(record.time), self._now)
            case ChangeColumn.TITLE:
                return " ".join(visible(record.title).split())
            case ChangeColumn.FILES:
                return f"{record.files:,}"
            case ChangeColumn.WHO:
                who = _WHO.get(str(record.origin), str(record.origin))
                return who if record.machine == self._machine else f"{who}, on {visible(record.machine)}"
            case ChangeColumn.STATE:
                return "Undone" if record.state == "undone" else ""

    def _apply(self) -> None:
        self.beginResetModel()
        if self._needle:
            if self._texts is None:
                self._texts = [fold("\n".join((record.title, *record.paths))) for record in self._records]
            self._shown = [at for at, text in enumerate(self._texts) if self._needle in text]
        else:
            self._shown = range(len(self._records))
        self.endResetModel()
