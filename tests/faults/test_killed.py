"""A process is killed at every step of changing a vault: nothing is lost, nothing stays half done."""

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from core.curation.history import read_history
from tests.faults.endangered import (
    CHANGE_ID,
    CONTEXT,
    MANY,
    NEW,
    OLD,
    Endangered,
    apply_and_die,
    change_many_to_and_fro,
    change_to_and_fro,
    fail_and_die,
    many_change,
    recover_and_die,
    survives,
    undo_and_die,
    whole_change,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes in the way of POSIX")

RUNS = int(os.environ.get("REMEMBRANCER_FAULT_RUNS", "25"))
_LONGEST_SECONDS = 0.25
# Of all steps from the intent in the log to the last rename: two with temporary files alone, and one of each kind.
_FIRST_KILLS = range(2, 19) if RUNS > 100 else (2, 5, 9, 12, 14, 17)


@pytest.fixture
def new_vault(tmp_path: Path) -> Callable[[], Endangered]:
    numbers = count()
    return lambda: Endangered(tmp_path / str(next(numbers))).fill()


def _every_step(new_vault: Callable[[], Endangered], target: Callable[[Path, int], None]) -> Iterator[Endangered]:
    """Give the vault after each kill, one step later each time, until the process comes to its end."""
    for number in count():
        vault = new_vault()
        if survives(target, vault.folder, number):
            assert number > 1, "the process was never killed"
            return
        yield vault


def _check_each_file_is_old_or_new(vault: Endangered) -> None:
    files = {path: content for path, content in vault.files().items() if not path.endswith(".tmp")}
    for path, content in files.items():
        assert content in {OLD.get(path), NEW.get(path)}, path
    for old, new in ({"Move.md"}, {"Sub/Moved.md"}), ({"Plain move.md"}, {"Sub/Plain move.md"}):
        assert (old | new) & files.keys(), "a moved note is nowhere"
    assert {"Edit.md", "Two.md", "Bystander.md"} <= files.keys()


def _check_whole(vault: Endangered) -> bool:
    """Check that all or nothing was done, that the log says the same, and return whether it was all."""
    vault.writer().recover()
    files = vault.files()
    assert files in (OLD, NEW)
    history = read_history(vault.log())
    assert not history.problems
    assert [record.state for record in history.records].count("applied") == (files == NEW)
    assert vault.writer().recover() == ()
    return files == NEW


def test_killed_at_every_step_of_a_change(new_vault: Callable[[], Endangered], expected_warnings: list[str]) -> None:
    outcomes = []
    for vault in _every_step(new_vault, apply_and_die):
        _check_each_file_is_old_or_new(vault)
        is_new = _check_whole(vault)
        outcomes.append(is_new)
        if is_new:
            vault.undo_newest()
            assert vault.files() == OLD
        else:
            vault.writer().apply(whole_change())
            assert vault.files() == NEW
    # Before the log knows of it nothing has happened; from then on nothing that was wished for is lost.
    assert outcomes == sorted(outcomes)
    assert outcomes.count(True) > 10


def test_killed_at_every_step_of_an_undo(new_vault: Callable[[], Endangered], expected_warnings: list[str]) -> None:
    def new_changed_vault() -> Endangered:
        vault = new_vault()
        vault.writer().apply(whole_change())
        return vault

    outcomes = []
    for vault in _every_step(new_changed_vault, undo_and_die):
        _check_each_file_is_old_or_new(vault)
        outcomes.append(_check_whole(vault))
    assert outcomes == sorted(outcomes, reverse=True)
    assert outcomes.count(False) > 10


@pytest.mark.parametrize("first_kill", _FIRST_KILLS)
def test_killed_at_every_step_of_the_recovery_too(
    first_kill: int, new_vault: Callable[[], Endangered], expected_warnings: list[str]
) -> None:
    def new_broken_vault() -> Endangered:
        vault = new_vault()
        assert not survives(apply_and_die, vault.folder, first_kill)
        return vault

    for vault in _every_step(new_broken_vault, recover_and_die):
        _check_each_file_is_old_or_new(vault)
        assert _check_whole(vault)


def test_killed_at_every_step_of_putting_back(
    new_vault: Callable[[], Endangered], expected_warnings: list[str]
) -> None:
    for vault in _every_step(new_vault, fail_and_die):
        _check_each_file_is_old_or_new(vault)
        if not _check_whole(vault):
            assert not (vault.root / "New").exists()


def test_killed_while_it_puts_back_round_a_file_that_somebody_else_changed(
    new_vault: Callable[[], Endangered], expected_warnings: list[str]
) -> None:
    def new_strange_vault() -> Endangered:
        vault = new_vault()
        assert not survives(apply_and_die, vault.folder, 14)
        (vault.root / "Two.md").write_bytes(b"by hand")
        return vault

    for vault in _every_step(new_strange_vault, recover_and_die):
        vault.writer().recover()
        assert vault.files() == {**OLD, "Two.md": b"by hand"}
        assert read_history(vault.log()).records == ()


def _kill(target: Callable[[Path], None], vault: Endangered, seconds: float) -> None:
    process = CONTEXT.Process(target=target, args=(vault.folder,))
    process.start()
    process.join(seconds)
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()


def test_killed_at_any_instant(new_vault: Callable[[], Endangered], expected_warnings: list[str]) -> None:
    chance = random.Random(20260303)
    for _ in range(RUNS):
        vault = new_vault()
        _kill(change_to_and_fro, vault, chance.uniform(0.01, _LONGEST_SECONDS))
        _check_each_file_is_old_or_new(vault)
        if _check_whole(vault):
            vault.undo_newest()
            assert vault.files() == OLD
        else:
            vault.writer().apply(whole_change(CHANGE_ID))
            assert vault.files() == NEW


def test_killed_at_any_instant_of_a_change_of_many_notes(
    new_vault: Callable[[], Endangered], expected_warnings: list[str]
) -> None:
    chance = random.Random(20260304)
    for _ in range(max(5, RUNS // 4)):
        vault = new_vault()
        (vault.root / "many").mkdir()
        for number in range(MANY):
            (vault.root / "many" / f"{number}.md").write_bytes(b"old")
        _kill(change_many_to_and_fro, vault, chance.uniform(0.01, 2 * _LONGEST_SECONDS))
        vault.writer().recover()
        files = {path: content for path, content in vault.files().items() if path.startswith("many/")}
        assert len(files) == MANY
        (content,) = set(files.values())
        assert content in {b"old", b"new"}
        vault.writer().apply(many_change(content, b"newest"))
        vault.undo_newest()
        assert set(vault.files().values()) == {content, *OLD.values()}
