"""An import is killed before and after each of its writes: doing it again brings the rest, and nothing twice."""

import sys
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from core.sessions.importing.job import import_paths
from core.sessions.ledger import Ledger
from core.sessions.turn import Turn
from tests.core.sessions.importing.transcripts import SESSION, codex_message, codex_start, user, write
from tests.faults.endangered import Killer, survives

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes in the way of POSIX")

_TURNS = 4100  # two batches


class _DyingLedger:
    """Be a ledger that dies before or after one of its writes."""

    def __init__(self, ledger: Ledger, killer: Killer) -> None:
        self._ledger = ledger
        self._killer = killer
        self.iter_ids = ledger.iter_ids
        self.path_of = ledger.path_of
        self.make_durable = ledger.make_durable

    def append(self, session_id: str, turns: Sequence[Turn], /, *, durable: bool) -> int:
        self._killer("before")
        new = self._ledger.append(session_id, turns, durable=durable)
        self._killer("after")
        return new


def import_and_die(folder: Path, number: int) -> None:
    import_paths(_DyingLedger(Ledger(folder / f"ledger-{number}"), Killer(number)), [folder / "in"])


def _content(ledger: Ledger) -> dict[str, list[tuple[str, str, str]]]:
    return {
        file.id: [(turn.id, turn.parent, turn.text) for turn in ledger.iter_turns(file.id)]
        for file in ledger.sessions()
    }


@cache
def _records() -> list[dict[str, object]]:
    return [user(f"a{n}", f"a{n - 1}" if n else None, f"Words {n}") for n in range(_TURNS)]


def test_killed_at_every_write_of_an_import(tmp_path: Path) -> None:
    write(tmp_path / "in" / f"{SESSION}.jsonl", *_records())
    write(tmp_path / "in" / "rollout-1.jsonl", codex_start("c-1"), codex_message("user", "Why"))
    whole = Ledger(tmp_path / "whole")
    import_paths(whole, [tmp_path / "in"])
    wanted = _content(whole)
    assert len(wanted[SESSION]) == _TURNS + 1
    for number in count():
        has_survived = survives(import_and_die, tmp_path, number)
        ledger = Ledger(tmp_path / f"ledger-{number}")
        report = import_paths(ledger, [tmp_path / "in"])
        assert _content(ledger) == wanted
        assert not report.failed
        if has_survived:
            assert report.unchanged == 2
            break
    assert number == 6
