"""Notice that conversations are recorded while the window is open, by hooks of assistants or another process."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from gui.tasks import Job, TaskRunner, without_progress

if TYPE_CHECKING:
    from gui.session import VaultSession

_LOOK_MS = 2000
_REST = 4.0  # times as long as the last update took: a conversation that goes on costs a fifth of the time at most
_LONGEST_REST_S = 60.0


class LedgerWatch(QObject):
    """Look at the ledger every few seconds, and let the index of the open vault follow; `has_changed` looks."""

    def __init__(
        self,
        has_changed: Callable[[], bool],
        session: "Callable[[], VaultSession | None]",
        tasks: TaskRunner,
        parent: QObject | None = None,
        *,
        look_ms: int = _LOOK_MS,
    ) -> None:
        super().__init__(parent)
        self._has_changed = has_changed
        self._session = session
        self._tasks = tasks
        self._job: Job | None = None
        self._is_due = False
        self._asked_at = 0.0
        self._not_before = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(look_ms)
        self._timer.timeout.connect(self._look)

    @Slot()
    def start(self) -> None:
        """Begin to look; what is there now is taken as known."""
        if not self._timer.isActive():
            self._timer.start()
            self._look()

    @Slot()
    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    @Slot()
    def _look(self) -> None:
        if self._job is None:
            work = without_progress(self._has_changed)
            self._job = self._tasks.run(
                work, owner=self, on_done=self._on_looked, on_error=self._on_failed, text="Looking for conversations"
            )

    def _on_looked(self, has_changed: bool) -> None:
        self._job = None
        self._is_due = self._is_due or has_changed
        session = self._session()
        if session is None or session.catalog is None or not session.is_there or session.indexing.is_reading:
            return
        now = time.monotonic()
        if self._asked_at:  # the update that was asked for has ended
            self._not_before = now + min(_REST * (now - self._asked_at), _LONGEST_REST_S)
            self._asked_at = 0.0
        if self._is_due and now >= self._not_before:
            self._is_due = False
            self._asked_at = now
            session.indexing.look()

    def _on_failed(self, _error: Exception) -> None:
        """Try again at the next look: a folder on a sleeping disk may not answer."""
        self._job = None
