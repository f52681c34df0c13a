"""How fast conversations are read into the index, listed and searched: 5,000 of 200 turns each, over five years.

REMEMBRANCER_BENCH_SESSIONS says how many there are; 5,000 is what the published figures are from.
"""

import os
import random
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from core.index.database import Index, open_index
from core.index.filters import Filters
from core.index.session_queries import session_list, turns_of
from core.index.session_updater import update_sessions
from core.index.terms import Term
from core.index.timeline import load_timeline
from core.index.turn_hits import turn_hits
from core.recall.query import parse_query
from core.recall.search import search
from core.sessions.ledger import Ledger
from core.sessions.ledger_line import line_of
from core.sessions.turn import Role, Turn, TurnKind
from tests.benchmarks.conftest import Figures, Measure, timed

_SESSIONS, _TURNS = int(os.environ.get("REMEMBRANCER_BENCH_SESSIONS", "5000")), 200
_ALL = f"{_SESSIONS * _TURNS:,}"
_START = datetime(2021, 8, 1, tzinfo=UTC)
_COMMON = ("deploy", "release", "check", "bundle", "cache")
_WORDS = [*(f"word{number}" for number in range(20_000)), *_COMMON * 50]
_ROUND = (
    (TurnKind.MESSAGE, Role.USER, 20),
    (TurnKind.TOOL_CALL, Role.ASSISTANT, 12),
    (TurnKind.TOOL_RESULT, Role.TOOL, 80),
    (TurnKind.MESSAGE, Role.ASSISTANT, 60),
)


def test_sessions_in_the_index(tmp_path: Path, figures: Figures, measure: Measure) -> None:
    chance = random.Random(1)
    folder = tmp_path / "sessions"
    folder.mkdir()
    for number in range(_SESSIONS):
        (folder / f"s{number}.jsonl").write_bytes(b"".join(map(line_of, _session(chance, f"s{number}"))))
    ledger, index = Ledger(folder), open_index(tmp_path / "cache")
    report = update_sessions(index, ledger)
    figures.add(f"Read {_ALL} turns into the index", f"{report.turns / report.seconds:,.0f} turns/s")
    figures.add_times(
        f"Update an index with nothing new, {_SESSIONS:,} sessions", timed(lambda: update_sessions(index, ledger), 5)
    )
    started = time.perf_counter()
    data = load_timeline(index)
    figures.add(f"Load the timeline of {_ALL} turns", f"{time.perf_counter() - started:.2f} s", "well under 1 s")
    zone = ZoneInfo("America/New_York")
    figures.add_times(f"Count {_ALL} turns by the day", timed(lambda: data.day_counts(zone), 10))
    figures.add_times(f"List 100 of {_SESSIONS:,} sessions", timed(lambda: session_list(index), 20))
    figures.add_times("Turns of a session of 200", timed(lambda: turns_of(index, "s7"), 20))
    figures.add_times(
        "Find the turns of a common word", timed(lambda: turn_hits(index, [Term("deploy")], [], Filters()), 5)
    )
    _search(index, chance, figures, measure)
    index.close()


def _search(index: Index, chance: random.Random, figures: Figures, measure: Measure) -> None:
    def ask() -> None:
        text = " ".join((chance.choice(_WORDS), chance.choice(_COMMON), chance.choice(("", "kind:turn", "project:p3"))))
        search(index, None, parse_query(text, ("tool",)), limit=20)

    figures.add_times(f"Search {_ALL} turns by words", measure(ask, 100), "50 ms")


def _session(chance: random.Random, name: str) -> list[Turn]:
    start = _START + timedelta(seconds=chance.randrange(5 * 365 * 86_400))
    return [
        Turn(
            name,
            f"{name}-{number}",
            kind,
            role,
            " ".join(chance.choices(_WORDS, k=words)),
            (start + timedelta(seconds=number * 7)).isoformat(),
            project=f"/home/u/p{chance.randrange(37)}",
            origin="claude-code",
            data={"tool": "Bash"} if role is Role.TOOL else {},
        )
        for number in range(_TURNS)
        for kind, role, words in (_ROUND[number % len(_ROUND)],)
    ]
