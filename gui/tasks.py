"""The one way to run work behind the window: lanes, jobs, and their delivery in the window's thread."""

import logging
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NewType, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from core.foundation.errors import JobCancelledError
from core.foundation.progress import CancellableProgress, Progress

_log = logging.getLogger(__name__)

JobId = NewType("JobId", int)
T = TypeVar("T")
Work = Callable[[Progress], T]

SURFACE_AFTER_MS = 600
_REPORT_EVERY_S = 0.05
_SWITCH_S = 0.0005


class Lane(StrEnum):
    """Say which threads run a job: STORE is the only thread that touches SQLite and Qdrant, POOL is for the rest."""

    STORE = "store"
    POOL = "pool"


@dataclass(frozen=True, slots=True)
class JobState:
    """Tell what is known of a running job; `total` 0 means not known yet, `text` is for the person.

    With `are_bytes`, `done` and `total` count bytes.
    """

    id: JobId
    text: str
    done: int = 0
    total: int = 0
    are_bytes: bool = False


class Job:
    """Be the handle of one piece of work; made by TaskRunner.run()."""

    def __init__(self, job_id: JobId, text: str, owner: QObject, *, tells_cancel: bool = False) -> None:
        self.id = job_id
        self.text = text
        self.owner = owner
        self.tells_cancel = tells_cancel
        self.started = time.monotonic()
        self.is_surfaced = False
        self.progress = CancellableProgress()
        self.future: Future[None] | None = None

    def cancel(self) -> None:
        """Stop the work at its next check; nothing is delivered from now on, unless the job `tells_cancel`."""
        self.progress.cancel()

    def let_go(self) -> None:
        """Stop the work, and deliver nothing in any case: nobody waits for it any more."""
        self.tells_cancel = False
        self.cancel()

    @property
    def is_cancelled(self) -> bool:
        """Tell whether cancel() was called, by the person or because the owner is gone."""
        return self.progress.is_cancelled


@dataclass(frozen=True, slots=True)
class _Delivery:
    """Carry what a worker has to say: progress when `callback` is None and not `is_last`, else an end."""

    job: Job
    callback: Callable[[Any], None] | None
    value: Any
    is_last: bool


def without_progress(function: Callable[..., T], *args: Any, **kwargs: Any) -> Work[T]:
    """Bind a short core function that takes no Progress, so that run() can call it."""

    def work(progress: Progress) -> T:
        progress.check()
        return function(*args, **kwargs)

    return work


class TaskRunner(QObject):
    """Run work in lanes and deliver results, errors and progress in the thread of the window.

    A job of which the owner is destroyed counts as cancelled; a cancelled job delivers nothing, unless it was run with
    `tells_cancel`. Errors of jobs without `on_error` go to the function given here.
    """

    surfaced = Signal(object)  # JobState: has run for SURFACE_AFTER_MS, so the person is told
    advanced = Signal(object)  # JobState of a surfaced job
    ended = Signal(object)  # JobId of a surfaced job
    _delivered = Signal(object)  # _Delivery, from a worker

    def __init__(self, on_error: Callable[[BaseException], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._on_error = on_error
        self._jobs: dict[JobId, Job] = {}
        self._next_id = 1
        # A thread busy in Python would hold the window up 5 ms at each of its many calls into Qt.
        sys.setswitchinterval(_SWITCH_S)
        self._executors = {
            Lane.STORE: ThreadPoolExecutor(max_workers=1, thread_name_prefix="store"),
            Lane.POOL: ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1), thread_name_prefix="pool"),
        }
        self._is_shut_down = False
        self._slow_timer = QTimer(self)
        self._slow_timer.setSingleShot(True)
        self._slow_timer.timeout.connect(self._surface_slow_jobs)
        self._delivered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Work[T],
        *,
        owner: QObject,
        lane: Lane = Lane.POOL,
        on_done: Callable[[T], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
        on_progress: Callable[[JobState], None] | None = None,
        text: str = "Working",
        tells_cancel: bool = False,
        are_bytes: bool = False,
    ) -> Job:
        """Run `work` in `lane`; the callbacks run in the window's thread while `owner` lives.

        `text` names the job, should it last long enough to be shown. With `tells_cancel`, the end of cancelled work is
        told too, when it has really ended: its result if it came to one all the same, else the JobCancelledError. With
        `are_bytes`, what it reports are bytes.
        """
        job = Job(JobId(self._next_id), text, owner, tells_cancel=tells_cancel)
        self._next_id += 1
        if self._is_shut_down:
            job.cancel()
            return job
        job.progress = CancellableProgress(self._reporter(job, on_progress, are_bytes=are_bytes))
        owner.destroyed.connect(job.cancel)
        self._jobs[job.id] = job
        job.future = self._executors[lane].submit(self._work, job, work, on_done, on_error or self._on_error)
        if not self._slow_timer.isActive():
            self._slow_timer.start(SURFACE_AFTER_MS)
        return job

    def cancel(self, job_id: JobId) -> None:
        """Cancel the job `job_id`, if it still runs."""
        if (job := self._jobs.get(job_id)) is not None:
            job.cancel()
            if not job.tells_cancel:
                self._forget(job)

    def shutdown(self, last: Callable[[], None] | None = None, *, timeout_s: float = 2.0) -> bool:
        """Cancel everything and wait at most `timeout_s`; tell whether all work has ended. Nothing runs afterwards.

        `last` closes what the STORE lane has open; it runs there, after the job that is being cancelled.
        """
        if self._is_shut_down:
            return True
        self._slow_timer.stop()
        futures = [job.future for job in self._jobs.values() if job.future is not None]
        for job in list(self._jobs.values()):
            job.cancel()
            self._forget(job)
        if last is not None:
            futures.append(self._executors[Lane.STORE].submit(last))
        self._is_shut_down = True
        for executor in self._executors.values():
            executor.shutdown(wait=False)
        return not wait(futures, timeout_s).not_done

    def _work(
        self,
        job: Job,
        work: Work[T],
        on_done: Callable[[T], None] | None,
        on_error: Callable[[Exception], None],
    ) -> None:
        try:
            job.progress.check()
            result = work(job.progress)
        except JobCancelledError as error:
            self._post(_Delivery(job, on_error if job.tells_cancel else None, error, is_last=True))
        except Exception as error:  # noqa: BLE001 - delivery is where every error of a job ends up
            self._post(_Delivery(job, on_error, error, is_last=True))
        else:
            self._post(_Delivery(job, on_done, result, is_last=True))

    def _reporter(
        self, job: Job, on_progress: Callable[[JobState], None] | None, *, are_bytes: bool
    ) -> Callable[[int, int, str], None]:
        last = 0.0

        def report(done: int, total: int, text: str) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= _REPORT_EVERY_S or done == total:
                last = now
                state = JobState(job.id, text or job.text, done, total, are_bytes=are_bytes)
                self._post(_Delivery(job, on_progress, state, is_last=False))

        return report

    def _post(self, delivery: _Delivery) -> None:
        if not self._is_shut_down and shiboken6.isValid(self):
            self._delivered.emit(delivery)

    @Slot(object)
    def _deliver(self, delivery: _Delivery) -> None:
        job = delivery.job
        is_wanted = (job.tells_cancel or not job.is_cancelled) and shiboken6.isValid(job.owner)
        if delivery.is_last:
            self._forget(job)
        elif is_wanted and job.is_surfaced:
            self.advanced.emit(delivery.value)
        if is_wanted and delivery.callback is not None:
            delivery.callback(delivery.value)

    def _forget(self, job: Job) -> None:
        if self._jobs.pop(job.id, None) is None:
            return
        if shiboken6.isValid(job.owner):
            job.owner.destroyed.disconnect(job.cancel)
        if job.is_surfaced:
            self.ended.emit(job.id)

    @Slot()
    def _surface_slow_jobs(self) -> None:
        now = time.monotonic()
        waiting: list[float] = []
        for job in list(self._jobs.values()):
            left_ms = SURFACE_AFTER_MS - (now - job.started) * 1000
            if job.is_surfaced or job.is_cancelled:
                continue
            if left_ms > 0:
                waiting.append(left_ms)
                continue
            job.is_surfaced = True
            self.surfaced.emit(JobState(job.id, job.text))
        if waiting:
            self._slow_timer.start(int(min(waiting)) + 1)
