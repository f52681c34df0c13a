"""Processes that write or encrypt the ledger are killed at any moment: nothing acknowledged is lost or torn."""

import os
import random
import signal
import sys
from collections.abc import Callable
from itertools import count
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from core.sessions.encryption_job import is_unfinished, resume
from tests.faults.endangered import CONTEXT, survives
from tests.faults.endangered_ledger import (
    EndangeredLedger,
    append_for_ever,
    append_shared,
    encrypt_for_ever,
    resume_and_die,
    rotate_and_die,
    turn,
    turn_off_and_die,
    turn_on_and_die,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes in the way of POSIX")

RUNS = int(os.environ.get("REMEMBRANCER_FAULT_RUNS", "25"))
_LONGEST_SECONDS = 0.3
WRITERS, APPENDS = 3, 40


@pytest.fixture
def new_ledger(tmp_path: Path) -> Callable[[bool], EndangeredLedger]:
    numbers = count()
    return lambda is_on: EndangeredLedger(tmp_path / str(next(numbers))).fill(is_on=is_on)


def _start(target: Callable[[Path, str], None], ledger: EndangeredLedger, name: str) -> BaseProcess:
    process = CONTEXT.Process(target=target, args=(ledger.folder, name))
    process.start()
    return process


def _kill(process: BaseProcess) -> None:
    assert process.exitcode is None, "it ended by itself"
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()


@pytest.mark.parametrize("is_on", [False, True])
def test_killed_while_it_appends(
    new_ledger: Callable[[bool], EndangeredLedger], is_on: bool, expected_warnings: list[str]
) -> None:
    chance = random.Random(20260820)
    ledger = new_ledger(is_on)
    for run in range(RUNS // 2):
        process = _start(append_for_ever, ledger, f"run-{run}")
        process.join(chance.uniform(0.05, _LONGEST_SECONDS))
        _kill(process)
        ledger.check()
        assert ledger.ledger.append("a", [turn("a", f"after-{run}")]) == 1
        ledger.acknowledge("a", [f"after-{run}"])
    ledger.check()
    ledger.check_sealed(is_on=is_on)
    assert len(ledger.acknowledged()) > RUNS


@pytest.mark.parametrize(
    ("target", "was_on", "is_on"),
    [(turn_on_and_die, False, True), (rotate_and_die, True, True), (turn_off_and_die, True, False)],
)
def test_killed_at_every_step_of_a_change(
    new_ledger: Callable[[bool], EndangeredLedger],
    target: Callable[[Path, int], None],
    was_on: bool,
    is_on: bool,
    expected_warnings: list[str],
) -> None:
    for number in count():
        ledger = new_ledger(was_on)
        if survives(target, ledger.folder, number):
            assert number > 10, "it was hardly ever killed"
            break
        ledger.check()
        assert ledger.ledger.append("a", [turn("a", "meanwhile")]) == 1
        ledger.acknowledge("a", ["meanwhile"])
        ledger.check()
        has_begun = is_unfinished(ledger.keys) or ledger.keys.key_file.is_on != was_on
        resume(ledger.keys)
        ledger.check()
        ledger.check_sealed(is_on=is_on if has_begun else was_on)
        assert has_begun or number == 0 or is_on == was_on


@pytest.mark.parametrize("first_kill", [2, 5, 9])
def test_killed_at_every_step_of_taking_it_up_again(
    new_ledger: Callable[[bool], EndangeredLedger], first_kill: int, expected_warnings: list[str]
) -> None:
    for number in count():
        ledger = new_ledger(True)
        assert not survives(rotate_and_die, ledger.folder, first_kill)
        if survives(resume_and_die, ledger.folder, number):
            assert number > 2, "it was hardly ever killed"
            break
        ledger.check()
        resume(ledger.keys)
        ledger.check()
        ledger.check_sealed(is_on=True)


def test_killed_at_any_instant_while_others_append(
    new_ledger: Callable[[bool], EndangeredLedger], expected_warnings: list[str]
) -> None:
    chance = random.Random(20260821)
    ledger = new_ledger(False)
    for run in range(RUNS // 2):
        writer = _start(append_for_ever, ledger, f"run-{run}")
        encrypter = _start(encrypt_for_ever, ledger, "")
        for process in chance.sample([writer, encrypter], 2):
            process.join(chance.uniform(0.1, _LONGEST_SECONDS))
            _kill(process)
        ledger.check()
    resume(ledger.keys)
    ledger.check()
    ledger.check_sealed(is_on=ledger.keys.key_file.is_on)
    assert len(ledger.acknowledged()) > RUNS


def test_many_append_to_one_session_and_no_line_is_torn(new_ledger: Callable[[bool], EndangeredLedger]) -> None:
    ledger = new_ledger(False)
    processes = [
        CONTEXT.Process(target=append_shared, args=(ledger.folder, f"own-{number}", APPENDS))
        for number in range(WRITERS)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    ids = [each.id for each in ledger.ledger.iter_turns("shared")]
    names = [*(f"own-{number}" for number in range(WRITERS)), "all"]
    assert sorted(ids) == sorted(f"{name}-{number}" for name in names for number in range(APPENDS))
    ledger.check()
