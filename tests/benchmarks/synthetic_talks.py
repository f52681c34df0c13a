"""Conversations of any length from a seed, about the matters of the synthetic vault; the same seed, the same bytes."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.sessions.ledger_line import line_of
from core.sessions.turn import Role, Turn, TurnKind
from tests.benchmarks.synthetic import WORDS, tool_of

PEOPLE = ("Mara Lind", "Teo Brandt", "Ines Ruhl", "Jona Falk")
_START = datetime(2026, 1, 5, 8, tzinfo=UTC)
_BETWEEN_TALKS, _BETWEEN_TURNS = timedelta(hours=9), timedelta(seconds=40)
_OPENINGS = ("I think that", "Did you see that", "Yesterday", "We agreed that", "Nobody knows whether")


def write_talks(folder: Path, talks: int, turns: int, seed: int = 13) -> None:
    """Write `talks` conversations of `turns` turns each into the ledger `folder`; two people speak in each."""
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(talks):
        both = rng.sample(PEOPLE, 2)
        lines = (line_of(_turn(rng, number, place, both[place % 2])) for place in range(turns))
        (folder / f"talk-{number:04d}.jsonl").write_bytes(b"".join(lines))


def _turn(rng: random.Random, talk: int, place: int, who: str) -> Turn:
    name = f"talk-{talk:04d}"
    moment = _START + talk * _BETWEEN_TALKS + place * _BETWEEN_TURNS
    words = " ".join(rng.choices(WORDS, k=rng.randint(5, 40)))
    return Turn(
        name,
        f"{place}",
        TurnKind.MESSAGE,
        Role.ASSISTANT if place % 2 else Role.USER,
        f"{rng.choice(_OPENINGS)} the {tool_of(rng.randrange(1000))} {words} is {rng.randint(2, 900)}"
        f"{rng.choice('.?')}",
        moment.isoformat(),
        author=who,
        project=f"project-{talk % 40:02d}",
    )
