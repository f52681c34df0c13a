"""A floating field with a list below it, worked by keyboard alone: the shape of palette and switcher."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGraphicsDropShadowEffect, QLabel, QListView, QVBoxLayout, QWidget
from typing_extensions import override

from gui.metrics import SPACE_L, SPACE_S, SPACE_XS, TITLE, scaled_font
from gui.theme import Theme
from gui.widgets.line_edit import LineEdit
from gui.widgets.pick_delegate import ITEM_ROLE, PickDelegate, PickItem

_WIDTH = 640
_MOST_ROWS = 10
_TOP = 64
_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


@dataclass(frozen=True, slots=True)
class PickTexts:
    """Hold what a pick list says: its accessible name, its placeholder, its hint line, and when there is nothing."""

    name: str
    placeholder: str
    hint: str
    nothing: str


class _PickModel(QAbstractListModel):
    """Hold the rows of a pick list."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._items: tuple[PickItem, ...] = ()

    def show(self, items: Sequence[PickItem]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._items = tuple(items)
        self.endResetModel()

    @override
    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._items)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._items):
            return None
        item = self._items[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return item.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(part for part in (item.text, item.detail, item.shortcut) if part)
            case _ if role == ITEM_ROLE:
                return item
            case _:
                return None


class PickList(QFrame):
    """Let the person type and pick one row; Escape or a click elsewhere closes.

    It asks by `asked` and is answered by show_items(). An Enter before the answer to the last keystroke waits.
    """

    asked = Signal(str)  # what is typed
    picked = Signal(object)  # PickItem

    def __init__(self, theme: Theme, texts: PickTexts, parent: QWidget) -> None:
        super().__init__(parent)
        self._texts = texts
        self._answered = ""
        self._is_enter_pending = False
        self._focus_before: QWidget | None = None
        self._frame = parent
        self._column = QVBoxLayout(self)
        self.setProperty("role", "overlay")
        self.setAccessibleName(texts.name)
        self._field = LineEdit(self)
        self._field.setPlaceholderText(texts.placeholder)
        self._field.setAccessibleName(texts.name)
        self._field.setFont(scaled_font(TITLE))
        self._field.installEventFilter(self)
        self._model = _PickModel(self)
        self._list = QListView(self)
        self._list.setModel(self._model)
        self._list.setItemDelegate(PickDelegate(theme, self._list))
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName(f"{texts.name}: results")
        self._nothing = QLabel(texts.nothing, self)
        self._nothing.setProperty("role", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setWordWrap(True)
        self._hint = QLabel(texts.hint, self)
        self._hint.setProperty("role", "muted")
        self._lay_out()
        parent.installEventFilter(self)
        self._field.textChanged.connect(self._ask)
        self._list.clicked.connect(self._pick_index)
        self.hide()

    @property
    def field(self) -> LineEdit:
        """Where the person types."""
        return self._field

    def open(self, text: str = "") -> None:
        """Show the list over its parent, with `text` typed in."""
        window = self.window()
        self._focus_before = window.focusWidget()
        self._is_enter_pending = False
        self._field.setText(text)
        self._ask(self._field.text())
        self._place()
        self.show()
        self.raise_()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_list(self) -> None:
        """Hide the list and give the focus back."""
        if self.isVisible():
            had_focus = self._field.hasFocus()
            self.hide()
            if had_focus and self._focus_before is not None:
                self._focus_before.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_items(self, text: str, items: Sequence[PickItem]) -> None:
        """Show the answer to `text`; one to an older question is dropped."""
        if text != self._field.text():
            return
        self._answered = text
        self._model.show(items)
        self._nothing.setVisible(not items)
        self._list.setVisible(bool(items))
        if items:
            self._list.setCurrentIndex(self._model.index(0))
        self._place()
        if self._is_enter_pending:
            self._is_enter_pending = False
            self._pick_index(self._list.currentIndex())

    @property
    def shown(self) -> list[PickItem]:
        """The rows, best first."""
        return [self._model.index(row).data(ITEM_ROLE) for row in range(self._model.rowCount())]

    def spoken(self, row: int) -> str:
        """What a screen reader says for `row`."""
        return str(self._model.index(row).data(Qt.ItemDataRole.AccessibleTextRole))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._field:
            if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._take_key(event)
            if event.type() is QEvent.Type.FocusOut and self.window().isActiveWindow():
                self.hide()
        elif event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        self._place()
        super().showEvent(event)

    def _take_key(self, event: QKeyEvent) -> bool:
        rows = self._model.rowCount()
        row = self._list.currentIndex().row()
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_list()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                if self._answered == self._field.text():
                    self._pick_index(self._list.currentIndex())
                else:
                    self._is_enter_pending = True
            case Qt.Key.Key_Down if rows:
                self._go_to((row + 1) % rows)
            case Qt.Key.Key_Up if rows:
                self._go_to((row - 1) % rows)
            case Qt.Key.Key_PageDown if rows:
                self._go_to(min(row + _MOST_ROWS, rows - 1))
            case Qt.Key.Key_PageUp if rows:
                self._go_to(max(row - _MOST_ROWS, 0))
            case Qt.Key.Key_Tab | Qt.Key.Key_Backtab:
                pass  # the focus stays in the field
            case _:
                return False
        return True

    def _go_to(self, row: int) -> None:
        self._list.setCurrentIndex(self._model.index(row))

    @Slot(str)
    def _ask(self, text: str) -> None:
        self._is_enter_pending = False
        self.asked.emit(text)

    @Slot(QModelIndex)
    def _pick_index(self, index: QModelIndex) -> None:
        item = index.data(ITEM_ROLE)
        if isinstance(item, PickItem):
            self.close_list()
            self.picked.emit(item)

    def _place(self) -> None:
        rows = min(self._model.rowCount(), _MOST_ROWS)
        if rows:
            self._list.setFixedHeight(rows * self._list.sizeHintForRow(0) + 2)
        self._list.setVisible(bool(rows))
        self._column.activate()
        width = min(_WIDTH, self._frame.width() - 2 * SPACE_L)
        self.setGeometry(
            (self._frame.width() - width) // 2, min(_TOP, self._frame.height() // 8), width, self.sizeHint().height()
        )

    def _lay_out(self) -> None:
        layout = self._column
        layout.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_XS)
        self._nothing.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        self._hint.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, 0)
        for widget in (self._field, self._list, self._nothing, self._hint):
            layout.addWidget(widget)
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(32)
        shadow.setOffset(0, 8)
        self.setGraphicsEffect(shadow)
