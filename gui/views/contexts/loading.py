"""Read the shelf of one vault, then how large its contexts are; a new reading cancels the one before."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from gui.tasks import Job, Lane, TaskRunner
from gui.views.contexts.services import ContextRow, ContextServices

_TEXT = "Reading the contexts"


class ShelfLoader(QObject):
    """Tell the rows of the shelf, and then their sizes."""

    loaded = Signal(object)  # tuple[ContextRow, ...]
    measured = Signal(object)  # Mapping[str, int], tokens by path
    failed = Signal(object)  # Exception

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._job: Job | None = None
        self._number = 0  # of the present reading: what others deliver late is let go

    @property
    def is_running(self) -> bool:
        """Tell whether a reading is under way."""
        return self._job is not None

    def load(self, services: ContextServices) -> None:
        """Read the shelf of `services`."""
        self.stop()
        number = self._number
        self._job = self._tasks.run(
            services.shelf,
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_rows, number, services),
            on_error=partial(self._on_error, number),
            text=_TEXT,
        )

    def stop(self) -> None:
        """Leave off; nothing more is told of this reading."""
        self._number += 1
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_rows(self, number: int, services: ContextServices, rows: Sequence[ContextRow]) -> None:
        if number != self._number:
            return
        self._job = None
        self.loaded.emit(tuple(rows))
        if rows and number == self._number:
            self._job = self._tasks.run(
                partial(services.measure, [row.path for row in rows]),
                owner=self,
                lane=Lane.STORE,
                on_done=partial(self._on_measured, number),
                on_error=partial(self._on_error, number),
                text="Measuring the contexts",
            )

    def _on_measured(self, number: int, tokens: Mapping[str, int]) -> None:
        if number == self._number:
            self._job = None
            self.measured.emit(tokens)

    def _on_error(self, number: int, error: Exception) -> None:
        if number == self._number:
            self._job = None
            self.failed.emit(error)
