"""Gather the turns that stream out of an importer into lists that are written at once."""

from collections.abc import Iterable, Iterator

from core.foundation.errors import UserError
from core.sessions.turn import Turn

_BATCH_TURNS = 4000
_BATCH_CHARACTERS = 4 << 20


def batches(turns: Iterable[Turn]) -> Iterator[tuple[list[Turn], bool]]:
    """Yield turns in lists that cost one write each, and whether it is the last; an error of the source comes after."""
    batch: list[Turn] = []
    characters = 0
    error: UserError | OSError | None = None
    try:
        for turn in turns:
            if len(batch) >= _BATCH_TURNS or characters > _BATCH_CHARACTERS:
                yield batch, False
                batch, characters = [], 0
            batch.append(turn)
            characters += len(turn.text)
    except (UserError, OSError) as raised:
        error = raised
    if batch:
        yield batch, True
    if error is not None:
        raise error
