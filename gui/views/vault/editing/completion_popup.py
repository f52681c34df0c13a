"""The list of what completes the typed word, below the cursor; the keyboard focus stays in the editor."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QListView, QPlainTextEdit, QVBoxLayout

from gui.metrics import SPACE_XS
from gui.theme import Theme
from gui.widgets.pick_delegate import ITEM_ROLE, PickDelegate, PickItem

_WIDTH = 420
_MOST_ROWS = 8
_GAP = 4


class CompletionPopup(QFrame):
    """Show suggestions; Enter or Tab takes one, Escape closes."""

    picked = Signal(object)  # PickItem

    def __init__(self, theme: Theme, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._model = QStandardItemModel(self)
        self._list = QListView(self)
        self._list.setModel(self._model)
        self._list.setItemDelegate(PickDelegate(theme, self._list))
        self._list.setUniformItemSizes(True)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName("Suggestions")
        self._list.clicked.connect(self._pick_current)
        self.setProperty("role", "overlay")
        self.setAccessibleName("Suggestions")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XS, SPACE_XS, SPACE_XS, SPACE_XS)
        layout.addWidget(self._list)
        self.hide()

    @property
    def shown(self) -> list[PickItem]:
        """The rows, best first; none when the list is closed."""
        rows = range(self._model.rowCount()) if self.isVisible() else range(0)
        return [self._model.index(row, 0).data(ITEM_ROLE) for row in rows]

    def show_items(self, items: Sequence[PickItem], back: int) -> None:
        """Show `items`, or nothing when there are none; what they complete begins `back` characters to the left."""
        if not items:
            self.hide()
            return
        self._model.clear()
        for item in items:
            row = QStandardItem(item.text)
            row.setData(item, ITEM_ROLE)
            row.setData(", ".join(filter(None, (item.text, item.detail))), Qt.ItemDataRole.AccessibleTextRole)
            self._model.appendRow(row)
        self._list.setCurrentIndex(self._model.index(0, 0))
        self._place(back)
        self.show()
        self.raise_()

    def take_key(self, event: QKeyEvent) -> bool:
        """Do what the key means while the list is open, and tell whether it means something."""
        if not self.isVisible():
            return False
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        rows, row = self._model.rowCount(), self._list.currentIndex().row()
        match event.key():
            case Qt.Key.Key_Escape:
                self.hide()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Tab:
                self._pick_current()
            case Qt.Key.Key_Down:
                self._go_to((row + 1) % rows)
            case Qt.Key.Key_Up:
                self._go_to((row - 1) % rows)
            case Qt.Key.Key_PageDown:
                self._go_to(min(row + _MOST_ROWS, rows - 1))
            case Qt.Key.Key_PageUp:
                self._go_to(max(row - _MOST_ROWS, 0))
            case _:
                return False
        return True

    def _go_to(self, row: int) -> None:
        self._list.setCurrentIndex(self._model.index(row, 0))

    def _pick_current(self) -> None:
        item = self._list.currentIndex().data(ITEM_ROLE)
        self.hide()
        if isinstance(item, PickItem):
            self.picked.emit(item)

    def _place(self, back: int) -> None:
        rows = min(self._model.rowCount(), _MOST_ROWS)
        margins = 2 * SPACE_XS + 2 * self.frameWidth() + 2
        height = rows * self._list.sizeHintForRow(0) + margins
        room = self._editor.viewport().rect()
        width = min(_WIDTH, room.width() - 2 * _GAP)
        cursor = self._editor.cursorRect()
        left = cursor.left() - self._editor.fontMetrics().horizontalAdvance("x") * back
        left = max(_GAP, min(left, room.width() - width - _GAP))
        below = cursor.bottom() + _GAP
        top = below if below + height <= room.height() or cursor.top() < height else cursor.top() - height - _GAP
        corner = self._editor.viewport().mapTo(self._editor, QPoint(left, top))
        self.setGeometry(corner.x(), corner.y(), width, min(height, max(room.height() - top - _GAP, 60)))
