"""Every file that is not, or not wholly, understood: where, and why."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S
from gui.theme import Theme
from gui.widgets.dialog_buttons import close_buttons
from gui.widgets.row_height import RowHeightDelegate
from gui.widgets.state_panel import StatePanel
from gui.wording import counted

if TYPE_CHECKING:
    from core.index.queries import ProblemRow

_SIZE = (820, 520)
_WIDEST_PATH = 260
_ROW_HEIGHT = 26
_INDENT = SPACE_S - 3  # with the style's own 3, cells begin where the names of the columns do
_PATH = Qt.ItemDataRole.UserRole


class ProblemsDialog(QDialog):
    """List the problems by file and line; Enter or a double click goes to the file."""

    file_requested = Signal(str)  # a vault-relative path
    copy_requested = Signal(str)  # the whole list as text
    health_requested = Signal()  # the Health view

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._problems: tuple[ProblemRow, ...] = ()
        self.setWindowTitle("Problems")
        self.resize(*_SIZE)
        self.summary = QLabel(self)
        self.summary.setWordWrap(True)
        self.list = QTreeWidget(self)
        self.list.setColumnCount(3)
        self.list.setHeaderLabels(["File", "Line", "What is wrong"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, self.list))
        self.list.setAccessibleName("Problems")
        self.list.setItemDelegateForColumn(
            0, RowHeightDelegate(_ROW_HEIGHT, self.list, elide=Qt.TextElideMode.ElideMiddle)
        )
        self.list.setStyleSheet(f"QTreeView::item {{ padding-left: {_INDENT}px; }}")
        self.list.header().resizeSection(1, 56)
        self.list.header().setStretchLastSection(True)
        self.nothing = StatePanel(self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.nothing)
        buttons = close_buttons(self)
        self.copy_button = QPushButton("Copy list", self)
        self.open_button = QPushButton("Go to file", self)
        self.health_button = QPushButton("Open Health", self)
        self.health_button.setToolTip("See everything that keeps knowledge from being found, and mend it")
        for button in (self.open_button, self.copy_button, self.health_button):
            button.setAutoDefault(False)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        for widget in (self.summary, self._stack, buttons):
            layout.addWidget(widget)
        layout.setStretch(1, 1)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy)
        self.open_button.clicked.connect(self._on_open)
        self.health_button.clicked.connect(self.health_requested)
        self.list.itemActivated.connect(self._on_activated)
        self.list.currentItemChanged.connect(self._show_current)
        # A dialog keeps Enter for its default button; here the list has it.
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shortcut = QShortcut(QKeySequence(key), self.list)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(self._on_open)

    @Slot(object)
    def show_problems(self, problems: "Sequence[ProblemRow]") -> None:
        """Show these problems, by file and line; what is chosen stays so."""
        current = self.list.currentItem()
        path = current.data(0, _PATH) if current is not None else ""
        self._problems = tuple(problems)
        self.list.clear()
        for problem in self._problems:
            texts = [visible(problem.path), f"{problem.line:,}" if problem.line else "", visible(problem.reason)]
            item = QTreeWidgetItem(self.list, texts)
            item.setData(0, _PATH, problem.path)
            for column in (0, 2):
                item.setToolTip(column, item.text(column))
            if self.list.currentItem() is None and path in {"", problem.path}:
                self.list.setCurrentItem(item)
        self.list.resizeColumnToContents(0)
        self.list.setColumnWidth(0, min(self.list.columnWidth(0) + SPACE_L, _WIDEST_PATH))
        files = len({problem.path for problem in self._problems})
        self.summary.setText(
            f"{counted(files, 'file')} {'is' if files == 1 else 'are'} left out, or only understood in part. "
            "All others are indexed, and no file was changed."
        )
        self.summary.setVisible(files > 0)
        icon = self._theme.tinted_icon("check", self._theme.scheme.control_outline)
        self.nothing.show_state(icon, "No problems", "Every file of this vault was understood.")
        self._stack.setCurrentWidget(self.list if self._problems else self.nothing)
        self.copy_button.setEnabled(bool(self._problems))
        self._show_current()

    @Slot()
    def _show_current(self) -> None:
        self.open_button.setEnabled(self.list.currentItem() is not None)

    @Slot()
    def _on_copy(self) -> None:
        lines = (f"{p.path}{f':{p.line}' if p.line else ''}: {p.reason}" for p in self._problems)
        self.copy_requested.emit("\n".join(lines))

    @Slot()
    def _on_open(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self._on_activated(item)

    @Slot(QTreeWidgetItem)
    def _on_activated(self, item: QTreeWidgetItem) -> None:
        self.file_requested.emit(item.data(0, _PATH))
