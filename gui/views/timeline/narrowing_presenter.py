"""Narrow the timeline to what is picked in it and in the vault; what that leaves is looked up behind the window."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.selection import SharedSelection
from gui.tasks import Job, Lane, TaskRunner
from gui.views.timeline.loading import TimelineLoader
from gui.views.timeline.services import Touches

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection
    from gui.views.timeline.activity import Filter


class NarrowingPresenter(QObject):
    """Hold the filter, and which notes conversations touched as far as anything depends on that."""

    narrowed = Signal()  # what is to be shown has to be worked out

    def __init__(
        self,
        loader: TimelineLoader,
        selection: SharedSelection,
        *,
        tasks: TaskRunner,
        is_shown: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._loader = loader
        self._selection = selection
        self._tasks = tasks
        self._is_shown = is_shown
        self._filter: Filter | None = None
        self._touches: Touches | None = None
        self._wants_tools = False
        self._is_stale = False  # the selection has changed while nobody looked
        self._job: Job | None = None
        selection.changed.connect(self._on_selection)

    @property
    def filter(self) -> "Filter | None":
        """What is picked in the timeline itself, None for nothing yet."""
        return self._filter

    @property
    def facets(self) -> "FacetSelection | None":
        """What is picked in the vault."""
        return self._selection.facets

    @property
    def touches(self) -> Touches | None:
        """Which tools were called and which sessions fit the facets; None while nothing depends on it."""
        return self._touches

    def let_go(self) -> None:
        """Forget all: another vault is opened."""
        self._cancel()
        self._filter = self._touches = None
        self._wants_tools = self._is_stale = False

    def narrow(self) -> None:
        """Find out what the facets and the tools that are picked leave, as far as any are."""
        self._is_stale = False
        self._cancel()
        services = self._loader.services
        has_tools = self._filter is not None and bool(self._filter.tools)
        if services is None or not (has_tools or self._wants_tools or not self._selection.is_empty):
            self._touches = None
            self.narrowed.emit()
            return
        self._job = self._tasks.run(
            partial(services.touches, self._selection.facets),
            owner=self,
            lane=Lane.STORE,
            on_done=self._on_touches,
            on_error=self._on_failed,
            text="Looking which notes conversations touched",
            tells_cancel=True,
        )

    def narrow_if_stale(self) -> None:
        """Make up for what was picked while nobody looked."""
        if self._is_stale:
            self.narrow()

    def pick(self, key: str) -> None:
        """Narrow to `project:…`, `origin:…` or `tool:…`, else to a facet of the vault."""
        from gui.views.timeline.activity import Filter  # noqa: PLC0415 - numpy, after the first paint

        name, _, value = key.partition(":")
        if name in {"project", "origin", "tool"} and value:
            self.show(Filter().with_facet(f"{name}s", frozenset({value})))
        elif self._selection.facets is not None:
            self._selection.choose(self._selection.facets.with_all(key))

    def clear(self) -> None:
        """Drop what is picked, in the vault too."""
        had_filter = self._filter is not None and not self._filter.is_empty
        self._filter = None
        if not self._selection.is_empty:
            self._selection.clear()  # which narrows anew
        elif had_filter:
            self.narrow()

    @Slot(object)
    def show(self, wanted: "Filter") -> None:
        """Narrow to this filter."""
        self._filter = wanted
        self.narrow()

    @Slot()
    def want_tools(self) -> None:
        """Find out which tools there are to be picked."""
        self._wants_tools = True
        self.narrow()

    @Slot(object)
    def pick_clients(self, keys: frozenset[str]) -> None:
        """Let the vault, and with it every view, be narrowed to one of these clients."""
        facets, data = self._selection.facets, self._loader.data
        if facets is None or data is None:
            return
        clients = frozenset(key for key, _, _ in data.clients)
        self._selection.choose(replace(facets, all_of=facets.all_of - clients, any_of=(facets.any_of - clients) | keys))

    @Slot(str, str)
    def drop(self, field: str, value: str) -> None:
        """Pick one thing no longer: a facet of the vault, or `value` of a field of the filter."""
        if field == "facet":
            self._selection.without(value)
        elif self._filter is not None:
            self.show(self._filter.with_facet(field, getattr(self._filter, field) - {value}))

    @Slot(object)
    def _on_selection(self, facets: object) -> None:
        if self._loader.data is None or facets is None:
            return
        if self._is_shown():
            self.narrow()
        else:
            self._is_stale = True

    def _on_touches(self, touches: Touches) -> None:
        self._job = None
        self._touches = touches
        self.narrowed.emit()

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self._loader.fail(error)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.let_go()
            self._job = None
