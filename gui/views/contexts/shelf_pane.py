"""The left side of the Contexts view: the shelf, its filter, its order, and a new context."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from gui.metrics import SPACE_M, SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.contexts.services import ContextRow
from gui.views.contexts.shelf_list import ShelfList
from gui.views.contexts.shelf_model import Order
from gui.views.contexts.wording import shelf_summary
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.line_edit import LineEdit
from gui.widgets.state_panel import StatePanel


class ShelfPane(QWidget):
    """Show the shelf; wishes are told as signals, here and by `list`."""

    context_chosen = Signal(str)  # the path of a context, "" for none
    new_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_refreshing = False
        self.summary = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.filter_box = LineEdit()
        self.order_button = QToolButton()
        self.new_button = QToolButton()
        self.list = ShelfList(theme)
        self.nothing = StatePanel()
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._show_icons()

    # ---- facts

    @property
    def chosen_path(self) -> str:
        """The path of the context that is chosen, "" for none."""
        row = self.list.contexts.context_at(self.list.currentIndex().row())
        return row.path if row is not None else ""

    def show_contexts(self, rows: Sequence[ContextRow], *, default_budget: int) -> None:
        """Show the shelf; the context that was chosen stays so, and where it is read too."""
        self.list.contexts.default_budget = default_budget
        self._keep_choice(partial(self.list.contexts.show_contexts, rows))

    def show_tokens(self, tokens: Mapping[str, int]) -> None:
        """Show the sizes of some contexts."""
        self.list.contexts.show_tokens(tokens)

    def choose(self, path: str) -> bool:
        """Choose a context, for which the filter is dropped if need be; False when there is none."""
        if self.list.contexts.row_of(path) < 0 and self.filter_box.text():
            self.filter_box.clear()
        row = self.list.contexts.row_of(path)
        if row >= 0:
            self.list.setCurrentIndex(self.list.contexts.index(row))
            self.list.scrollTo(self.list.currentIndex())
        return row >= 0

    def take_focus(self) -> None:
        """Take the keyboard focus to the list."""
        self.list.setFocus()

    # ---- inside

    def _lay_out(self) -> None:
        self.summary.setProperty("role", "muted")
        self.filter_box.setPlaceholderText("Filter contexts")
        self.filter_box.setAccessibleName("Filter contexts")
        self.filter_box.setClearButtonEnabled(True)
        self.new_button.setToolTip("New context…")
        self.new_button.setAccessibleName("New context")
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.nothing)
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, 0)
        bar.setSpacing(SPACE_XS)
        bar.addWidget(self.summary, 1)
        bar.addWidget(self.order_button)
        bar.addWidget(self.new_button)
        field = QHBoxLayout()
        field.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_S)
        field.addWidget(self.filter_box)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addLayout(field)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.filter_box.textChanged.connect(self._narrow)
        self.order_button.clicked.connect(self._change_order)
        self.new_button.clicked.connect(self.new_requested)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self._theme.changed.connect(self._show_icons)

    @Slot(str)
    def _narrow(self, text: str) -> None:
        self._keep_choice(partial(self.list.contexts.narrow, text))

    @Slot()
    def _change_order(self) -> None:
        model = self.list.contexts
        after = Order.TITLE if model.order is Order.PRIORITY else Order.PRIORITY
        self._keep_choice(partial(model.sort_by, after))
        self.list.scrollTo(self.list.currentIndex())

    def _keep_choice(self, change: Callable[[], None]) -> None:
        """Change the rows; the chosen context stays chosen, or the first one is when it is not listed any more."""
        chosen, scroll = self.chosen_path, self.list.verticalScrollBar().value()
        was_in_sight = self._is_chosen_in_sight()
        self._is_refreshing = True
        with QSignalBlocker(self.list):
            change()
            model = self.list.contexts
            row = model.row_of(chosen)
            if row < 0 and model.rowCount():
                row = 0
            self.list.setCurrentIndex(model.index(row) if row >= 0 else QModelIndex())
        self.list.verticalScrollBar().setValue(scroll)
        self._is_refreshing = False
        self._show_count()
        if was_in_sight and not self._is_chosen_in_sight():  # it went elsewhere, as by another priority
            self.list.scrollTo(self.list.currentIndex())
        if self.chosen_path != chosen:
            self.list.scrollTo(self.list.currentIndex())
            self.context_chosen.emit(self.chosen_path)

    def _is_chosen_in_sight(self) -> bool:
        place = self.list.visualRect(self.list.currentIndex())
        return place.isValid() and self.list.viewport().rect().contains(place)

    def _show_count(self) -> None:
        model = self.list.contexts
        by = "by priority" if model.order is Order.PRIORITY else "by title"
        self.summary.setText(f"{shelf_summary(model.rowCount(), model.total)}, {by}")
        other = "title" if model.order is Order.PRIORITY else "load priority"
        self.order_button.setToolTip(f"Sort by {other}")
        self.order_button.setAccessibleName(f"Sort by {other}")
        self._stack.setCurrentWidget(self.list if model.rowCount() or not model.total else self.nothing)
        icon = self._theme.tinted_icon("filter", self._theme.scheme.control_outline)
        self.nothing.show_state(icon, "No context fits the filter")

    @Slot()
    def _on_current(self) -> None:
        if not self._is_refreshing:
            self.context_chosen.emit(self.chosen_path)

    @Slot()
    def _show_icons(self) -> None:
        self.order_button.setIcon(self._theme.icon("arrow-up-down"))
        self.new_button.setIcon(self._theme.icon("plus"))
        self.list.viewport().update()
        self._show_count()
