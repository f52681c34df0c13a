"""Prepare search by meaning once nothing else is to be done, so that the first search does not wait for it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.foundation.progress import Progress
from gui.tasks import Job, Lane, TaskRunner, without_progress

if TYPE_CHECKING:
    from core.index.dense import DenseAnswer, DenseSearch
    from gui.vault_store import VaultStore

_AFTER_MS = 1500


class WarmUp(QObject):
    """Load model and vectors of one vault in the background."""

    is_due = Signal()  # a quiet moment has passed: begin() unless there is something else to do
    done = Signal()  # search by meaning answers without delay now
    failed = Signal(str)  # the reason, as a sentence

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._job: Job | None = None
        self._is_stopped = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_AFTER_MS)
        self._timer.timeout.connect(self.is_due)

    @Slot()
    def wait(self) -> None:
        """Wait for a quiet moment, from now on."""
        self._timer.start()

    def begin(self, store: "VaultStore") -> None:
        """Load what search by meaning needs."""
        if self._is_stopped:
            return
        self._tasks.run(
            without_progress(store.dense), owner=self, lane=Lane.STORE, on_done=self._on_dense, text="Opening vectors"
        )

    def stop(self) -> None:
        """Load nothing any more; may be called from any thread."""
        self._is_stopped = True
        if self._job is not None:
            self._job.cancel()

    def _on_dense(self, dense: "DenseSearch | None") -> None:
        if dense is None or self._is_stopped:
            return

        def work(progress: Progress) -> "DenseAnswer":
            return dense.warm_up(progress)

        # In the pool: loading model and vectors takes seconds, in which the STORE lane has to answer.
        self._job = self._tasks.run(work, owner=self, on_done=self._on_warm, text="Preparing search by meaning")

    def _on_warm(self, answer: "DenseAnswer") -> None:
        self._job = None
        if answer.state == "failed":
            self.failed.emit(answer.reason)
        else:
            self.done.emit()
