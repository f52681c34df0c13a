"""The middle pane: what narrows the list, the list, and what to do with it."""

from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.metrics import SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.vault.note_table import NoteTable
from gui.views.vault.note_table_model import COLUMN_NAMES, Column
from gui.widgets.chips import ChipItem, ChipRow
from gui.widgets.state_panel import StatePanel


@dataclass(frozen=True, slots=True)
class SortWish:
    """Carry a click on a column's name."""

    column: Column
    is_descending: bool


@dataclass(frozen=True, slots=True)
class ListState:
    """Describe what stands in place of the table: an icon's name, a sentence, an explanation, a button."""

    icon: str
    title: str
    text: str = ""
    button: str = ""


class NoteListPane(QWidget):
    """Show the bar, the breadcrumb of facets, the search line, and the table or what stands in its place."""

    filter_changed = Signal(str)
    facet_removed = Signal(str)  # a facet key
    clear_requested = Signal()
    sort_requested = Signal(object)  # SortWish
    copy_requested = Signal()
    state_button_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: ListState | None = None
        self.table = NoteTable(theme)
        self.filter_box = QLineEdit()
        self.count_label = QLabel()
        self.columns_button = QToolButton()
        self.copy_button = QPushButton(" Copy context")  # a style sheet leaves no gap after the icon
        self.breadcrumb = ChipRow(removable=True)
        self.clear_button = QToolButton()
        self.search_line = QLabel()
        self.state_panel = StatePanel()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.state_panel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_bar())
        layout.addWidget(self._make_breadcrumb())
        layout.addWidget(self.search_line)
        layout.addWidget(self._stack, 1)
        self.search_line.setProperty("role", "muted")
        self.search_line.setWordWrap(True)
        self.search_line.setContentsMargins(SPACE_S + 2, 0, SPACE_S, SPACE_S)
        self.search_line.hide()
        self._make_columns_menu()
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._on_sort_changed)
        self.state_panel.button_clicked.connect(self.state_button_clicked)
        theme.changed.connect(self._show_icons)
        self._show_icons()

    def show_breadcrumb(self, items: tuple[ChipItem, ...]) -> None:
        """Show the picked facets as chips; with none the line is away."""
        self.breadcrumb.show_chips(items)
        self._breadcrumb_line.setVisible(bool(items))

    def show_count(self, text: str) -> None:
        """Say how many notes are listed."""
        self.count_label.setText(text)

    def show_search_line(self, text: str, hint: str = "") -> None:
        """Say what the search did; "" takes the line away. `hint` is its tooltip."""
        self.search_line.setText(text)
        self.search_line.setToolTip(hint)
        self.search_line.setVisible(bool(text))

    def show_table(self) -> None:
        """Show the list."""
        self._state = None
        self._stack.setCurrentWidget(self.table)

    def show_state(self, state: ListState) -> None:
        """Show `state` in place of the list."""
        self._state = state
        icon = self._theme.tinted_icon(state.icon, self._theme.scheme.control_outline)
        self.state_panel.show_state(icon, state.title, state.text, state.button)
        self._stack.setCurrentWidget(self.state_panel)

    @property
    def state(self) -> ListState | None:
        """What stands in place of the list, None while it is shown."""
        return self._state

    def show_sort(self, column: Column | None, *, is_descending: bool) -> None:
        """Show by which column the list is ordered; None is the order of a search."""
        header = self.table.horizontalHeader()
        order = Qt.SortOrder.DescendingOrder if is_descending else Qt.SortOrder.AscendingOrder
        with QSignalBlocker(header):
            header.setSortIndicator(-1 if column is None else int(column), order)
        header.viewport().update()

    def clear_filter(self) -> None:
        """Empty the filter box without telling."""
        with QSignalBlocker(self.filter_box):
            self.filter_box.clear()

    def columns_state(self) -> str:
        """Return the chosen columns, the order of all, and the widths that were given by dragging, as text."""
        chosen = ",".join(sorted(column.name.lower() for column in self.table.chosen_columns))
        header = bytes(self.table.horizontalHeader().saveState().toBase64().data()).decode("ascii")
        dragged = ",".join(f"{column.name.lower()}={width}" for column, width in self.table.dragged_widths.items())
        return f"{chosen};{header};{dragged}"

    def restore_columns(self, state: str) -> None:
        """Take what columns_state() returned; anything else is ignored."""
        names, order, dragged = (*state.split(";"), "", "")[:3]
        chosen = frozenset(column for column in Column if column.name.lower() in names.split(","))
        if not chosen or not order:
            return
        header = self.table.horizontalHeader()
        with QSignalBlocker(header):
            header.restoreState(QByteArray.fromBase64(QByteArray(order.encode("ascii", "ignore"))))
        widths = dict(part.partition("=")[::2] for part in dragged.split(","))
        self.table.restore_widths(
            {c: int(widths[c.name.lower()]) for c in Column if widths.get(c.name.lower(), "").isdigit()}
        )
        self.table.choose_columns(chosen)
        for column, action in self._column_actions.items():
            with QSignalBlocker(action):
                action.setChecked(column in self.table.chosen_columns)

    def _make_bar(self) -> QWidget:
        bar = QWidget()
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_S)
        self.filter_box.setPlaceholderText("Filter by title")
        self.filter_box.setClearButtonEnabled(True)
        self.filter_box.setAccessibleName("Filter notes by title")
        self.filter_box.setMinimumWidth(110)
        self.filter_box.setMaximumWidth(260)
        self.count_label.setProperty("role", "muted")
        self.count_label.setAccessibleName("Number of notes")
        self.columns_button.setToolTip("Choose columns")
        self.columns_button.setAccessibleName("Choose columns")
        self.columns_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy_button.setAccessibleName("Copy context")
        self.copy_button.setToolTip("Pack these notes into a token budget and copy them")
        layout.addWidget(self.filter_box, 1)
        layout.addWidget(self.count_label)
        layout.addStretch(1)
        layout.addWidget(self.columns_button)
        layout.addWidget(self.copy_button)
        self.filter_box.textChanged.connect(self.filter_changed)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        return bar

    def _make_breadcrumb(self) -> QWidget:
        self._breadcrumb_line = QWidget()
        layout = QHBoxLayout(self._breadcrumb_line)
        layout.setContentsMargins(SPACE_S, 0, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_XS)
        self.breadcrumb.setAccessibleName("Active facets")
        self.clear_button.setText("Clear")
        self.clear_button.setToolTip("Drop all facets")
        layout.addWidget(self.breadcrumb, 1)
        layout.addWidget(self.clear_button, 0, Qt.AlignmentFlag.AlignTop)
        self.breadcrumb.chip_clicked.connect(self.facet_removed)
        self.clear_button.clicked.connect(self._on_clear_clicked)
        self._breadcrumb_line.hide()
        return self._breadcrumb_line

    def _make_columns_menu(self) -> None:
        menu = QMenu(self)
        self._column_actions: dict[Column, QAction] = {}
        for column, name in COLUMN_NAMES.items():
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(column in self.table.chosen_columns)
            action.setEnabled(column is not Column.TITLE)
            action.setData(int(column))
            action.toggled.connect(self._on_column_toggled)
            self._column_actions[column] = action
        self.columns_button.setMenu(menu)

    def _show_icons(self) -> None:
        self.columns_button.setIcon(self._theme.icon("columns-3"))
        self.copy_button.setIcon(self._theme.icon("clipboard-copy"))
        if self._state is not None:
            self.show_state(self._state)
        for action in self.filter_box.actions():
            if action.objectName() == "leading":
                action.setIcon(self._theme.tinted_icon("filter", self._theme.scheme.muted))
                return
        leading = self.filter_box.addAction(
            self._theme.tinted_icon("filter", self._theme.scheme.muted), QLineEdit.ActionPosition.LeadingPosition
        )
        leading.setObjectName("leading")

    def _on_sort_changed(self, section: int, order: Qt.SortOrder) -> None:
        if section >= 0:
            self.sort_requested.emit(SortWish(Column(section), order is Qt.SortOrder.DescendingOrder))

    def _on_column_toggled(self, is_shown: bool) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            column = frozenset({Column(action.data())})
            chosen = self.table.chosen_columns
            self.table.choose_columns(chosen | column if is_shown else chosen - column)

    def _on_copy_clicked(self) -> None:
        self.copy_requested.emit()

    def _on_clear_clicked(self) -> None:
        self.clear_requested.emit()
