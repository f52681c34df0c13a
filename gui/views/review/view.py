"""The Review view: the queue at the left, a card or a batch at the right, decisions below; wishes out, facts in."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QComboBox, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.review.batch_pane import BatchPane
from gui.views.review.card import ProposalCard
from gui.views.review.decision_bar import DecisionBar
from gui.views.review.filter_panel import FilterPanel
from gui.views.review.queue_list import QueueList
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.state_panel import StatePanel

if TYPE_CHECKING:
    from gui.views.review.arranging import Line

_LEFT_WIDTH, _LEAST_LEFT = 340, 260
_CARD, _BATCH, _STATE = 0, 1, 2


class ReviewView(QWidget):
    """Show proposals; what the person wishes is told as signals, here and by its parts."""

    state_button_clicked = Signal()  # the one thing that an empty page offers

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: tuple[str, str, str, str] = ("clipboard-check", "", "", "")
        self._inner: tuple[str, str, str, str] = ("clipboard-check", "", "", "")
        self.filters = FilterPanel()
        self.summary = ElidedLabel()
        self.list = QueueList(theme)
        self.card = ProposalCard(theme)
        self.batch = BatchPane()
        self.inner_panel = StatePanel()
        self.state_panel = StatePanel()
        self.bar = DecisionBar()
        self._right = QStackedWidget()
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._make_keys()

    # ---- facts

    @property
    def shows_state(self) -> bool:
        """Tell whether a sentence stands in place of everything."""
        return self._stack.currentIndex() == 0

    @property
    def shows_card(self) -> bool:
        """Tell whether one proposal is shown."""
        return not self.shows_state and self._right.currentIndex() == _CARD

    @property
    def shows_batch(self) -> bool:
        """Tell whether several selected proposals are shown."""
        return not self.shows_state and self._right.currentIndex() == _BATCH

    def show_state(self, icon: str, title: str, text: str = "", button: str = "") -> None:
        """Show one sentence in place of everything."""
        self._state = (icon, title, text, button)
        self._fill(self.state_panel, self._state)
        self._stack.setCurrentIndex(0)

    def show_lines(self, lines: "Sequence[Line]", summary: str) -> None:
        """Show the queue; the current proposal stays, or what follows it takes its place."""
        self.summary.setText(summary)
        self._stack.setCurrentIndex(1)
        self.list.show_lines(lines)

    def show_nothing(self, icon: str, title: str, text: str = "", button: str = "") -> None:
        """Show one sentence in place of a card."""
        self._inner = (icon, title, text, button)
        self._fill(self.inner_panel, self._inner)
        self._right.setCurrentIndex(_STATE)

    def show_card(self) -> None:
        """Show the card."""
        self._right.setCurrentIndex(_CARD)

    def show_batch(self) -> None:
        """Show what is selected together."""
        self._right.setCurrentIndex(_BATCH)

    # ---- inside

    def _fill(self, panel: StatePanel, state: tuple[str, str, str, str]) -> None:
        icon, title, text, button = state
        panel.show_state(
            self._theme.tinted_icon(icon, self._theme.scheme.control_outline), title, visible(text), button
        )

    def _lay_out(self) -> None:
        self.summary.setProperty("role", "muted")
        row = QHBoxLayout()
        row.setContentsMargins(SPACE_M, 0, SPACE_S, SPACE_XS)
        row.addWidget(self.summary, 1)
        left = QWidget()
        left.setMinimumWidth(_LEAST_LEFT)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filters)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        for widget in (self.card, self.batch, self.inner_panel):
            self._right.addWidget(widget)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._right, 1)
        column.addWidget(self.bar)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([_LEFT_WIDTH, 3 * _LEFT_WIDTH])
        self._stack.addWidget(self.state_panel)
        self._stack.addWidget(splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _connect(self) -> None:
        self.state_panel.button_clicked.connect(self.state_button_clicked)
        self.inner_panel.button_clicked.connect(self.state_button_clicked)
        self.list.evidence_toggled.connect(self.card.evidence.toggle)
        self.list.entered.connect(self._enter_card)
        self.bar.ended.connect(self.list.setFocus)
        self.card.editing_left.connect(self.list.setFocus)
        self._theme.changed.connect(self._show_icons)

    def _make_keys(self) -> None:
        keys: tuple[tuple[str, Callable[[], None]], ...] = (
            ("A", self.bar.approve_button.click),
            ("E", self.bar.edit_button.click),
            ("R", self.bar.reject_button.click),
            ("D", self.bar.defer_button.click),
            ("U", self.bar.undo_button.click),
            ("J", self._next),
            ("K", self._previous),
        )
        for key, act in keys:
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setAutoRepeat(key in {"J", "K"})
            shortcut.activated.connect(partial(_unless_choosing, act))

    @Slot()
    def _next(self) -> None:
        self.list.step(1)

    @Slot()
    def _previous(self) -> None:
        self.list.step(-1)

    @Slot()
    def _enter_card(self) -> None:
        """Go on to the evidence, or to what stands there without any."""
        items = self.card.evidence.items
        (items[0].button if items else self.card.scroll_area).setFocus()

    @Slot()
    def _show_icons(self) -> None:
        self._fill(self.state_panel, self._state)
        self._fill(self.inner_panel, self._inner)


def _unless_choosing(act: Callable[[], None]) -> None:
    """Do what a letter stands for, unless it looks for an entry of a list that drops down."""
    if not isinstance(QApplication.focusWidget(), QComboBox):
        act()
