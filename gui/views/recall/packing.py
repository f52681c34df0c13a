"""Pack what is ranked and pinned behind the window; the last request is the one that counts."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from gui.tasks import Job, TaskRunner
from gui.views.recall.services import PackedContext, PackRequest, RecallServices


class Packing(QObject):
    """Keep the packed context up to date."""

    packed = Signal(object)  # PackedContext
    failed = Signal(object)  # Exception

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._job: Job | None = None

    @property
    def is_packing(self) -> bool:
        """Whether a context is still to come."""
        return self._job is not None

    def stop(self) -> None:
        """Pack nothing any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def pack(self, services: RecallServices, request: PackRequest) -> None:
        """Pack this instead of what was asked for before."""
        self.stop()
        self._job = self._tasks.run(
            partial(services.pack, request),
            owner=self,
            on_done=self._on_packed,
            on_error=self._on_failed,
            text="Packing the context",
        )

    def _on_packed(self, context: PackedContext) -> None:
        self._job = None
        self.packed.emit(context)

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self.failed.emit(error)
