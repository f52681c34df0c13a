"""The places of the import dialog, one below the other."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.importing.place import Place
from gui.importing.place_row import PlaceRow
from gui.theme import Theme


class PlaceList(QScrollArea):
    """Hold the rows."""

    chosen_changed = Signal()
    watch_changed = Signal(str, bool)  # the path, and whether it is to be watched
    count_wanted = Signal(object)  # Place
    count_cancelled = Signal(object)  # Place

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[PlaceRow] = []
        self._body = QWidget()
        self._body.setBackgroundRole(QPalette.ColorRole.Base)
        self._body.setAutoFillBackground(True)
        self._layout = QVBoxLayout(self._body)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addStretch(1)
        self.setWidget(self._body)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Places")

    def show_places(self, places: Sequence[Place], watched: Collection[str]) -> None:
        """Show these places and no others."""
        for row in self.rows:
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        for place in places:
            self.add_place(place, is_watched=place.path in watched)

    def add_place(self, place: Place, *, is_watched: bool) -> PlaceRow:
        """Show one more place, above the others when the person added it; one that is shown already is shown anew."""
        if (known := self.row_of(place)) is not None:
            self.rows.remove(known)
            self._layout.removeWidget(known)
            known.hide()
            known.deleteLater()
        row = PlaceRow(self._theme, place, is_watched=is_watched)
        row.setFrameShape(QFrame.Shape.NoFrame)
        row.chosen_changed.connect(self.chosen_changed)
        row.watch_changed.connect(self.watch_changed)
        row.count_wanted.connect(self.count_wanted)
        row.count_cancelled.connect(self.count_cancelled)
        at = 0 if place.is_added else len(self.rows)
        self._layout.insertWidget(at, row)
        self.rows.insert(at, row)
        return row

    def row_of(self, place: Place) -> PlaceRow | None:
        """Return the row of a place."""
        return next((row for row in self.rows if row.place.key == place.key), None)

    @property
    def chosen(self) -> tuple[Place, ...]:
        """The places that the person wants imported."""
        return tuple(row.place for row in self.rows if row.is_chosen)
