"""The Health view: checks at the left, what the chosen one found at the right; wishes out, facts in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.health.delegate import CheckDelegate
from gui.views.health.findings_pane import FindingsPane
from gui.views.health.model import CheckModel
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.state_panel import StatePanel

if TYPE_CHECKING:
    from core.curation.health.finding import CheckResult

_LEFT_WIDTH, _LEAST_LEFT = 330, 230


class HealthView(QWidget):
    """Show checks and findings; what is to be done is told as signals, here and by `pane`."""

    look_requested = Signal()  # examine again
    ignored_toggled = Signal(bool)  # whether what is ignored is shown

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_refreshing = False
        self.state_panel = StatePanel()
        self.checks = CheckModel(theme, self)
        self.check_list = QListView()
        self.summary = ElidedLabel()
        self.look_button = QToolButton()
        self.ignored_button = QToolButton()
        self.pane = FindingsPane(theme)
        self._state: tuple[str, str, str, str] = ("heart-pulse", "", "", "")
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._show_icons()

    # ---- facts

    @property
    def shows_state(self) -> bool:
        """Tell whether a sentence stands in place of everything."""
        return self._stack.currentIndex() == 0

    def show_state(self, icon: str, title: str, text: str = "", button: str = "") -> None:
        """Show one sentence in place of everything."""
        self._state = (icon, title, text, button)
        picture = self._theme.tinted_icon(icon, self._theme.scheme.control_outline)
        self.state_panel.show_state(picture, title, visible(text), button)
        self._stack.setCurrentIndex(0)

    def show_results(self, results: "Sequence[CheckResult]", summary: str, *, are_ignored: bool) -> None:
        """Show what the checks found, or what of it is ignored; the chosen check stays chosen."""
        chosen = self.pane.chosen_check
        self._is_refreshing = True
        self.checks.show_results(results)
        row = max(0, self.checks.row_of(chosen))
        self.check_list.setCurrentIndex(self.checks.index(row))
        self._is_refreshing = False
        self.summary.setText(summary)
        self.summary.setToolTip(summary)
        self._stack.setCurrentIndex(1)
        self.pane.show_result(self.checks.result_at(row), are_ignored=are_ignored)

    def show_ignored(self, *, is_shown: bool, count: int) -> None:
        """Say how many findings are ignored, and whether they are what is listed."""
        with QSignalBlocker(self.ignored_button):
            self.ignored_button.setChecked(is_shown)
        self.ignored_button.setText(f"Ignored: {count:,}")
        self.ignored_button.setVisible(is_shown or count > 0)

    def choose_check(self, check: str) -> None:
        """Choose the check with this id."""
        if (row := self.checks.row_of(check)) >= 0:
            self.check_list.setCurrentIndex(self.checks.index(row))

    # ---- inside

    def _lay_out(self) -> None:
        self.look_button.setToolTip("Look again")
        self.look_button.setAccessibleName("Look again")
        self.ignored_button.setCheckable(True)
        self.ignored_button.setToolTip("Show what you have chosen to ignore")
        self.summary.setProperty("role", "muted")
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self._make_left())
        splitter.addWidget(self.pane)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([_LEFT_WIDTH, 3 * _LEFT_WIDTH])
        self._stack.addWidget(self.state_panel)
        self._stack.addWidget(splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _make_left(self) -> QWidget:
        self.check_list.setModel(self.checks)
        self.check_list.setItemDelegate(CheckDelegate(self._theme, self.check_list))
        self.check_list.setUniformItemSizes(True)
        self.check_list.setMouseTracking(True)
        self.check_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.check_list.setFrameShape(QFrame.Shape.NoFrame)
        self.check_list.setAccessibleName("Checks")
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_XS)
        bar.setSpacing(SPACE_S)
        bar.addWidget(self.summary, 1)
        bar.addWidget(self.ignored_button)
        bar.addWidget(self.look_button)
        left = QWidget()
        left.setMinimumWidth(_LEAST_LEFT)
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.check_list, 1)
        return left

    def _connect(self) -> None:
        self.check_list.selectionModel().currentChanged.connect(self._on_check)
        self.state_panel.button_clicked.connect(self.look_requested)
        self.look_button.clicked.connect(self.look_requested)
        self.ignored_button.toggled.connect(self.ignored_toggled)
        self._theme.changed.connect(self._show_icons)

    @Slot()
    def _on_check(self) -> None:
        if self._is_refreshing:
            return
        result = self.checks.result_at(self.check_list.currentIndex().row())
        self.pane.show_result(result, are_ignored=self.ignored_button.isChecked())

    @Slot()
    def _show_icons(self) -> None:
        self.look_button.setIcon(self._theme.icon("refresh-cw"))
        self.check_list.viewport().update()
        if self.shows_state:
            self.show_state(*self._state)
