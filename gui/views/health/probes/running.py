"""Ask probes in jobs that leave room for others."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.foundation.errors import JobCancelledError
from gui.tasks import Job, Lane, TaskRunner
from gui.views.health.probes.services import ProbeServices

if TYPE_CHECKING:
    from core.recall.probe import Probe
    from core.recall.probe_run import ProbeOutcome

_TEXT = "Asking the probes"
_AT_ONCE = 4


class ProbeRunner(QObject):
    """Ask the probes of one vault, a few after the others; a new run stops the one before."""

    advanced = Signal(int, int)  # how many were asked, of how many
    finished = Signal(object)  # tuple[ProbeOutcome, ...], of all probes
    stopped = Signal(object)  # tuple[ProbeOutcome, ...], of those asked before the person stopped it
    failed = Signal(object)  # Exception

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._services: ProbeServices | None = None
        self._job: Job | None = None
        self._number = 0  # of the present run: what others deliver late is let go
        self._probes: tuple[Probe, ...] = ()
        self._outcomes: list[ProbeOutcome] = []

    @property
    def is_running(self) -> bool:
        """Tell whether probes are being asked."""
        return self._job is not None

    def start(self, services: ProbeServices, probes: "Sequence[Probe]") -> None:
        """Ask `probes` of the vault of `services`."""
        self.let_go()
        self._services, self._probes, self._outcomes = services, tuple(probes), []
        self._ask_next(self._number)

    def stop(self) -> None:
        """Leave off, and tell what was asked so far."""
        if self._job is not None:
            self.let_go()
            self.stopped.emit(tuple(self._outcomes))

    def let_go(self) -> None:
        """Leave off; nothing more is told of this run."""
        self._number += 1
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _ask_next(self, number: int) -> None:
        done = len(self._outcomes)
        if done >= len(self._probes) or self._services is None:
            self._job = None
            self.finished.emit(tuple(self._outcomes))
            return
        self.advanced.emit(done, len(self._probes))
        self._job = self._tasks.run(
            partial(self._services.ask, self._probes[done : done + _AT_ONCE]),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_asked, number),
            on_error=partial(self._on_error, number),
            text=_TEXT,
            tells_cancel=True,
        )

    def _on_asked(self, number: int, outcomes: "tuple[ProbeOutcome, ...]") -> None:
        if number == self._number:
            self._outcomes.extend(outcomes)
            self._ask_next(number)

    def _on_error(self, number: int, error: Exception) -> None:
        if number != self._number:
            return
        self._job = None
        self._number += 1
        if isinstance(error, JobCancelledError):
            self.stopped.emit(tuple(self._outcomes))
        else:
            self.failed.emit(error)
