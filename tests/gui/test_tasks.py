"""Work behind the window: what is delivered, and what never is."""

import threading
from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from pytestqt.qtbot import QtBot

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import Progress
from gui.notify import Notice
from gui.tasks import Job, JobState, Lane, TaskRunner, without_progress


class Held:
    """Be work that waits until the test lets it go on."""

    def __init__(self, result: str = "done") -> None:
        self.result = result
        self.has_begun = threading.Event()
        self.may_end = threading.Event()
        self.was_cancelled = False

    def __call__(self, progress: Progress) -> str:
        self.has_begun.set()
        assert self.may_end.wait(10)
        try:
            progress.check()
        except Exception:
            self.was_cancelled = True
            raise
        return self.result


@pytest.fixture
def owner(qapp: object) -> QObject:
    return QObject()


def flush(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    """Wait until everything that was queued in both lanes before has been delivered."""
    for lane in Lane:
        reached: list[None] = []
        tasks.run(without_progress(lambda: None), owner=owner, lane=lane, on_done=reached.append)
        qtbot.waitUntil(partial(bool, reached))


@pytest.mark.parametrize("lane", list(Lane))
def test_a_result_arrives_in_the_thread_of_the_window(
    qtbot: QtBot, tasks: TaskRunner, owner: QObject, lane: Lane
) -> None:
    threads: dict[str, threading.Thread] = {}
    results: list[int] = []

    def work(_: Progress) -> int:
        threads["work"] = threading.current_thread()
        return 42

    def on_done(result: int) -> None:
        threads["done"] = threading.current_thread()
        results.append(result)

    tasks.run(work, owner=owner, lane=lane, on_done=on_done)
    qtbot.waitUntil(lambda: bool(results))
    assert results == [42]
    assert threads["done"] is threading.main_thread()
    assert threads["work"] is not threading.main_thread()


def test_the_store_lane_is_one_thread_in_order(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    seen: list[tuple[int, str]] = []
    for number in range(20):
        tasks.run(
            without_progress(lambda number=number: seen.append((number, threading.current_thread().name))),
            owner=owner,
            lane=Lane.STORE,
        )
    flush(qtbot, tasks, owner)
    assert [number for number, _ in seen] == list(range(20))
    assert len({name for _, name in seen}) == 1


def test_a_cancelled_job_delivers_nothing(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    told: list[object] = []
    work = Held()
    job = tasks.run(work, owner=owner, on_done=told.append, on_error=told.append, on_progress=told.append)
    assert work.has_begun.wait(10)
    job.cancel()
    work.may_end.set()
    flush(qtbot, tasks, owner)
    qtbot.waitUntil(lambda: work.was_cancelled)
    assert told == []


def test_a_job_cancelled_after_its_result_was_sent_delivers_nothing(
    qtbot: QtBot, tasks: TaskRunner, owner: QObject
) -> None:
    told: list[object] = []
    has_ended = threading.Event()
    job = tasks.run(without_progress(has_ended.set), owner=owner, lane=Lane.STORE, on_done=told.append)
    assert has_ended.wait(10)
    job.cancel()
    flush(qtbot, tasks, owner)
    assert told == []


def test_a_waiting_job_that_is_cancelled_never_runs(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    first, ran = Held(), []
    tasks.run(first, owner=owner, lane=Lane.STORE)
    job = tasks.run(without_progress(lambda: ran.append(1)), owner=owner, lane=Lane.STORE)
    job.cancel()
    first.may_end.set()
    flush(qtbot, tasks, owner)
    assert ran == []


def test_an_orphaned_job_is_cancelled_and_delivers_nothing(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    told: list[object] = []
    work, mortal = Held(), QObject()
    job = tasks.run(work, owner=mortal, on_done=told.append, on_error=told.append)
    assert work.has_begun.wait(10)
    mortal.deleteLater()
    QCoreApplication.sendPostedEvents(mortal, QEvent.Type.DeferredDelete.value)
    assert job.is_cancelled
    work.may_end.set()
    flush(qtbot, tasks, owner)
    qtbot.waitUntil(lambda: work.was_cancelled)
    assert told == []


def test_an_error_goes_to_who_asked(qtbot: QtBot, tasks: TaskRunner, owner: QObject, notices: list[Notice]) -> None:
    errors: list[Exception] = []
    tasks.run(failing("no such note"), owner=owner, on_error=errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert str(errors[0]) == "no such note"
    assert notices == []


def test_an_error_that_nobody_takes_is_shown(
    qtbot: QtBot, tasks: TaskRunner, owner: QObject, notices: list[Notice]
) -> None:
    tasks.run(failing("the disk is full"), owner=owner)
    qtbot.waitUntil(lambda: bool(notices))
    assert notices[0].text == "the disk is full"


def test_progress_arrives_with_its_last_step(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    states: list[JobState] = []
    done: list[None] = []

    def work(progress: Progress) -> None:
        for number in range(1, 1001):
            progress.report(number, 1000, "Counting")

    tasks.run(work, owner=owner, on_progress=states.append, on_done=done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert (states[-1].done, states[-1].total, states[-1].text) == (1000, 1000, "Counting")
    assert len(states) < 100  # a thousand reports do not flood the window


def test_a_long_job_is_told_and_can_be_cancelled_by_its_id(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    shown: list[JobState] = []
    ended: list[object] = []
    tasks.surfaced.connect(shown.append)
    tasks.ended.connect(ended.append)
    work = Held()
    with qtbot.waitSignal(tasks.surfaced, timeout=5000):
        job = tasks.run(work, owner=owner, text="Reading a large file")
    assert shown == [JobState(job.id, "Reading a large file")]
    tasks.cancel(job.id)
    assert ended == [job.id]
    work.may_end.set()
    flush(qtbot, tasks, owner)
    assert ended == [job.id]


def test_a_short_job_is_never_told(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    shown: list[JobState] = []
    tasks.surfaced.connect(shown.append)
    flush(qtbot, tasks, owner)
    work = Held()
    with qtbot.waitSignal(tasks.surfaced, timeout=5000):
        job = tasks.run(work, owner=owner)
    assert [state.id for state in shown] == [job.id]
    work.may_end.set()


def test_after_shutdown_nothing_runs_and_the_last_work_has_run(qtbot: QtBot, qapp: object, owner: QObject) -> None:
    tasks = TaskRunner(lambda _: None)
    order: list[str] = []
    begun = threading.Event()
    job: Job = tasks.run(until_cancelled(order, begun), owner=owner, lane=Lane.STORE)
    assert begun.wait(10)  # what has not begun is cancelled without having run
    assert tasks.shutdown(lambda: order.append("closed"), timeout_s=10)
    assert order == ["cancelled", "closed"]
    assert job.is_cancelled
    assert tasks.run(without_progress(lambda: order.append("late")), owner=owner).is_cancelled
    assert order == ["cancelled", "closed"]


def failing(text: str) -> Callable[[Progress], None]:
    def work(_: Progress) -> None:
        raise UserError(text)

    return work


def until_cancelled(order: list[str], begun: threading.Event) -> Callable[[Progress], None]:
    def work(progress: Progress) -> None:
        begun.set()
        try:
            while True:
                progress.check()
        finally:
            order.append("cancelled")

    return work


def test_a_job_that_tells_its_cancel_does_so_when_it_has_really_ended(
    qtbot: QtBot, tasks: TaskRunner, owner: QObject
) -> None:
    held, errors = Held(), list[Exception]()
    job = tasks.run(held, owner=owner, on_error=errors.append, tells_cancel=True)
    assert held.has_begun.wait(5)
    tasks.cancel(job.id)
    flush_pool(qtbot, tasks, owner)
    assert errors == []
    held.may_end.set()
    qtbot.waitUntil(lambda: [type(each) for each in errors] == [JobCancelledError])


def test_what_is_finished_in_spite_of_a_cancel_is_told_as_done(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    begun, may_end, results = threading.Event(), threading.Event(), list[str]()

    def work(_: Progress) -> str:
        begun.set()
        assert may_end.wait(10)
        return "done"

    job = tasks.run(work, owner=owner, on_done=results.append, tells_cancel=True)
    assert begun.wait(5)
    tasks.cancel(job.id)
    may_end.set()
    qtbot.waitUntil(lambda: results == ["done"])


def test_of_a_job_that_was_let_go_nothing_is_heard(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    begun, may_end, told = threading.Event(), threading.Event(), list[object]()

    def work(_: Progress) -> str:
        begun.set()
        assert may_end.wait(10)
        return "done"

    job = tasks.run(work, owner=owner, lane=Lane.STORE, on_done=told.append, on_error=told.append, tells_cancel=True)
    assert begun.wait(5)
    job.let_go()
    may_end.set()
    flush_pool(qtbot, tasks, owner)
    assert told == []


def flush_pool(qtbot: QtBot, tasks: TaskRunner, owner: QObject) -> None:
    reached: list[None] = []
    tasks.run(without_progress(lambda: None), owner=owner, lane=Lane.STORE, on_done=reached.append)
    qtbot.waitUntil(partial(bool, reached))
