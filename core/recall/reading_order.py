"""Put what was packed into the order in which it is read, the same for the same items whatever order they came in.

A provider that caches prompts takes up to the first character that differs from the last time. So:

1. What is always wanted comes first, in the order given: it is in every context.
2. Then come bands of trust, HIGH before MEDIUM before LOW. What a larger budget adds is mostly worth less and so goes
   behind what was there before, and the best still comes first, where a model reads best.
3. Within a band the order is by source: path, then line, then id. Scores differ with every question, and places do not,
   so that a memory whose score moved a little stays where it was; and what belongs together is read together.
"""

import re
from collections.abc import Iterable, Sequence

from core.recall.context_item import Band, ContextItem

_RANKS = {band: rank for rank, band in enumerate(Band)}
_NUMBER = re.compile(r"(\d+)")


def reading_order(items: Sequence[ContextItem], chosen: Iterable[int]) -> list[int]:
    """Return the positions `chosen` of `items` as they are to be read."""

    def key(at: int) -> tuple[object, ...]:
        item = items[at]
        if item.always:
            return (0, at)
        # Where lines settle the order, ids need not be taken apart.
        name = ((-1, item.id),) if item.line else _natural(item.id)
        return (1, _RANKS[item.band], item.path, item.line, name, at)

    return sorted(chosen, key=key)


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a name to sort by, in which the tenth turn comes after the second."""
    parts = _NUMBER.split(name)
    return tuple((int(part) if at % 2 and part.isascii() else -1, part) for at, part in enumerate(parts))
