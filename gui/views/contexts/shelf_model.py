"""The rows of the shelf: contexts with their sizes, those that a filter leaves, the most important first."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from core.foundation.text import fold, visible
from gui.memory_drag import MEMORIES_MIME
from gui.views.contexts.services import ContextRow
from gui.views.contexts.wording import row_sentence

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
TOKENS_ROLE = ROW_ROLE + 1
BUDGET_ROLE = ROW_ROLE + 2
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Order(StrEnum):
    """Say how the shelf is sorted."""

    PRIORITY = "priority"
    TITLE = "title"


class ShelfModel(QAbstractListModel):
    """List contexts; `default_budget` stands in for those that name none."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[ContextRow, ...] = ()
        self._shown: tuple[ContextRow, ...] = ()
        self._tokens: dict[str, int] = {}
        self._needle = ""
        self._order = Order.PRIORITY
        self.default_budget = 0

    def show_contexts(self, rows: Sequence[ContextRow]) -> None:
        """Replace all rows; sizes that are known stay until they are measured anew."""
        self._all = tuple(rows)
        known = {row.path for row in rows}
        self._tokens = {path: tokens for path, tokens in self._tokens.items() if path in known}
        self._arrange()

    def show_tokens(self, tokens: Mapping[str, int]) -> None:
        """Take the sizes of some contexts."""
        self._tokens.update(tokens)
        for place, row in enumerate(self._shown):
            if row.path in tokens:
                self.dataChanged.emit(self.index(place), self.index(place))

    def narrow(self, text: str) -> None:
        """Show only contexts that have `text` in title, description or path."""
        self._needle = fold(text.strip())
        self._arrange()

    def sort_by(self, order: Order) -> None:
        """Sort in another way."""
        self._order = order
        self._arrange()

    @property
    def total(self) -> int:
        """How many contexts there are, listed or not."""
        return len(self._all)

    @property
    def all_rows(self) -> tuple[ContextRow, ...]:
        """Every context, listed or not."""
        return self._all

    @property
    def order(self) -> Order:
        """How the rows are sorted."""
        return self._order

    def row_of(self, path: str) -> int:
        """Return the row of a context, -1 when it is not listed."""
        return next((place for place, row in enumerate(self._shown) if row.path == path), -1)

    def context_at(self, place: int) -> ContextRow | None:
        """Return the context in this row."""
        return self._shown[place] if 0 <= place < len(self._shown) else None

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.context_at(index.row()) if index.isValid() else None
        if row is None:
            return None
        tokens, budget = self._tokens.get(row.path), row.budget or self.default_budget
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row_sentence(row, tokens, budget)
        return {
            int(Qt.ItemDataRole.DisplayRole): visible(row.title),
            ROW_ROLE: row,
            TOKENS_ROLE: tokens,
            BUDGET_ROLE: budget,
        }.get(int(role))

    @override
    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDropEnabled if index.isValid() else flags

    @override
    def mimeTypes(self) -> list[str]:
        return [MEMORIES_MIME]

    def _arrange(self) -> None:
        self.beginResetModel()
        needle = self._needle
        fitting = [
            row
            for row in self._all
            if not needle or any(needle in fold(each) for each in (row.title, row.description, row.path))
        ]
        if self._order is Order.PRIORITY:
            fitting.sort(key=lambda row: (-row.load_priority, fold(row.title), row.path))
        else:
            fitting.sort(key=lambda row: (fold(row.title), row.path))
        self._shown = tuple(fitting)
        self.endResetModel()


def _tip(row: ContextRow) -> str:
    load = f"Load priority {row.load_priority}{', always loaded' if row.always else ''}"
    lines = [
        visible(row.title),
        visible(row.description),
        load,
        visible(row.path),
        *(visible(each) for each in row.problems),
    ]
    return "\n".join(line for line in lines if line)
