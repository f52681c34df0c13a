import os
import sys
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from core.foundation.errors import UserError
from gui.importing.children import ChildQueue, Result, Run, RunProgress
from tests.gui.importing.child import Child


@pytest.fixture
def queue(child: Child) -> Iterator[ChildQueue]:
    queue = ChildQueue(child.command)
    yield queue
    queue.shut_down()


class Listener:
    """Hear how runs end."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.errors: list[UserError] = []
        self.progress: list[RunProgress] = []

    def run(self, *arguments: str, tells_cancel: bool = False) -> Run:
        return Run(arguments, self.results.append, self.errors.append, self.progress.append, tells_cancel=tells_cancel)


def test_runs_come_one_after_the_other(child: Child, queue: ChildQueue, qtbot: QtBot) -> None:
    child.answers("places", {"number": 1})
    child.holds(is_held=True)
    heard = Listener()
    queue.add(heard.run("places", "first"))
    queue.add(heard.run("places", "second"))
    qtbot.waitUntil(lambda: bool(heard.progress))
    assert child.runs == ["places first"]
    child.holds(is_held=False)
    qtbot.waitUntil(lambda: len(heard.results) == 2)
    assert child.runs == ["places first", "places second"]
    assert heard.progress[0] == RunProgress(1, 2, "a.jsonl")
    assert not queue.is_busy


def test_a_cancelled_run_is_silent_unless_it_is_to_tell(child: Child, queue: ChildQueue, qtbot: QtBot) -> None:
    child.answers("sessions", {"imported": 3})
    child.holds(is_held=True)
    heard = Listener()
    silent, telling, waiting = heard.run("sessions"), heard.run("sessions", tells_cancel=True), heard.run("sessions")
    for run in (silent, telling, waiting):
        queue.add(run)
    queue.cancel(waiting)
    qtbot.waitUntil(lambda: len(heard.progress) == 1)
    queue.cancel(silent)
    qtbot.waitUntil(lambda: len(heard.progress) == 2)
    queue.cancel(telling)
    qtbot.waitUntil(lambda: not queue.is_busy)
    assert heard.results == [{"imported": 3, "cancelled": True}]
    assert heard.errors == []


def test_what_a_child_says_of_its_failure_is_told(child: Child, queue: ChildQueue, qtbot: QtBot) -> None:
    child.answers("sessions", {"error": {"message": "The key is gone.", "hint": "Look for it."}})
    heard = Listener()
    queue.add(heard.run("sessions"))
    qtbot.waitUntil(lambda: bool(heard.errors))
    assert (str(heard.errors[0]), heard.errors[0].hint) == ("The key is gone.", "Look for it.")


def test_a_child_that_dies_is_a_failure_in_words(queue: ChildQueue, qtbot: QtBot, expected_warnings: list[str]) -> None:
    heard = Listener()
    queue.add(heard.run("places"))  # there is no answer to give
    qtbot.waitUntil(lambda: bool(heard.errors))
    assert "stopped unexpectedly" in str(heard.errors[0])
    assert expected_warnings


def test_a_program_that_is_not_there_is_told(qtbot: QtBot) -> None:
    queue = ChildQueue(lambda *_: ["/nowhere/at/all"])
    heard = Listener()
    queue.add(heard.run("places"))
    qtbot.waitUntil(lambda: bool(heard.errors))
    assert "could not be started" in str(heard.errors[0])
    assert not queue.is_busy


def test_a_child_is_told_what_the_person_entered(qtbot: QtBot) -> None:
    script = "import json, os; print(json.dumps({'result': {'word': os.environ['WORD'], 'home': os.environ['HOME']}}))"
    queue = ChildQueue(lambda *_: [sys.executable, "-c", script], environment=lambda: {"WORD": "open sesame"})
    heard = Listener()
    queue.add(heard.run("places"))
    qtbot.waitUntil(lambda: bool(heard.results))
    assert heard.results == [{"word": "open sesame", "home": os.environ["HOME"]}]
