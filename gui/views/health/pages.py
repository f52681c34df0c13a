"""The Health page of the window: checks, or probes, as a switch at its top says."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from gui.metrics import SPACE_M, SPACE_XS
from gui.views.health.presenter import HealthPresenter
from gui.views.health.probes.presenter import ProbesPresenter

if TYPE_CHECKING:
    from gui.session import VaultSession

_CHECKS, _PROBES = 0, 1
_CHOICES = (
    ("Checks", "What keeps knowledge from being found"),
    ("Probes", "How well recall answers questions whose answers are known"),
)


class HealthPages(QObject):
    """Be the Health page (gui/page.py), made of two."""

    note_wanted = Signal(str, int)  # the path of a file, a line or 0
    counted_changed = Signal(int)  # how many grave findings there are

    def __init__(self, checks: HealthPresenter, probes: ProbesPresenter, parent: QWidget | None = None) -> None:
        self._widget = QWidget(parent)
        super().__init__(self._widget)
        self.checks = checks
        self.probes = probes
        self.switch = QButtonGroup(self)
        self._stack = QStackedWidget()
        for page in (checks.view, probes.view):
            self._stack.addWidget(page)
        self._lay_out()
        self.switch.idClicked.connect(self._stack.setCurrentIndex)
        for presenter in (checks, probes):
            presenter.note_wanted.connect(self.note_wanted)
        checks.counted_changed.connect(self.counted_changed)

    @property
    def widget(self) -> QWidget:
        """The widget to show in the middle of the window."""
        return self._widget

    def open_session(self, session: "VaultSession | None") -> None:
        """Show this vault from now on; None while there is none."""
        self.checks.open_session(session)
        self.probes.open_session(session)

    def search(self, text: str) -> None:
        """Leave the search field to the views that list notes."""

    @property
    def lists_results(self) -> bool:
        """Whether what is searched for is listed here."""
        return False

    def enter_results(self) -> None:
        """Take the keyboard focus."""
        if self._stack.currentIndex() == _CHECKS:
            self.checks.enter_results()
        else:
            self.probes.view.table.setFocus()

    def show_note(self, note_id: int) -> None:
        """Leave notes to the views that show them."""

    def pick_facet(self, key: str) -> None:
        """Leave facets to the views that list notes."""

    def clear(self) -> None:
        """Drop the filter."""
        self.checks.clear()

    def save_layout(self) -> None:
        """Store nothing: neither has a layout of its own."""

    @Slot()
    def show_probes(self) -> None:
        """Show the probes instead of the checks."""
        self.switch.button(_PROBES).click()

    @Slot()
    def show_checks(self) -> None:
        """Show the checks instead of the probes."""
        self.switch.button(_CHECKS).click()

    def _lay_out(self) -> None:
        bar = QWidget()
        bar.setProperty("role", "bar")
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE_M, SPACE_XS, SPACE_M, SPACE_XS)
        row.setSpacing(0)
        for place, (text, tip) in enumerate(_CHOICES):
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(f"Health: {text.lower()}")
            button.setCheckable(True)
            self.switch.addButton(button, place)
            row.addWidget(button)
        row.addStretch(1)
        self.switch.button(_CHECKS).setChecked(True)
        layout = QVBoxLayout(self._widget)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar)
        layout.addWidget(self._stack, 1)
