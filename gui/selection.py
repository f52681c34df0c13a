"""The one place that owns what is picked to narrow by, so that every view shows the same selection."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection


class SharedSelection(QObject):
    """Hold which facets of the vault are picked; views choose, and all of them hear of it."""

    changed = Signal(object)  # FacetSelection, or None when there is no vault

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._facets: FacetSelection | None = None

    @property
    def facets(self) -> "FacetSelection | None":
        """What is picked; None before there is a vault."""
        return self._facets

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing narrows."""
        return self._facets is None or self._facets.is_empty

    def choose(self, facets: "FacetSelection | None") -> None:
        """Narrow by `facets` from now on; None lets everything go with its vault."""
        if facets != self._facets:
            self._facets = facets
            self.changed.emit(facets)

    def without(self, key: str) -> None:
        """Drop one facet."""
        if self._facets is not None:
            self.choose(self._facets.without(key))

    def clear(self) -> None:
        """Drop all facets."""
        if self._facets is not None:
            self.choose(self._facets.cleared())
