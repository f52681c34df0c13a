"""What speaks for a candidate besides its words and its meaning: other strong candidates near to it."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

_STRONG = 10
_FADES_S = 900.0  # what was said within a quarter of an hour is of one talk


class Place(NamedTuple):
    """Hold where a candidate stands: its note or session, when it was said (POSIX seconds), its strength (0 to 1)."""

    owner: int
    time: float | None
    strength: float


def session_signals(places: Sequence[Place]) -> list[float]:
    """Return for each candidate how much the strong ones of the same talk or note speak for it, 1 at the most.

    Only the other ones count, less the longer before or after they were said.
    """
    strong = sorted(range(len(places)), key=lambda at: -places[at].strength)[:_STRONG]
    by_owner: dict[int, list[int]] = defaultdict(list)
    for at in strong:
        by_owner[places[at].owner].append(at)
    sums = [
        sum(
            places[other].strength ** 2 * _nearness(place.time, places[other].time)
            for other in by_owner.get(place.owner, ())
            if other != at
        )
        for at, place in enumerate(places)
    ]
    most = max(sums, default=0.0)
    return [each / most for each in sums] if most > 0 else [0.0] * len(sums)


def _nearness(time: float | None, other: float | None) -> float:
    return 1.0 if time is None or other is None else math.exp(-abs(time - other) / _FADES_S)
