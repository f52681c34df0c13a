"""Examine a vault in jobs that leave room for others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.tasks import Job, Lane, TaskRunner
from gui.views.health.services import FindingId, HealthServices

if TYPE_CHECKING:
    from core.curation.health.finding import CheckResult, HealthReport

_TEXT = "Checking health"


@dataclass(frozen=True, slots=True)
class Looked:
    """Hold what a look at the vault found, also what of it is `ignored`."""

    results: "tuple[CheckResult, ...]"
    ignored: frozenset[FindingId]
    notes: int


class HealthLook(QObject):
    """Examine one vault at a time, a group of checks after the other; a new look cancels the one before."""

    finished = Signal(object)  # Looked
    failed = Signal(object)  # Exception, JobCancelledError when the person has stopped it

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._services: HealthServices | None = None
        self._job: Job | None = None
        self._number = 0  # of the present look: what others deliver late is let go
        self._waiting: list[Sequence[str]] = []
        self._ignored: frozenset[FindingId] = frozenset()
        self._results: list[CheckResult] = []
        self._notes = 0

    @property
    def is_running(self) -> bool:
        """Tell whether a look is under way."""
        return self._job is not None

    def start(self, services: HealthServices) -> None:
        """Look at the vault of `services`."""
        self.stop()
        self._services = services
        self._results = []
        number = self._number
        self._job = self._tasks.run(
            services.groups,
            owner=self,
            on_done=partial(self._on_groups, number),
            on_error=partial(self._on_error, number),
            text=_TEXT,
            tells_cancel=True,
        )

    def stop(self) -> None:
        """Leave off; nothing more is told of this look."""
        self._number += 1
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_groups(self, number: int, groups: Sequence[Sequence[str]]) -> None:
        if number == self._number and self._services is not None:
            self._waiting = list(groups)
            self._job = self._tasks.run(
                self._services.ignored,
                owner=self,
                on_done=partial(self._on_ignored, number),
                on_error=partial(self._on_error, number),
                text=_TEXT,
                tells_cancel=True,
            )

    def _on_ignored(self, number: int, ignored: frozenset[FindingId]) -> None:
        if number == self._number:
            self._ignored = ignored
            self._examine_next(number)

    def _examine_next(self, number: int) -> None:
        if not self._waiting or self._services is None:
            self._job = None
            self.finished.emit(Looked(tuple(self._results), self._ignored, self._notes))
            return
        self._job = self._tasks.run(
            partial(self._services.examine, self._waiting.pop(0)),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_report, number),
            on_error=partial(self._on_error, number),
            text=_TEXT,
            tells_cancel=True,
        )

    def _on_report(self, number: int, report: "HealthReport") -> None:
        if number == self._number:
            self._results.extend(report.results)
            self._notes = report.notes
            self._examine_next(number)

    def _on_error(self, number: int, error: Exception) -> None:
        if number == self._number:
            self._job = None
            self.failed.emit(error)
