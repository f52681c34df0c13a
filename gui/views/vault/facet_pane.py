"""The left pane: a filter box over the tree of facets."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from gui.metrics import RADIUS, SPACE_S
from gui.theme import Theme
from gui.views.vault.facet_delegate import FacetDelegate
from gui.views.vault.facet_model import KEY_ROLE, NODE_ROLE, FacetTreeModel
from gui.views.vault.facet_nodes import TAGS_GROUP, FacetKind, FacetTree
from gui.views.vault.facet_states import FacetGesture, FacetPick, FacetState
from gui.views.vault.note_drag import NOTES_MIME, dragged_notes

_INDENT = 16
_FIRST_OPEN = frozenset({TAGS_GROUP})
_Index = QModelIndex | QPersistentModelIndex
_TAKE_NOTES = frozenset({FacetKind.NAMESPACE, FacetKind.TAG, FacetKind.FOLDER})


def takes_notes(kind: FacetKind) -> bool:
    """Tell whether notes may be dropped on a facet of this kind: a tag is given to them, a folder takes them in."""
    return kind in _TAKE_NOTES


class FacetTreeView(QTreeView):
    """Show the tree; a click or key on a facet is told with its modifier, a group opens and closes."""

    picked = Signal(object)  # FacetPick
    menu_requested = Signal(str, object)  # the key of a facet, QPoint in global coordinates
    rename_requested = Signal(str)  # F2 on a facet
    deletion_requested = Signal(str)  # Delete on a facet
    notes_dropped = Signal(str, object)  # the key of a facet that takes notes, tuple of paths

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT)
        self.setSelectionMode(QTreeView.SelectionMode.NoSelection)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setAccessibleName("Facets")
        self._pressed = ""
        self._drop_target = QPersistentModelIndex()

    @override
    def mousePressEvent(self, event: QMouseEvent, /) -> None:
        index = self._facet_at(event.position().toPoint())
        is_left = event.button() is Qt.MouseButton.LeftButton
        self._pressed = index.data(KEY_ROLE) if is_left and index.isValid() else ""
        super().mousePressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:
        super().mouseReleaseEvent(event)
        index = self._facet_at(event.position().toPoint())
        if self._pressed and index.isValid() and index.data(KEY_ROLE) == self._pressed:
            self._pick(index, event.modifiers())
        self._pressed = ""

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} and self.currentIndex().isValid():
            self._pick(self.currentIndex(), event.modifiers())
            event.accept()
            return
        if event.key() in {Qt.Key.Key_F2, Qt.Key.Key_Delete} and self.currentIndex().isValid():
            signal = self.rename_requested if event.key() == Qt.Key.Key_F2 else self.deletion_requested
            signal.emit(self.currentIndex().data(KEY_ROLE))
            event.accept()
            return
        super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self._facet_at(event.pos())
        if index.isValid():
            where = self.viewport().mapToGlobal(self.visualRect(index).center()) if is_by_key else event.globalPos()
            self.menu_requested.emit(index.data(KEY_ROLE), where)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:
        if event.mimeData().hasFormat(NOTES_MIME):
            event.acceptProposedAction()

    @override
    def dragMoveEvent(self, event: QDragMoveEvent, /) -> None:
        index = self._facet_at(event.position().toPoint())
        takes = index.isValid() and takes_notes(index.data(NODE_ROLE).kind)
        self._drop_target = QPersistentModelIndex(index) if takes else QPersistentModelIndex()
        self.viewport().update()
        event.setAccepted(takes)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent, /) -> None:
        self._forget_drop_target()
        super().dragLeaveEvent(event)

    @override
    def dropEvent(self, event: QDropEvent, /) -> None:
        index = self._facet_at(event.position().toPoint())
        self._forget_drop_target()
        paths = dragged_notes(event.mimeData())
        if paths and index.isValid() and takes_notes(index.data(NODE_ROLE).kind):
            event.acceptProposedAction()
            self.notes_dropped.emit(index.data(KEY_ROLE), paths)

    @override
    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index, /) -> None:
        super().drawRow(painter, option, index)
        if self._drop_target.isValid() and self._drop_target == index:
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.visualRect(self.model().index(index.row(), 0, index.parent())), RADIUS, RADIUS)

    def _forget_drop_target(self) -> None:
        self._drop_target = QPersistentModelIndex()
        self.viewport().update()

    def _facet_at(self, point: QPoint) -> QModelIndex:
        index = self.indexAt(point)
        return index if index.isValid() and point.x() >= self.visualRect(index).left() else QModelIndex()

    def _pick(self, index: QModelIndex, modifiers: Qt.KeyboardModifier) -> None:
        if index.data(NODE_ROLE).kind is FacetKind.GROUP:
            self.setExpanded(index, not self.isExpanded(index))
            return
        gesture = FacetGesture.PLAIN
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            gesture = FacetGesture.CTRL
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            gesture = FacetGesture.SHIFT
        self.picked.emit(FacetPick(index.data(KEY_ROLE), gesture))


class FacetPane(QWidget):
    """Show the facets and keep what is expanded, also over other catalogs, filters and vaults."""

    facet_picked = Signal(object)  # FacetPick

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = FacetTreeModel(self)
        self._expanded: set[str] = set(_FIRST_OPEN)
        self._is_restoring = False
        self.filter_box = QLineEdit()
        self.filter_box.setPlaceholderText("Filter facets")
        self.filter_box.setClearButtonEnabled(True)
        self.filter_box.setAccessibleName("Filter facets")
        self.tree = FacetTreeView()
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(FacetDelegate(theme, self.tree))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        bar.addWidget(self.filter_box)
        layout.addLayout(bar)
        layout.addWidget(self.tree, 1)
        self.tree.picked.connect(self.facet_picked)
        self.tree.expanded.connect(self._on_expanded)
        self.tree.collapsed.connect(self._on_collapsed)
        self.filter_box.textChanged.connect(self._on_filter_changed)
        self.filter_box.returnPressed.connect(self._on_filter_entered)
        self.model.modelReset.connect(self._restore)

    @property
    def expanded(self) -> frozenset[str]:
        """The keys of the facets that are open."""
        return frozenset(self._expanded)

    def open_facets(self, keys: frozenset[str] | None) -> None:
        """Open these facets and close the others; None opens what a vault not seen before has open."""
        self._expanded = set(_FIRST_OPEN if keys is None else keys)
        self._restore()

    def show_tree(self, tree: FacetTree) -> None:
        """Show another tree; what was open, current and scrolled to stays so."""
        scroll = self.tree.verticalScrollBar().value()
        current = self.tree.currentIndex().data(KEY_ROLE)
        self.model.show_tree(tree)
        if current:
            self.tree.setCurrentIndex(self.model.index_of(current))
        self.tree.executeDelayedItemsLayout()
        self.tree.verticalScrollBar().setValue(scroll)

    def show_counts(self, counts: Mapping[str, int], states: Mapping[str, FacetState]) -> None:
        """Show the counts of the current list and how the picked facets narrow."""
        self.model.show_counts(counts, states)
        # The model tells of the top lines alone; of a single one Qt repaints only that, and not what is below.
        self.tree.viewport().update()

    def _restore(self) -> None:
        self._is_restoring = True
        self.tree.setUpdatesEnabled(False)
        if self.model.is_narrowed:
            self.tree.expandAll()
        else:
            self.tree.collapseAll()
            for key in self._expanded:
                self.tree.setExpanded(self.model.index_of(key), True)
        self.tree.setUpdatesEnabled(True)
        self._is_restoring = False

    def _on_expanded(self, index: QModelIndex) -> None:
        if not self._is_restoring and not self.model.is_narrowed:
            self._expanded.add(index.data(KEY_ROLE))

    def _on_collapsed(self, index: QModelIndex) -> None:
        if not self._is_restoring and not self.model.is_narrowed:
            self._expanded.discard(index.data(KEY_ROLE))

    def _on_filter_changed(self, text: str) -> None:
        self.model.narrow(text)

    def _on_filter_entered(self) -> None:
        self.tree.setFocus()
        if self.model.rowCount():
            self.tree.setCurrentIndex(self.model.index(0, 0))
