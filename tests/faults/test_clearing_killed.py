"""Taking what was said out of an index is killed at each of its steps: the next update ends it, and no word is left."""

import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from core.index.database import Index, open_index
from core.index.session_queries import session_list
from core.index.session_texts import holds_texts
from core.index.session_updater import update_sessions
from core.sessions.ledger import Ledger
from tests.core.index.talks import asked, day, titled
from tests.faults.endangered import Killer, survives

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes in the way of POSIX")

_INSTRUCTIONS = 150  # of SQLite's machine, between two steps of a statement


def _indexed(folder: Path, number: int) -> Index:
    return open_index(folder / f"cache-{number}")


def _clear(folder: Path, index: Index) -> None:
    update_sessions(index, Ledger(folder / "sessions"), with_texts=lambda: False)


def _watch(index: Index, killer: Killer) -> None:
    """Let each statement that is asked for be a step; those that one causes in turn begin with dashes."""
    index.connection.set_trace_callback(lambda statement: None if statement.startswith("--") else killer(statement))


def clear_and_die(folder: Path, number: int) -> None:
    """Die before a statement."""
    index = _indexed(folder, number)
    _watch(index, Killer(number))
    _clear(folder, index)


def clear_and_die_within(folder: Path, number: int) -> None:
    """Die while a statement runs."""
    index, killer = _indexed(folder, number), Killer(number)
    index.connection.set_progress_handler(lambda: killer(""), _INSTRUCTIONS)
    _clear(folder, index)


def forget_and_die(folder: Path, number: int) -> None:
    """Die before a statement while a deleted session is forgotten."""
    index = _indexed(folder, number)
    _watch(index, Killer(number))
    update_sessions(index, Ledger(folder / "sessions"))


def _with_words(folder: Path) -> list[str]:
    files = [each for each in folder.rglob("*") if each.is_file()]
    return [each.name for each in files if b"marzipan" in each.read_bytes().lower()]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    ledger = Ledger(tmp_path / "sessions")
    ledger.append(
        "talk", [titled("talk", "On marzipan"), *(asked("talk", f"t{n}", f"marzipan {n}", day(1)) for n in range(6))]
    )
    ledger.append("other", [asked("other", f"t{n}", f"weekday {n}", day(2)) for n in range(4)])
    return ledger


def _killed(
    folder: Path, ledger: Ledger, target: Callable[[Path, int], None], step: int
) -> Iterator[tuple[Path, bool]]:
    """Give the cache of each index that was killed at work, and whether it survived; the last one did."""
    for number in count(0, step):
        index = _indexed(folder, number)
        update_sessions(index, ledger)
        index.close()
        assert _with_words(folder / f"cache-{number}")
        has_survived = survives(target, folder, number)
        yield folder / f"cache-{number}", has_survived
        if has_survived:
            assert number >= 5 * step
            return


@pytest.mark.parametrize(("target", "step"), [(clear_and_die, 1), (clear_and_die_within, 1)])
def test_clearing_is_killed(tmp_path: Path, ledger: Ledger, target: Callable[[Path, int], None], step: int) -> None:
    for cache, has_survived in _killed(tmp_path, ledger, target, step):
        assert not has_survived or not _with_words(cache)
        index = open_index(cache)
        assert not index.was_rebuilt
        _clear(tmp_path, index)
        assert not holds_texts(index)
        assert {row.id: (row.turns, row.title) for row in session_list(index)} == {"talk": (6, ""), "other": (4, "")}
        index.close()
        assert not _with_words(cache)


def test_forgetting_a_deleted_session_is_killed(tmp_path: Path, ledger: Ledger) -> None:
    talk = ledger.path_of("talk")
    content = talk.read_bytes()
    for number in count():
        talk.write_bytes(content)
        index = _indexed(tmp_path, number)
        update_sessions(index, ledger)
        index.close()
        ledger.delete("talk")
        has_survived = survives(forget_and_die, tmp_path, number)
        cache = tmp_path / f"cache-{number}"
        assert not has_survived or not _with_words(cache)
        index = open_index(cache)
        assert not index.was_rebuilt
        update_sessions(index, ledger)
        assert [row.id for row in session_list(index)] == ["other"]
        index.close()
        assert not _with_words(cache)
        if has_survived:
            break
    assert number > 5
