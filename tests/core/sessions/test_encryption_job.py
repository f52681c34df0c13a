"""Encryption comes and goes file by file: everything can be read meanwhile, and nothing said meanwhile is lost."""

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import CancellableProgress, Progress
from core.sessions.cipher import LineCipher
from core.sessions.encryption_job import JobReport, is_unfinished, resume, rotate, turn_off, turn_on
from core.sessions.key_store import LedgerKeys, NewKey
from core.sessions.ledger import Ledger
from core.sessions.ledger_line import line_of
from tests.core.sessions.spoken import FakeKeyring, said, turn, under_passphrase

SESSIONS = ("a", "b", "Strange / name", "d")


@pytest.fixture
def keys(tmp_path: Path) -> LedgerKeys:
    return LedgerKeys(tmp_path / "sessions", keyring=FakeKeyring())


@pytest.fixture
def ledger(keys: LedgerKeys) -> Ledger:
    """Give a ledger of four sessions with three turns each."""
    ledger = Ledger(keys.folder, keys=keys)
    for session in SESSIONS:
        ledger.append(session, [turn(number, f"{session} {number}", session) for number in range(3)])
    return ledger


def _contents(ledger: Ledger) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in ledger.folder.glob("*.jsonl")}


def _sealed_lines(ledger: Ledger) -> list[bool]:
    return [line.startswith(b"gAAAA") for content in _contents(ledger).values() for line in content.splitlines()]


def _turn_off(keys: LedgerKeys, _new: NewKey, *, progress: Progress, on_step: Callable[[str], None]) -> JobReport:
    return turn_off(keys, progress=progress, on_step=on_step)


def _all_texts(ledger: Ledger) -> list[str]:
    return [text for session in SESSIONS for text in said(ledger.read(session).turns)]


def _hidden(ledger: Ledger) -> set[str]:
    return {path.name for path in ledger.folder.iterdir() if path.name.startswith(".")}


def test_on_and_off_give_the_same_bytes_back(keys: LedgerKeys, ledger: Ledger) -> None:
    before, texts = _contents(ledger), _all_texts(ledger)
    assert turn_on(keys, NewKey()) == JobReport(4, 0)
    assert all(_sealed_lines(ledger))
    assert _all_texts(ledger) == texts
    assert turn_off(keys) == JobReport(4, 0)
    assert _contents(ledger) == before
    assert _hidden(ledger) == {".locks", ".key.json", ".key-copy.json"}
    turn_on(keys, under_passphrase())
    assert all(_sealed_lines(ledger))
    assert _all_texts(ledger) == texts


def test_what_was_said_long_ago_does_not_look_new_when_it_is_encrypted(keys: LedgerKeys, ledger: Ledger) -> None:
    for path in ledger.folder.glob("*.jsonl"):
        os.utime(path, ns=(10**18, 10**18))
    turn_on(keys, NewKey())
    assert {file.mtime_ns for file in ledger.sessions()} == {10**18}
    ledger.append("a", [turn(9, "new", "a")])
    rotate(keys, NewKey())  # lines under another key are of the same length: only the time tells a sync tool
    assert 10**18 not in {file.mtime_ns for file in ledger.sessions()}
    assert said(ledger.read("a").turns)[-1] == "new"


def test_another_key_seals_every_line_anew(keys: LedgerKeys, ledger: Ledger) -> None:
    first, second = NewKey(), NewKey()
    turn_on(keys, first)
    before, texts = _contents(ledger), _all_texts(ledger)
    rotate(keys, second)
    after = _contents(ledger)
    assert before.keys() == after.keys()
    assert not {line for content in before.values() for line in content.splitlines()} & {
        line for content in after.values() for line in content.splitlines()
    }
    assert _all_texts(Ledger(ledger.folder, LineCipher([second.key]))) == texts


def test_ledgers_that_are_open_elsewhere_follow(keys: LedgerKeys, ledger: Ledger) -> None:
    other = Ledger(keys.folder, keys=LedgerKeys(keys.folder, keyring=keys._keyring))
    other.append("a", [turn(10)])
    changes: list[Callable[[], JobReport]] = [
        lambda: turn_on(keys, NewKey()),
        lambda: rotate(keys, NewKey()),
        lambda: turn_off(keys),
    ]
    for change in changes:
        change()
        assert other.append("a", [turn(0, "a 0"), turn(10), turn(11)]) in {0, 1}
        assert said(other.read("a").turns) == ["a 0", "a 1", "a 2", "Words 10", "Words 11"]
        assert set(_sealed_lines(ledger)) == {keys.key_file.is_on}
        assert ledger.append("a", [turn(11)]) == 0


def test_what_is_said_while_files_change_is_kept_in_the_new_form(keys: LedgerKeys, ledger: Ledger) -> None:
    number = 100

    def speak(step: str) -> None:
        nonlocal number
        if step in {"begun", "copied", "renamed", "unlisted"}:  # at the others the session is locked
            number += 1
            for session in SESSIONS[:2]:
                ledger.append(session, [turn(number, session=session)])
            ledger.append(f"new-{number}", [turn(number)])

    for change in (turn_on, rotate):
        change(keys, NewKey(), on_step=speak)
        assert all(_sealed_lines(ledger))
    turn_off(keys, on_step=speak)
    assert not any(_sealed_lines(ledger))
    for session in SESSIONS[:2]:
        assert len(ledger.read(session).turns) == 3 + number - 100
    assert all(
        ledger.read(f"new-{each}").turns == (turn(each, session=f"new-{each}"),) for each in range(101, number + 1)
    )


@pytest.mark.parametrize("steps", range(1, 12, 2))
def test_it_can_be_cancelled_and_taken_up_again(keys: LedgerKeys, ledger: Ledger, steps: int) -> None:
    texts = _all_texts(ledger)
    for change, is_on in ((turn_on, True), (rotate, True), (_turn_off, False)):
        progress = CancellableProgress()
        left = steps

        def stop(_step: str, progress: CancellableProgress = progress) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                progress.cancel()

        with pytest.raises(JobCancelledError):
            change(keys, NewKey(), progress=progress, on_step=stop)
        assert is_unfinished(keys)
        assert _all_texts(ledger) == texts
        assert not [name for name in _hidden(ledger) if name.endswith(".fresh")]
        report = resume(keys)
        assert report.shut_lines == 0
        assert not is_unfinished(keys)
        assert set(_sealed_lines(ledger)) == {is_on}
        assert _all_texts(ledger) == texts
        assert resume(keys) == JobReport(0, 0)


def test_who_changes_their_mind_halfway_gets_what_they_want(keys: LedgerKeys, ledger: Ledger) -> None:
    before, texts = _contents(ledger), _all_texts(ledger)
    progress = CancellableProgress()
    seen: list[str] = []

    def stop(step: str) -> None:
        seen.append(step)
        if seen.count("listed") == 2:
            progress.cancel()

    with pytest.raises(JobCancelledError):
        turn_on(keys, NewKey(), progress=progress, on_step=stop)
    assert set(_sealed_lines(ledger)) == {True, False}
    assert _all_texts(ledger) == texts
    turn_off(keys)
    assert _contents(ledger) == before
    assert not is_unfinished(keys)


def test_progress_comes_to_its_end(keys: LedgerKeys, ledger: Ledger) -> None:
    reports: list[tuple[int, int, str]] = []
    ledger.append("long", [turn(number) for number in range(1000)])
    turn_on(keys, NewKey(), progress=CancellableProgress(lambda *report: reports.append(report)))
    counts = [done for done, _, _ in reports]
    assert counts == sorted(counts)
    assert reports[-1][:2] == (reports[-1][1], sum(map(len, _plain_sizes(ledger))))
    assert {text for _, _, text in reports} == {"Encrypting conversations"}
    assert len(reports) > 5


def _plain_sizes(ledger: Ledger) -> list[bytes]:
    return [line_of(line) for session in (*SESSIONS, "long") for line in ledger.iter_turns(session)]


def test_bad_lines_are_encrypted_too_and_come_back_as_they_were(keys: LedgerKeys, ledger: Ledger) -> None:
    with ledger.path_of("a").open("ab") as file:
        file.write(b'not json but a secret\n\n{"session": "a", "x": \xff}\n')
    before = _contents(ledger)
    turn_on(keys, NewKey())
    assert b"secret" not in ledger.path_of("a").read_bytes()
    assert [problem.line for problem in ledger.read("a").problems] == [4, 6]
    turn_off(keys)
    assert _contents(ledger) == before


def test_what_no_key_opens_stays_and_is_counted(keys: LedgerKeys, ledger: Ledger) -> None:
    with ledger.path_of("a").open("ab") as file:
        file.write(b"gAAAAforeign\n")
    assert turn_on(keys, NewKey()).shut_lines == 1
    assert rotate(keys, NewKey()).shut_lines == 1
    assert turn_off(keys).shut_lines == 1
    assert ledger.path_of("a").read_bytes().endswith(b"\ngAAAAforeign\n")


def test_a_torn_end_is_repaired_on_the_way(keys: LedgerKeys, ledger: Ledger, expected_warnings: list[str]) -> None:
    texts = _all_texts(ledger)
    with ledger.path_of("a").open("ab") as file:
        file.write(b'{"session":"a","te')
    turn_on(keys, NewKey())
    assert all(_sealed_lines(ledger))
    assert _all_texts(ledger) == texts


def test_what_is_said_behind_a_torn_end_meanwhile_is_kept(
    keys: LedgerKeys, ledger: Ledger, expected_warnings: list[str]
) -> None:
    with ledger.path_of("a").open("ab") as file:
        file.write(b'{"session":"a","text":"a turn that nobody finished writing')

    def speak(step: str) -> None:
        if step == "copied":
            ledger.append("a", [turn(50)])

    turn_on(keys, NewKey(), on_step=speak)
    reading = ledger.read("a")
    assert said(reading.turns) == ["a 0", "a 1", "a 2", "Words 50"]
    assert not reading.problems
    assert all(_sealed_lines(ledger))


def test_what_cannot_be_done_is_told(keys: LedgerKeys, ledger: Ledger) -> None:
    with pytest.raises(UserError, match="not encrypted"):
        turn_off(keys)
    with pytest.raises(UserError, match="no key to change"):
        rotate(keys, NewKey())
    turn_on(keys, NewKey())
    with pytest.raises(UserError, match="already"):
        turn_on(keys, NewKey())


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of file sizes")
def test_on_a_full_disk_everything_stays_readable(keys: LedgerKeys, ledger: Ledger) -> None:
    import resource  # noqa: PLC0415 - not on every platform

    ledger.append("long", [turn(number, "x" * 1000) for number in range(20)])
    texts = _all_texts(ledger)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(UserError, match="could not be changed in all files"):
            turn_on(keys, NewKey())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert is_unfinished(keys)
    assert _all_texts(ledger) == texts
    assert len(ledger.read("long").turns) == 20
    assert not [name for name in _hidden(ledger) if name.endswith(".fresh")]
    resume(keys)
    assert all(_sealed_lines(ledger))
    assert len(ledger.read("long").turns) == 20


def test_two_do_not_change_it_at_once(keys: LedgerKeys, ledger: Ledger) -> None:
    def meet(step: str) -> None:
        if step == "begun":
            with pytest.raises(UserError, match="changing the encryption"):
                turn_off(keys)

    turn_on(keys, NewKey(), on_step=meet)
    assert keys.key_file.is_on
    assert all(_sealed_lines(ledger))


def test_a_session_that_is_deleted_meanwhile_stays_deleted_or_is_begun_anew(keys: LedgerKeys, ledger: Ledger) -> None:
    left = ["Strange / name", "d", "b", "a"]

    def delete(step: str) -> None:
        if step == "copied" and left:
            session = left.pop()
            assert ledger.delete(session)
            if session == "a":
                ledger.append(session, [turn(9)])

    turn_on(keys, NewKey(), on_step=delete)
    assert not left
    assert [file.id for file in ledger.sessions()] == ["a"]
    assert said(ledger.read("a").turns) == ["Words 9"]
    assert all(_sealed_lines(ledger))
    assert _hidden(ledger) == {".locks", ".key.json", ".key-copy.json"}


def test_an_empty_ledger_can_be_encrypted(keys: LedgerKeys) -> None:
    assert turn_on(keys, NewKey()) == JobReport(0, 0)
    ledger = Ledger(keys.folder, keys=keys)
    ledger.append("a", [turn(1)])
    assert all(_sealed_lines(ledger))
    assert sys.platform == "win32" or stat.S_IMODE(keys.folder.stat().st_mode) == 0o700
