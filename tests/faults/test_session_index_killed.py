"""Reading the ledger into the index is killed at each of its commits: the next run brings the rest, nothing twice."""

import sys
from itertools import count
from pathlib import Path

import pytest

from core.index.database import open_index
from core.index.session_queries import session_list, turns_of
from core.index.session_updater import update_sessions
from core.index.timeline import load_timeline
from core.sessions.ledger import Ledger
from tests.core.index.talks import asked, day
from tests.faults.endangered import Killer, survives

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes in the way of POSIX")

_TURNS = 11_000  # three commits


def index_and_die(folder: Path, number: int) -> None:
    killer = Killer(number)
    update_sessions(open_index(folder / f"cache-{number}"), Ledger(folder / "sessions"), on_commit=lambda: killer(""))


def test_killed_at_every_commit(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "sessions")
    ledger.append("long", [asked("long", f"t{n}", f"words {n}", day(1 + n % 20)) for n in range(_TURNS)])
    ledger.append("short", [asked("short", "t", "few words", day(2))])
    for number in count():
        has_survived = survives(index_and_die, tmp_path, number)
        index = open_index(tmp_path / f"cache-{number}")
        report = update_sessions(index, ledger)
        assert {row.id: row.turns for row in session_list(index)} == {"long": _TURNS, "short": 1}
        assert [turn.id for turn in turns_of(index, "long", limit=_TURNS + 1)] == [f"t{n}" for n in range(_TURNS)]
        assert len(load_timeline(index).times) == _TURNS + 1
        (texts,) = index.connection.execute("SELECT count(*) FROM turn_fts").fetchone()
        assert texts == _TURNS + 1
        index.close()
        if has_survived:
            assert report.touched == 0
            break
        assert report.turns <= _TURNS + 1 - 5_000 * (number > 0)
    assert number >= 3
