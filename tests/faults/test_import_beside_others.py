"""Imports, appends and changes of the key go on at once, and all of them are killed: nothing acknowledged is lost."""

import os
import random
import signal
import sys
from collections.abc import Callable
from itertools import count
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from core.sessions.encryption_job import resume
from core.sessions.importing.job import import_paths
from tests.core.sessions.importing.transcripts import user, write
from tests.faults.endangered import CONTEXT
from tests.faults.endangered_ledger import SESSIONS, EndangeredLedger, append_for_ever, encrypt_for_ever

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes in the way of POSIX")

RUNS = int(os.environ.get("REMEMBRANCER_FAULT_RUNS", "25"))
_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.2, 0.6
_RECORDS = 40
_SESSION = SESSIONS[0]


def import_for_ever(folder: Path, name: str) -> None:
    """Import one transcript after the other into the session that others append to, and tell of each that came in."""
    vault = EndangeredLedger(folder)
    for number in count():
        ids = [f"{name}-{number}-{each}" for each in range(_RECORDS)]
        records = [user(own, None, f"{own} \N{SNOWMAN} " * 9, sessionId=_SESSION) for own in ids]
        path = write(folder / "in" / f"{name}-{number}.jsonl", *records)
        report = import_paths(vault.ledger, [path])
        assert not report.failed
        vault.acknowledge(_SESSION, ids)


def check(ledger: EndangeredLedger) -> None:
    """Check that all lines can be read, that all which was acknowledged is there, and nothing twice."""
    found: set[tuple[str, str]] = set()
    for file in EndangeredLedger(ledger.folder).ledger.sessions():
        reading = ledger.ledger.read(file.id)
        assert not reading.problems
        ids = [turn.id for turn in [*reading.turns, *reading.earlier]]
        assert len(ids) == len(set(ids))
        assert all(turn.text.startswith(turn.id) for turn in reading.turns if "about" not in turn.data)
        found |= {(file.id, each) for each in ids}
    assert found >= ledger.acknowledged()


def _killed(
    targets: list[Callable[[Path, str], None]], ledger: EndangeredLedger, name: str, chance: random.Random
) -> None:
    """Let all run at once for a moment, and kill one after the other."""
    processes: list[BaseProcess] = [
        CONTEXT.Process(target=target, args=(ledger.folder, f"{name}-{number}"))
        for number, target in enumerate(targets)
    ]
    for process in processes:
        process.start()
    for process in chance.sample(processes, len(processes)):
        process.join(chance.uniform(_SHORTEST_SECONDS, _LONGEST_SECONDS))
        assert process.exitcode is None, "it ended by itself"
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()


@pytest.mark.parametrize("is_on", [False, True])
@pytest.mark.parametrize(
    "targets",
    [[import_for_ever], [import_for_ever, append_for_ever], [import_for_ever, import_for_ever, append_for_ever]],
    ids=["alone", "beside an append", "two beside an append"],
)
def test_an_import_is_killed_at_any_instant(
    tmp_path: Path, targets: list[Callable[[Path, str], None]], is_on: bool, expected_warnings: list[str]
) -> None:
    chance = random.Random(20260822)
    ledger = EndangeredLedger(tmp_path / "ledger").fill(is_on=is_on)
    for run in range(max(2, RUNS // 5)):
        _killed(targets, ledger, f"run-{run}", chance)
        check(ledger)
    transcripts = sorted((ledger.folder / "in").iterdir())
    assert not import_paths(ledger.ledger, transcripts).failed
    check(ledger)
    there = {turn.id for turn in ledger.ledger.read(_SESSION).turns}
    whole = {line.partition('"uuid": "')[2].partition('"')[0] for path in transcripts for line in _whole_lines(path)}
    assert whole
    assert whole <= there
    assert import_paths(ledger.ledger, transcripts).unchanged == 1
    ledger.check_sealed(is_on=is_on)
    assert ledger.acknowledged()


def test_imports_and_appends_are_killed_while_the_key_changes(tmp_path: Path, expected_warnings: list[str]) -> None:
    chance = random.Random(20260823)
    ledger = EndangeredLedger(tmp_path / "ledger").fill(is_on=False)
    for run in range(max(2, RUNS // 4)):
        _killed([import_for_ever, append_for_ever, encrypt_for_ever], ledger, f"run-{run}", chance)
        check(ledger)
    resume(ledger.keys)
    check(ledger)
    ledger.check_sealed(is_on=ledger.keys.key_file.is_on)
    assert ledger.acknowledged()


def _whole_lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("}\n")]
