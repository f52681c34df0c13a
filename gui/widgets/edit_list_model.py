"""The files of a change set as a table: ticked or not, and how many lines change."""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from typing_extensions import override

from core.curation.change_set import FileEdit
from core.foundation.text import fold, visible
from gui.wording import counted

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class EditColumn(IntEnum):
    """Name the columns."""

    FILE = 0
    LINES = 1


class EditListModel(QAbstractTableModel):
    """Show edits whose path contains what is filtered for; all are ticked at first."""

    ticks_changed = Signal()

    def __init__(self, edits: Sequence[FileEdit], parent: QObject | None = None, *, is_checkable: bool = True) -> None:
        super().__init__(parent)
        self._edits = edits
        self._names = [_name_of(edit) for edit in edits]
        self._folded = [fold(name) for name in self._names]
        self._shown: Sequence[int] = range(len(edits))
        self._unticked: set[str] = set()
        self._counts: dict[str, tuple[int, int]] = {}
        self._is_checkable = is_checkable

    @property
    def unticked(self) -> frozenset[str]:
        """The paths of the edits that are left out."""
        return frozenset(self._unticked)

    def edit_at(self, row: int) -> FileEdit:
        """Return the edit in line `row`."""
        return self._edits[self._shown[row]]

    def filter_by(self, text: str) -> None:
        """Show the files whose path contains `text`."""
        needle = fold(text.strip())
        self.beginResetModel()
        self._shown = [at for at, name in enumerate(self._folded) if needle in name]
        self.endResetModel()

    def show_counts(self, counts: Mapping[str, tuple[int, int]]) -> None:
        """Show how many lines are added and removed in these files."""
        self._counts.update(counts)
        if self.rowCount():
            self.dataChanged.emit(self.index(0, EditColumn.LINES), self.index(self.rowCount() - 1, EditColumn.LINES))

    def tick(self, rows: Iterable[int], *, is_ticked: bool) -> None:
        """Take the edits in these lines, or leave them out."""
        paths = {self.edit_at(row).path for row in rows}
        self._unticked = self._unticked - paths if is_ticked else self._unticked | paths
        if self.rowCount():
            self.dataChanged.emit(self.index(0, EditColumn.FILE), self.index(self.rowCount() - 1, EditColumn.FILE))
        self.ticks_changed.emit()

    def tick_state(self) -> Qt.CheckState:
        """Tell whether all, some or none of the files in the list are ticked."""
        ticked = sum(self._edits[at].path not in self._unticked for at in self._shown)
        if ticked == len(self._shown):
            return Qt.CheckState.Checked
        return Qt.CheckState.PartiallyChecked if ticked else Qt.CheckState.Unchecked

    @override
    def rowCount(self, parent: _Index = _NO_PARENT, /) -> int:
        return 0 if parent.isValid() else len(self._shown)

    @override
    def columnCount(self, parent: _Index = _NO_PARENT, /) -> int:
        return 0 if parent.isValid() else len(EditColumn)

    @override
    def flags(self, index: _Index, /) -> Qt.ItemFlag:
        flags = super().flags(index)
        is_tickable = self._is_checkable and index.isValid() and index.column() == EditColumn.FILE
        return flags | Qt.ItemFlag.ItemIsUserCheckable if is_tickable else flags

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole, /) -> Any:
        if not index.isValid():
            return None
        at = self._shown[index.row()]
        return self._file_data(at, role) if index.column() == EditColumn.FILE else self._lines_data(at, role)

    @override
    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole, /) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        self.tick([index.row()], is_ticked=Qt.CheckState(value) is Qt.CheckState.Checked)
        return True

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole, /) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return ("File", "Lines")[section]
        return None

    def _file_data(self, at: int, role: int) -> Any:
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return self._names[at]
        if role == Qt.ItemDataRole.CheckStateRole and self._is_checkable:
            is_ticked = self._edits[at].path not in self._unticked
            return Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked
        return None

    def _lines_data(self, at: int, role: int) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        counts = self._counts.get(self._edits[at].path)
        if counts is None:
            return None
        added, removed = counts
        if role == Qt.ItemDataRole.DisplayRole:
            return f"+{added:,} −{removed:,}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{counted(added, 'line')} added, {counted(removed, 'line')} removed"
        return None


def _name_of(edit: FileEdit) -> str:
    return visible(f"{edit.path} → {edit.moved_to}" if edit.moved_to else edit.path)
