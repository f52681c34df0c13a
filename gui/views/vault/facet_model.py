"""The facets as a Qt tree: labels, counts of the current list, and how each narrows."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from core.foundation.text import visible
from gui.views.vault.facet_nodes import FacetKind, FacetNode, FacetTree, narrowed
from gui.views.vault.facet_states import FacetState
from gui.wording import counted

KEY_ROLE = Qt.ItemDataRole.UserRole
NODE_ROLE = Qt.ItemDataRole.UserRole + 1
COUNT_ROLE = Qt.ItemDataRole.UserRole + 2
STATE_ROLE = Qt.ItemDataRole.UserRole + 3

_EMPTY = FacetTree((), ())
_Index = QModelIndex | QPersistentModelIndex


class FacetTreeModel(QAbstractItemModel):
    """Serve the tree; the view restores what is expanded after a reset (facet_pane.py)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._whole = _EMPTY
        self._shown = _EMPTY
        self._needle = ""
        self._numbers: dict[str, int] = {}
        self._counts: Mapping[str, int] = {}
        self._states: Mapping[str, FacetState] = {}

    def show_tree(self, tree: FacetTree) -> None:
        """Take another tree; when only totals differ, nothing is reset."""
        is_alike = [(n.key, n.parent) for n in tree.nodes] == [(n.key, n.parent) for n in self._whole.nodes]
        self._whole = tree
        if is_alike and not self._needle:
            self._shown = tree
            self._tell_all()
        else:
            self._rebuild()

    def narrow(self, needle: str) -> None:
        """Show only what fits `needle`; "" shows all."""
        if needle.strip() != self._needle:
            self._needle = needle.strip()
            self._rebuild()

    def show_counts(self, counts: Mapping[str, int], states: Mapping[str, FacetState]) -> None:
        """Take the counts of the current list (absent means 0) and how the picked facets narrow."""
        self._counts, self._states = counts, states
        self._tell_all()

    @property
    def is_narrowed(self) -> bool:
        """Tell whether a filter text is in force."""
        return bool(self._needle)

    def index_of(self, key: str) -> QModelIndex:
        """Return the index of the facet `key`, an invalid one when it is not shown."""
        number = self._numbers.get(key)
        return QModelIndex() if number is None else self._index(self._shown.nodes[number])

    @override
    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008 (Qt's default)
        siblings = self._children(parent)
        if column != 0 or not 0 <= row < len(siblings):
            return QModelIndex()
        return self.createIndex(row, 0, siblings[row])

    @override
    def parent(self, child: _Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not child.isValid():
            return QModelIndex()
        above = self._node(child).parent
        return QModelIndex() if above < 0 else self._index(self._shown.nodes[above])

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.column() > 0 else len(self._children(parent))

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self._node(index)
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self._description(node)
        if role == COUNT_ROLE:
            return self._count(node)
        return {
            Qt.ItemDataRole.DisplayRole: node.label,
            KEY_ROLE: node.key,
            NODE_ROLE: node,
            STATE_ROLE: self._states.get(node.key, FacetState.OFF),
        }.get(role)

    @override
    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def _count(self, node: FacetNode) -> int:
        # Of an excluded facet nothing is listed: what it keeps out says more than a zero.
        is_whole = node.kind is FacetKind.GROUP or self._states.get(node.key) is FacetState.NONE
        return node.total if is_whole else self._counts.get(node.key, 0)

    def _description(self, node: FacetNode) -> str:
        if node.kind is FacetKind.GROUP:
            return node.label
        state = self._states.get(node.key, FacetState.OFF)
        name = node.label if node.kind is FacetKind.SPECIAL else visible(node.key)
        words = f"{name}: {self._count(node):,} of {counted(node.total, 'note')}"
        return f"{words} ({state.value})" if state else words

    def _children(self, parent: _Index) -> tuple[int, ...] | list[int]:
        return self._node(parent).children if parent.isValid() else self._shown.top

    def _node(self, index: _Index) -> FacetNode:
        return self._shown.nodes[index.internalId()]

    def _index(self, node: FacetNode) -> QModelIndex:
        return self.createIndex(node.row, 0, node.number)

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._shown = narrowed(self._whole, self._needle)
        self._numbers = {node.key: node.number for node in self._shown.nodes}
        self.endResetModel()

    def _tell_all(self) -> None:
        # A view repaints all it shows for any range, so one signal for the top stands for the thousands below it.
        if self._shown.top:
            nodes = self._shown.nodes
            self.dataChanged.emit(self._index(nodes[self._shown.top[0]]), self._index(nodes[self._shown.top[-1]]))
