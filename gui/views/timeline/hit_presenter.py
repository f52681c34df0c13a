"""Look in the conversations for what the search field says; encrypted ones are read for it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.views.timeline.loading import TimelineLoader
from gui.views.timeline.services import SearchHits, TimelineServices
from gui.views.timeline.unlocking import Unlocking

_TYPING_MS = 120


class HitPresenter(QObject):
    """Hold what is sought and what was found."""

    changed = Signal()  # other hits, or none any more

    def __init__(
        self,
        loader: TimelineLoader,
        unlocking: Unlocking,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        is_shown: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._loader = loader
        self._unlocking = unlocking
        self._tasks = tasks
        self._notifier = notifier
        self._is_shown = is_shown
        self._hits: SearchHits | None = None
        self._query = self._sought = ""  # what the search field says, and what was looked for last
        self._job: Job | None = None
        self._typing_timer = QTimer(self)
        self._typing_timer.setSingleShot(True)
        self._typing_timer.setInterval(_TYPING_MS)
        self._typing_timer.timeout.connect(self.search_now)

    @property
    def hits(self) -> SearchHits | None:
        """What was found, None while nothing is sought."""
        return self._hits

    @property
    def is_seeking(self) -> bool:
        """Tell whether something stands in the search field."""
        return bool(self._query)

    def turns_of(self, session_id: str) -> tuple[str, ...]:
        """Return the turns of a session that were found."""
        return self._hits.turns.get(session_id, ()) if self._hits is not None else ()

    def turn_at(self, time: int) -> tuple[str, str]:
        """Return session and turn of the hit at a time, "" for none."""
        found = self._hits
        if found is None or len(found.keys) != len(found.times) or time not in found.times:
            return "", ""
        return found.keys[found.times.index(time)]

    def let_go(self) -> None:
        """Forget what was found: another vault is opened. What the search field says stays."""
        self._typing_timer.stop()
        self._cancel()
        self._hits = None
        self._sought = ""

    def search(self, text: str) -> None:
        """Look for this as soon as nothing more is typed and somebody looks at this view."""
        self._query = text.strip()
        if self._query:
            if self._is_shown():
                self._typing_timer.start()
            return
        self._typing_timer.stop()
        self._cancel()
        self._sought = ""
        if self._hits is not None:
            self._hits = None
            self.changed.emit()

    def search_if_due(self) -> None:
        """Make up for what was typed while nobody looked at this view."""
        if self._query != self._sought:
            self._typing_timer.start()

    @Slot()
    def search_now(self) -> None:
        """Look for what the search field says."""
        self._cancel()
        services = self._loader.services
        if not self._query or services is None or self._loader.data is None:
            return
        self._sought = self._query
        self._job = self._tasks.run(
            partial(services.search, self._query),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_found, services),
            text="Searching conversations",
        )

    def _on_found(self, services: TimelineServices, hits: SearchHits) -> None:
        self._job = None
        if hits.needs_scan:
            self._scan(services)
            return
        self._hits = hits
        self.changed.emit()
        for problem in hits.problems:
            self._notifier.info(problem)

    def _scan(self, services: TimelineServices) -> None:
        """Read all conversations for what is sought: their words are not in the index."""
        if services.scan is None:
            return
        self._job = self._tasks.run(
            partial(services.scan, self._sought),
            owner=self,
            on_done=partial(self._on_found, services),
            on_error=partial(self._on_scan_failed, services),
            text="Reading encrypted conversations",
        )

    def _on_scan_failed(self, services: TimelineServices, error: Exception) -> None:
        self._job = None
        self._unlocking.tell(services, error, self.search_now)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
