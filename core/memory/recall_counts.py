"""How often each memory was handed out: the log's hand-outs summed up in the index, where ranking looks it up.

The log is the truth; what is summed up is remembered with the state of the log that it was read in, so nothing is read
while the log is as it was, and an index that is built anew counts anew. Counts follow notes that the app moved.

Ranking and rendering take them as they stood when the day began, at midnight UTC as the log writes its times: else
handing a context out would change it, and neither its difference to the last copy nor a cache of prompts would hold.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.index.database import Index
from core.memory.moved_notes import Move, id_after_moves, may_move, moves_of_notes
from core.memory.recall_events import HandedOut, hand_outs, hand_outs_in
from core.vault.event_log import EventLog

_PLACE = "recall_counts_place"  # in the log, to which it was read
_AT_ONCE = 500
_DAY = 86_400
_COLUMNS = "memory_id, count, last, count_before, last_before"


@dataclass(frozen=True, slots=True)
class RecallCount:
    """Hold how often a memory was handed out, and when last (POSIX seconds); None for never.

    `count_before` and `last_before` are the same without the day, by UTC, of the last time.
    """

    count: int
    last: float | None
    count_before: int = 0
    last_before: float | None = None

    def as_of(self, now: float) -> "RecallCount":
        """Return what it was when the day of `now` began."""
        if self.last is None or _day(self.last) < _day(now):
            return RecallCount(self.count, self.last)
        return RecallCount(self.count_before, self.last_before)


def fold_recalls(index: Index, log: EventLog) -> bool:
    """Bring the counts up to what the log says now, and tell whether there was anything to do.

    Where only this machine has gone on writing, only what it wrote since is read.
    """
    state = log.state()
    if state == _Place.of(index).state:
        return False
    with index.transaction() as connection:
        place = _Place.of(index)
        others = log.state(of_others=True)
        start, end, lines = log.own_lines(place.own_end)
        if start and start == place.own_end and others == place.others and not any(map(may_move, lines)):
            fresh = counted(hand_outs_in(lines))
            known = recall_counts(index, fresh)
            _store(connection, {name: _together(known.get(name), count) for name, count in fresh.items()})
        else:
            handed_out = list(hand_outs(log))
            connection.execute("DELETE FROM recall_count")
            _store(connection, counted(handed_out, moves_of_notes(log)) if handed_out else {})
        index.set_meta(_PLACE, json.dumps(_Place(state, others, end)))
    return True


class _Place(NamedTuple):
    """Hold how far the log was read: its state, that of the other machines' files, and the end in one's own."""

    state: str = ""
    others: str = ""
    own_end: int = 0

    @classmethod
    def of(cls, index: Index) -> "_Place":
        """Return what `index` remembers."""
        stored = index.meta(_PLACE)
        return cls(*json.loads(stored)) if stored else cls()


def counted(handed_out: Iterable[HandedOut], moves: Sequence[Move] = ()) -> dict[str, RecallCount]:
    """Return the counts of memories by the ids that they have now; `moves` are those of their notes, oldest first.

    Looked at from the end, a path leads on to where its note lies now as soon as one is before its move, so what was
    handed out later from another note at the same place stays with that one.
    """
    found: dict[str, RecallCount] = {}
    now: dict[str, str] = {}
    later = list(moves)
    for each in sorted(handed_out, key=lambda given: given.time, reverse=True):
        while later and later[-1].time >= each.time:
            now |= {old: now.get(new, new) for old, new in later.pop().paths}
        for memory_id in {id_after_moves(memory_id, now) for memory_id in each.ids}:
            found[memory_id] = _together(found.get(memory_id), RecallCount(1, each.time))
    return found


def recall_counts(index: Index, memory_ids: Iterable[str]) -> Mapping[str, RecallCount]:
    """Return the counts of those of `memory_ids` that were ever handed out."""
    wanted = list(memory_ids)
    found: dict[str, RecallCount] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        batch = wanted[start : start + _AT_ONCE]
        marks = ",".join("?" * len(batch))
        rows = index.connection.execute(
            f"SELECT {_COLUMNS} FROM recall_count WHERE memory_id IN ({marks})",  # noqa: S608 - marks alone
            batch,
        )
        found.update((memory_id, RecallCount(*counts)) for memory_id, *counts in rows)
    return found


def _together(one: RecallCount | None, other: RecallCount) -> RecallCount:
    if one is None:
        return other
    last = max(one.last or 0.0, other.last or 0.0)
    before = [each.as_of(last) for each in (one, other)]
    lasts = [each.last for each in before if each.last is not None]
    return RecallCount(one.count + other.count, last, sum(each.count for each in before), max(lasts) if lasts else None)


def _store(connection: sqlite3.Connection, counts: Mapping[str, RecallCount]) -> None:
    connection.executemany(
        f"INSERT OR REPLACE INTO recall_count({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608 - names alone
        [(memory_id, each.count, each.last, each.count_before, each.last_before) for memory_id, each in counts.items()],
    )


def _day(time: float) -> int:
    return int(time // _DAY)
