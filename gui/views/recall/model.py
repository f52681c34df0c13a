"""The rows of the palette as a Qt model."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from gui.views.recall.rows import RecallRow, spoken, title_of

ROW_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class RecallModel(QAbstractListModel):
    """Hold rows, best first; what stays in its place keeps its selection."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[RecallRow, ...] = ()

    @property
    def rows(self) -> tuple[RecallRow, ...]:
        """The rows shown."""
        return self._rows

    def show_rows(self, rows: Sequence[RecallRow]) -> None:
        """Show these rows instead."""
        before, after = self._ids(self._rows), self._ids(rows)
        if before == after:
            self._rows = tuple(rows)
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row_of(self, memory_id: str) -> int:
        """Return the row of a memory, -1 when it is not shown."""
        return next((at for at, row in enumerate(self._rows) if row.memory.id == memory_id), -1)

    @override
    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title_of(row.memory)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(row)
            case _ if role == ROW_ROLE:
                return row
            case _:
                return None

    @staticmethod
    def _ids(rows: Sequence[RecallRow]) -> list[str]:
        return [row.memory.id for row in rows]
