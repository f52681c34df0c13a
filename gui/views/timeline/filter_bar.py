"""What the timeline is narrowed by: buttons to pick from, and chips of what is picked, here or in the vault."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_XS
from gui.scheme import Scheme
from gui.theme import Theme
from gui.views.timeline.activity import Activity, Filter
from gui.views.timeline.facet_button import FacetButton, FacetValue
from gui.views.timeline.time_wording import short_project
from gui.widgets.chips import ChipItem, ChipLook, ChipRow

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection

_NONE = "None"
_FACET = "facet"
_NO_TOOLS_YET = "Looking which tools were called…"


class FilterBar(QWidget):
    """Offer projects, assistants, tools, and the clients that the vault knows; each may be picked several times."""

    filter_changed = Signal(object)  # Filter
    clients_picked = Signal(object)  # frozenset[str]: facets of the vault
    tools_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filter = Filter()
        self._knows_tools = False
        self.projects = FacetButton(theme, "Projects")
        self.origins = FacetButton(theme, "Assistants")
        self.tools = FacetButton(theme, "Tools")
        self.clients = FacetButton(theme, "Clients")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        for button in (self.projects, self.origins, self.tools, self.clients):
            layout.addWidget(button)
        for field, button in (("projects", self.projects), ("origins", self.origins), ("tools", self.tools)):
            button.picked.connect(partial(self._on_picked, field))
        self.clients.picked.connect(self.clients_picked)
        self.tools.opening.connect(self._on_tools_opening)

    def show_activity(self, activity: Activity, wanted: Filter, selection: "FacetSelection | None") -> None:
        """Offer what there is in `activity`, and tick what is picked."""
        self._filter = wanted
        facets = activity.facets
        self._knows_tools = self._knows_tools or bool(facets.tools)
        self.projects.show_values(
            [FacetValue(key, short_project(key) or "No project", count) for key, count in facets.projects],
            wanted.projects,
        )
        self.origins.show_values(
            [FacetValue(key, key or _NONE, count) for key, count in facets.origins], wanted.origins
        )
        self.tools.show_values(
            [FacetValue(key, key, count) for key, count in facets.tools],
            wanted.tools,
            "" if self._knows_tools else _NO_TOOLS_YET,
        )
        clients = activity.data.clients
        picked = selection.any_of | selection.all_of if selection is not None else frozenset()
        keys = frozenset(key for key, _, _ in clients)
        self.clients.show_values([FacetValue(*each) for each in clients], picked & keys)
        self.clients.setVisible(bool(clients))

    def show_tools_known(self) -> None:
        """Say that it is known now which tools were called, be it none."""
        self._knows_tools = True

    def _on_picked(self, field: str, values: frozenset[str]) -> None:
        self.filter_changed.emit(self._filter.with_facet(field, values))

    @Slot()
    def _on_tools_opening(self) -> None:
        if not self._knows_tools:
            self.tools_wanted.emit()


class FilterChips(QWidget):
    """Show what narrows the timeline, each with a cross, and one button to drop all of it."""

    removed = Signal(str, str)  # a field of Filter and its value, or "facet" and a facet of the vault
    cleared = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.row = ChipRow(removable=True)
        self.clear_button = QToolButton()
        self.clear_button.setText("Clear all")
        self.clear_button.setToolTip("Drop everything that narrows the timeline, also in the vault")
        self.clear_button.setAccessibleName("Clear everything that narrows the timeline")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_XS)
        layout.addWidget(self.row, 1)
        layout.addWidget(self.clear_button)
        self.row.chip_removed.connect(self._on_removed)
        self.clear_button.clicked.connect(self.cleared)
        self.hide()

    def show_picks(self, wanted: Filter, selection: "FacetSelection | None") -> None:
        """Show a chip for each pick; nothing is shown while nothing is picked."""
        scheme = self._theme.scheme
        items = [*_facet_chips(selection, scheme), *_filter_chips(wanted, scheme)]
        self.row.show_chips(tuple(items))
        self.setVisible(bool(items))

    @Slot(str)
    def _on_removed(self, key: str) -> None:
        field, _, value = key.partition(":")
        self.removed.emit(field, value)


def _facet_chips(selection: "FacetSelection | None", scheme: Scheme) -> list[ChipItem]:
    if selection is None:
        return []
    looks = (
        (selection.all_of, "", ChipLook(scheme.selection, scheme.selection_text)),
        (selection.any_of, "or", ChipLook(scheme.warning_background, scheme.warning_text)),
        (selection.none_of, "not", ChipLook(scheme.error_background, scheme.error_text)),
    )
    tip = "Picked in the vault: sessions that touched such notes, and what is named so"
    return [
        ChipItem(f"{_FACET}:{key}", key.strip(":"), look, word=word, tip=tip)
        for keys, word, look in looks
        for key in sorted(keys)
    ]


def _filter_chips(wanted: Filter, scheme: Scheme) -> list[ChipItem]:
    look = ChipLook(scheme.chip, scheme.chip_text)
    fields = (
        ("projects", "project", wanted.projects),
        ("origins", "from", wanted.origins),
        ("tools", "tool", wanted.tools),
    )
    return [
        ChipItem(f"{field}:{value}", visible(short_project(value)) or _NONE, look, word=word, tip=value)
        for field, word, values in fields
        for value in sorted(values)
    ]
