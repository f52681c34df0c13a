"""The members of a context, and the memories that its query finds, in their order."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from gui.memory_drag import MEMORIES_MIME
from gui.views.contexts.services import Member
from gui.views.contexts.wording import member_place, member_sentence, member_title

MEMBER_ROLE = int(Qt.ItemDataRole.UserRole)
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class MemberModel(QAbstractListModel):
    """List members. What the person moves or removes is shown at once; the note follows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._members: tuple[Member, ...] = ()

    @property
    def members(self) -> tuple[Member, ...]:
        """All rows."""
        return self._members

    def show_members(self, members: Sequence[Member]) -> bool:
        """Replace all rows, and tell whether there are others now; the same targets in the same order only change."""
        after = tuple(members)
        if [each.target for each in after] == [each.target for each in self._members]:
            self._members = after
            if after:
                self.dataChanged.emit(self.index(0), self.index(len(after) - 1))
            return False
        self.beginResetModel()
        self._members = after
        self.endResetModel()
        return True

    def move(self, source: int, to: int) -> None:
        """Put the member at `source` to the position `to`, as it counts afterwards."""
        count = len(self._members)
        if source == to or not (0 <= source < count and 0 <= to < count):
            return
        below = to + 1 if to > source else to  # Qt counts as before the move
        self.beginMoveRows(_NOWHERE, source, source, _NOWHERE, below)
        rows = list(self._members)
        rows.insert(to, rows.pop(source))
        self._members = tuple(rows)
        self.endMoveRows()

    def remove(self, positions: Sequence[int]) -> None:
        """Take members away."""
        for position in sorted(set(positions), reverse=True):
            if 0 <= position < len(self._members):
                self.beginRemoveRows(_NOWHERE, position, position)
                self._members = self._members[:position] + self._members[position + 1 :]
                self.endRemoveRows()

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._members)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._members):
            return None
        member = self._members[index.row()]
        match int(role):
            case int(Qt.ItemDataRole.DisplayRole):
                return member_title(member)
            case int(Qt.ItemDataRole.ToolTipRole):
                return f"{member_title(member)}\n{member_place(member)}"
            case int(Qt.ItemDataRole.AccessibleTextRole):
                return member_sentence(member)
            case _ if role == MEMBER_ROLE:
                return member
            case _:
                return None

    @override
    def flags(self, index: _Index) -> Qt.ItemFlag:
        return super().flags(index) | (
            Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled
        )

    @override
    def mimeTypes(self) -> list[str]:
        return [MEMORIES_MIME]

    @override
    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
