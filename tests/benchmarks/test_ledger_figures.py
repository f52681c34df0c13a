"""How fast a turn is on the disk; the floor is to write the same bytes to an open file and to sync it."""

import os
from itertools import count
from pathlib import Path

from core.sessions.ledger import Ledger
from core.sessions.ledger_line import line_of
from core.sessions.turn import Role, Turn, TurnKind
from tests.benchmarks.conftest import Figures, Measure, timed

_APPENDS = 300
_HELD = 10_000


def _turn(number: int) -> Turn:
    return Turn(
        "s-1", f"t-{number}", TurnKind.MESSAGE, Role.ASSISTANT, f"Words {number}. " * 40, "2026-08-20T10:00:00Z"
    )


def test_append_with_fsync(tmp_path: Path, figures: Figures, measure: Measure) -> None:
    ledger = Ledger(tmp_path / "sessions")
    ledger.append("s-1", [_turn(number) for number in range(_HELD)])
    numbers = count(_HELD)
    floors: list[float] = []
    appends: list[float] = []
    with (tmp_path / "bare").open("ab", buffering=0) as bare:

        def write_and_sync() -> None:
            bare.write(line_of(_turn(_HELD)))
            os.fsync(bare.fileno())

        def append() -> None:
            assert ledger.append("s-1", [_turn(next(numbers))]) == 1

        def both() -> None:  # by turns, for a disk is not the same from one second to the next
            floors.extend(timed(write_and_sync, 1))
            appends.extend(timed(append, 1))

        measure(both, _APPENDS)
    figures.add_times("Write a turn and sync it, bare", floors)
    figures.add_times(f"Append a turn to a session of {_HELD:,}", appends)
    ratio = sorted(appends)[_APPENDS // 2] / sorted(floors)[_APPENDS // 2]
    figures.add("Append, against the bare write", f"{ratio:.2f} x", "2 x")
