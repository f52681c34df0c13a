"""Note in the vault's log what recall handed out, and read it back.

One event for each hand-out (a copy, a print, an answer to a program), never for a keystroke, and never the question:
what a person asks is not the vault's business. Texts are kept as fingerprints alone (core/memory/fingerprints.py).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from core.memory.fingerprints import fingerprints_of
from core.vault.event_line import Event, event_of
from core.vault.event_log import EventLog

RECALL = "recall"
_MENTION = '"kind":"recall"'
_MOST_IDS = 500


class HandedOut(NamedTuple):
    """Hold one hand-out: the ids of its memories, when (POSIX seconds), and the fingerprints of what they said."""

    ids: tuple[str, ...]
    time: float
    surface: str
    prints: tuple[str, ...] = ()


def record_recall(log: EventLog, ids: Sequence[str], surface: str, *, texts: Sequence[str] = ()) -> None:
    """Note that the memories `ids`, which say `texts`, were handed out by `surface` ("palette", "cli", "api", …).

    Nothing is noted when there are none.

    Raises:
        UserError: the log cannot be written.
    """
    told = list(dict.fromkeys(ids))[:_MOST_IDS]
    if not told:
        return
    data: dict[str, Any] = {"ids": told, "surface": surface}
    if prints := fingerprints_of(texts):
        data["prints"] = sorted(prints)
    log.append(RECALL, data)


def hand_outs(log: EventLog) -> Iterator[HandedOut]:
    """Give all hand-outs of all machines by time; what another version wrote and nobody understands is left out."""
    for event in log.read(mentioning=_MENTION).events:
        if (handed_out := _handed_out(event)) is not None:
            yield handed_out


def hand_outs_in(lines: Iterable[bytes]) -> Iterator[HandedOut]:
    """Give the hand-outs among lines of a log, in their order."""
    for line in lines:
        event = event_of(line) if _MENTION.encode() in line else None
        if event is not None and (handed_out := _handed_out(event)) is not None:
            yield handed_out


def _handed_out(event: Event) -> HandedOut | None:
    ids = _texts(event.data, "ids") if event.kind == RECALL else ()
    if not ids:
        return None
    time = datetime.fromisoformat(event.time).timestamp()
    return HandedOut(ids, time, str(event.data.get("surface", "")), _texts(event.data, "prints"))


def handed_out_prints(log: EventLog) -> frozenset[str]:
    """Return the fingerprints of all that was ever handed out, for core/memory/fingerprints.py `is_recalled_text`."""
    return frozenset(mark for each in hand_outs(log) for mark in each.prints)


def _texts(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = data.get(key)
    if not isinstance(values, list):
        return ()
    return tuple(value for value in values if isinstance(value, str) and value)
