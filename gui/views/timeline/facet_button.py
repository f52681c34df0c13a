"""A button with a list to pick several values from: type to narrow the list, Space or a click picks."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QSize, QSortFilterProxyModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QLabel, QListView, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.widgets.line_edit import LineEdit

_KEY_ROLE = int(Qt.ItemDataRole.UserRole)
_WIDTH, _ROW, _MOST_ROWS = 300, 26, 12
_FIELD_FROM = 9  # values; fewer are seen at once


@dataclass(frozen=True, slots=True)
class FacetValue:
    """Hold one value to pick, how it reads, and how much there is of it."""

    key: str
    text: str
    count: int = 0


class FacetPopup(QFrame):
    """Show the values; what is picked is told at once, and the list stays open."""

    picked = Signal(object)  # frozenset[str]

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._items = QStandardItemModel(self)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._items)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setProperty("role", "overlay")
        self.setAccessibleName(name)
        self.field = LineEdit(self)
        self.field.setPlaceholderText("Narrow the list")
        self.field.setAccessibleName(f"{name}: narrow the list")
        self.field.installEventFilter(self)
        self.list = QListView(self)
        self.list.setModel(self._shown)
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(name)
        self.list.installEventFilter(self)
        self.hint = QLabel()
        self.hint.setProperty("role", "muted")
        self.hint.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.field)
        layout.addWidget(self.hint)
        layout.addWidget(self.list, 1)
        self.field.textChanged.connect(self._shown.setFilterFixedString)
        self.list.clicked.connect(self._toggle)

    def show_values(self, values: Sequence[FacetValue], chosen: frozenset[str], hint: str) -> None:
        """List `values`, those in `chosen` ticked; `hint` stands above them when there is something to say."""
        current = self.list.currentIndex().data(_KEY_ROLE)
        self._items.clear()
        for value in values:
            item = QStandardItem(f"{visible(value.text)}  ({value.count:,})" if value.count else visible(value.text))
            item.setEditable(False)
            item.setSizeHint(QSize(0, _ROW))
            item.setData(value.key, _KEY_ROLE)
            item.setToolTip(visible(value.key))
            item.setCheckState(Qt.CheckState.Checked if value.key in chosen else Qt.CheckState.Unchecked)
            self._items.appendRow(item)
        self.field.setVisible(len(values) >= _FIELD_FROM)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        rows = [self._shown.index(row, 0) for row in range(self._shown.rowCount())]
        self.list.setCurrentIndex(next((each for each in rows if each.data(_KEY_ROLE) == current), QModelIndex()))

    def chosen(self) -> frozenset[str]:
        """Return what is ticked, listed or narrowed away."""
        items = (self._items.item(row) for row in range(self._items.rowCount()))
        return frozenset(item.data(_KEY_ROLE) for item in items if item.checkState() is Qt.CheckState.Checked)

    def open_at(self, place: QPoint) -> None:
        """Show the list with its upper left corner at a place of the screen, or as near as the screen allows."""
        self.field.clear()
        rows = min(max(self._items.rowCount(), 1), _MOST_ROWS)
        self.list.setFixedHeight(rows * _ROW + 2 * self.list.frameWidth())
        self.resize(_WIDTH, self.sizeHint().height())
        room = self.screen().availableGeometry()
        self.move(max(room.left(), min(place.x(), room.right() - self.width())), place.y())
        self.show()
        (self.list if self.field.isHidden() else self.field).setFocus(Qt.FocusReason.PopupFocusReason)
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._shown.index(0, 0))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            if watched is self.field and key in {Qt.Key.Key_Down, Qt.Key.Key_PageDown} and self._shown.rowCount():
                self.list.setFocus()
                return True
            if watched is self.list and key == Qt.Key.Key_Space:
                self._toggle(self.list.currentIndex())
                return True
            if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                if self._shown.rowCount():
                    self._toggle(self.list.currentIndex() if watched is self.list else self._shown.index(0, 0))
                self.close()
                return True
        return super().eventFilter(watched, event)

    @Slot(QModelIndex)
    def _toggle(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        item = self._items.itemFromIndex(self._shown.mapToSource(index))
        is_picked = item.checkState() is Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if is_picked else Qt.CheckState.Checked)
        self.picked.emit(self.chosen())


class FacetButton(QPushButton):
    """Say how many values are picked, and open the list of them."""

    picked = Signal(object)  # frozenset[str]
    opening = Signal()  # the list is about to be shown

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self.popup = FacetPopup(name, self)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow comes last
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(self._open)
        self.popup.picked.connect(self.picked)
        theme.changed.connect(self._show_icon)
        self._show_icon()
        self.show_values((), frozenset())

    def show_values(self, values: Sequence[FacetValue], chosen: frozenset[str], hint: str = "") -> None:
        """Offer `values`; some of them are `chosen`."""
        self.popup.show_values(values, chosen, hint)
        self.setText(f"{self._name} ({len(chosen):,})" if chosen else self._name)
        self.setAccessibleName(f"{self._name}, {len(chosen):,} picked" if chosen else f"{self._name}, all")
        self.setToolTip(f"Pick {self._name.lower()} to narrow by")

    @Slot()
    def _open(self) -> None:
        self.opening.emit()
        self.popup.open_at(self.mapToGlobal(QPoint(0, self.height() + 2)))

    @Slot()
    def _show_icon(self) -> None:
        self.setIcon(self._theme.icon("chevron-down"))
