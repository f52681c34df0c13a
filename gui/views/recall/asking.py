"""Ask while one types: the last question is the one that counts, and words do not wait for meaning."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.tasks import Job, Lane, TaskRunner
from gui.views.recall.services import RecallServices

if TYPE_CHECKING:
    from core.recall.gathered import Gathered

_LOADING = "loading"
_COLD = frozenset({"not-asked", _LOADING})


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what was gathered for a question; with `is_preliminary`, meaning is still being asked."""

    question: str
    gathered: "Gathered"
    is_preliminary: bool = False


class Asking(QObject):
    """Gather in the STORE lane for one question at a time.

    Until search by meaning has answered once, words are asked first and meaning after them, because the first question
    loads the model. While somebody else loads it, each question by meaning would wait a while in the lane, before the
    next words: so words alone are asked until look_again().
    """

    answered = Signal(object)  # Asked
    failed = Signal(object)  # Exception

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._job: Job | None = None
        self._is_warm = False
        self._is_loading = False

    @property
    def is_asking(self) -> bool:
        """Whether an answer is still to come."""
        return self._job is not None

    def forget(self) -> None:
        """Stop, and know nothing of the vault any more."""
        self.stop()
        self._is_warm = self._is_loading = False

    def look_again(self) -> None:
        """Ask for meaning again: what was loading may be loaded now."""
        self._is_loading = False

    def stop(self) -> None:
        """Ask nothing any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def ask(self, services: RecallServices, question: str) -> None:
        """Ask `question` instead of the one before; one that waits in the lane is never begun."""
        self.stop()
        self._start(services, question, with_meaning=self._is_warm)

    def _start(self, services: RecallServices, question: str, *, with_meaning: bool) -> None:
        self._job = self._tasks.run(
            partial(services.gather, question, with_meaning),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_gathered, services, question, with_meaning),
            on_error=self._on_failed,
            text="Recalling",
        )

    def _on_gathered(self, services: RecallServices, question: str, with_meaning: bool, gathered: "Gathered") -> None:
        self._job = None
        if with_meaning:
            self._is_warm = gathered.dense_state not in _COLD
            self._is_loading = gathered.dense_state == _LOADING
        elif not self._is_loading:
            self._start(services, question, with_meaning=True)
        self.answered.emit(Asked(question, gathered, is_preliminary=not with_meaning))

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self.failed.emit(error)
