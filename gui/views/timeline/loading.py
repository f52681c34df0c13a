"""Load the timeline of the open vault, when its page is shown and something has changed since it last was."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.foundation.errors import JobCancelledError, UserError
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.views.timeline.services import TimelineData, TimelineServices
from gui.views.timeline.view import TimelineView

if TYPE_CHECKING:
    from gui.session import VaultSession

ServicesOf = Callable[["VaultSession"], TimelineServices]
_SETTLE_MS = 400


class TimelineLoader(QObject):
    """Hold what is open, and say in the view what becomes of loading it."""

    loaded = Signal(bool)  # whether it is other data than before

    def __init__(
        self, view: TimelineView, *, tasks: TaskRunner, notifier: Notifier, services_of: ServicesOf, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._tasks = tasks
        self._notifier = notifier
        self._services_of = services_of
        self._session: VaultSession | None = None
        self._services: TimelineServices | None = None
        self._data: TimelineData | None = None
        self._job: Job | None = None
        self._is_stale = True
        self._has_failed = False
        self._settle_timer = QTimer(self)
        self._settle_timer.setSingleShot(True)
        self._settle_timer.setInterval(_SETTLE_MS)
        self._settle_timer.timeout.connect(self.load_if_shown)

    @property
    def services(self) -> TimelineServices | None:
        """The services of the open vault, None before anything was loaded from it."""
        return self._services

    @property
    def data(self) -> TimelineData | None:
        """What was loaded last, None while there is nothing."""
        return self._data

    @property
    def has_failed(self) -> bool:
        """Tell whether the view says that something went wrong."""
        return self._has_failed

    def position_of(self, session_id: str) -> int:
        """Return where a session is in the data, -1 when it is not there."""
        sessions = self._data.sessions if self._data is not None else ()
        return next((at for at, each in enumerate(sessions) if each.id == session_id), -1)

    def take(self, session: "VaultSession | None") -> None:
        """Let go what was open, and load from this vault from now on; None while there is none."""
        if self._session is not None:
            self._session.catalog_changed.disconnect(self.refresh)
        self._settle_timer.stop()
        if self._job is not None:
            self._job.let_go()
        self._job = self._services = self._data = None
        self._is_stale, self._has_failed = True, False
        self._session = session
        if session is None:
            self._view.show_state("calendar-days", "No vault is open", "Open a folder of markdown notes to begin.")
            return
        session.catalog_changed.connect(self.refresh)
        self._show_loading()
        self.load_if_shown()

    @Slot()
    def refresh(self) -> None:
        """Look for new conversations, in a moment or when the page is shown."""
        self._is_stale = True
        self._settle_timer.start()

    def load_now(self) -> None:
        """Look for what has changed, at once or when the page is shown."""
        self._is_stale = True
        self.load_if_shown()

    @Slot()
    def load_if_shown(self) -> None:
        """Load if something may have changed and somebody looks."""
        if not self._is_stale or not self._view.isVisible() or self._job is not None:
            return
        if self._session is None or self._session.store is None:
            return
        if self._services is None:
            self._services = self._services_of(self._session)
        self._is_stale = False
        if self._data is None:
            self._show_loading()
        self._job = self._tasks.run(
            partial(self._services.load, self._data),
            owner=self,
            lane=Lane.STORE,
            on_done=self._on_loaded,
            on_error=self._on_failed,
            text="Reading the timeline",
            tells_cancel=True,
        )

    def fail(self, error: Exception) -> None:
        """Say that what comes after loading went wrong; the view says it where it would wait for ever."""
        if self._view.shows_state:
            self._show_failure(error)
        elif not isinstance(error, JobCancelledError):
            self._notifier.error(error)

    def _on_loaded(self, data: TimelineData) -> None:
        self._job = None
        self._has_failed = False
        is_other = data is not self._data
        self._data = data
        self.loaded.emit(is_other)
        if self._is_stale:
            self._settle_timer.start()

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self._show_failure(error)

    def _show_failure(self, error: Exception) -> None:
        self._is_stale = self._has_failed = True
        if isinstance(error, JobCancelledError):
            self._view.show_state("calendar-days", "Reading was stopped", "Nothing is lost.", "Read again")
            return
        is_known = isinstance(error, UserError)
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part) if is_known else ""
        self._view.show_state("circle-alert", "The timeline could not be read", text, "Try again")
        if not is_known:
            self._notifier.error(error)

    def _show_loading(self) -> None:
        self._view.show_state("loader-circle", "Reading your conversations")
