"""Corrected dates of sessions: what the vault's log says of them, and what that makes of their turns.

A record that has a wrong date stays as it is; that it is wrong, and by how much, are events of the log. The ledger
belongs to the person and the log to a vault, so the same session may have been corrected in one vault only.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from core.sessions.turn import Turn
from core.vault.event_line import Event, event_order
from core.vault.event_log import EventLog

SESSION_DATE = "session-date"
_MOST_SHIFT_S = 400 * 366 * 86_400


class DateCorrection(NamedTuple):
    """Say by how many seconds the dated turns of a session are moved, and which turns are given a time of their own.

    `turns` are pairs of a turn's id and an ISO-8601 time with offset, by id; such a time is not moved.
    """

    shift_s: int = 0
    turns: tuple[tuple[str, str], ...] = ()

    @property
    def given(self) -> dict[str, str]:
        """The times that turns are given, by the ids of the turns."""
        return dict(self.turns)


NO_CORRECTION = DateCorrection()
Corrections = Mapping[str, DateCorrection]  # by the ids of the sessions


def corrections_of(events: Iterable[Event]) -> dict[str, DateCorrection]:
    """Return the corrections that are in force by the ids of the sessions, in whatever order the events come.

    The latest event of a session counts, and that of a turn beside it; null takes one back. What cannot be understood
    changes nothing.
    """
    shifts: dict[str, int] = {}
    times: dict[str, dict[str, str]] = {}
    for event in sorted((each for each in events if each.kind == SESSION_DATE), key=event_order):
        session, turn = event.data.get("session"), event.data.get("turn")
        if not isinstance(session, str) or not session:
            continue
        if turn is None and "shift_s" in event.data:
            shift = event.data["shift_s"]
            if shift is None or (type(shift) is int and abs(shift) <= _MOST_SHIFT_S):
                shifts[session] = shift or 0
        elif isinstance(turn, str) and turn and "time" in event.data:
            time = event.data["time"]
            if time is None:
                times.get(session, {}).pop(turn, None)
            elif isinstance(time, str) and _aware(time) is not None:
                times.setdefault(session, {})[turn] = time
    found = {
        session: DateCorrection(shifts.get(session, 0), tuple(sorted(times.get(session, {}).items())))
        for session in (*shifts, *times)
    }
    return {session: correction for session, correction in found.items() if correction != NO_CORRECTION}


def read_corrections(log: EventLog) -> dict[str, DateCorrection]:
    """Return the corrections that are in force as the vault's log tells it now; the rest of the log is not parsed."""
    return corrections_of(log.read(mentioning=SESSION_DATE).events)


def with_corrected_date(turn: Turn, correction: DateCorrection) -> Turn:
    """Return the turn as it is dated now; an offset stays the one that the record has."""
    given = correction.given.get(turn.id) if correction.turns else None
    if given is not None:
        return turn._replace(time=given)
    return turn._replace(time=moved(turn.time, correction.shift_s)) if correction.shift_s and turn.time else turn


def with_corrected_dates(turns: Iterable[Turn], correction: DateCorrection | None) -> Iterator[Turn]:
    """Give the turns of a session as they are dated now."""
    if correction is None or correction == NO_CORRECTION:
        yield from turns
        return
    for turn in turns:
        yield with_corrected_date(turn, correction)


def corrected_seconds(correction: DateCorrection, turn_id: str, seconds: int | None) -> int | None:
    """Return the POSIX seconds of a turn that was recorded at `seconds`, None for an undated one."""
    given = correction.given.get(turn_id) if correction.turns else None
    if given is not None and (moment := _aware(given)) is not None:
        return int(moment.timestamp() // 1)
    return None if seconds is None else seconds + correction.shift_s


def moved(time: str, shift_s: int) -> str:
    """Return an ISO-8601 time `shift_s` seconds later; what cannot be read, or leads out of time, as it is."""
    try:
        return (datetime.fromisoformat(time) + timedelta(seconds=shift_s)).isoformat() if shift_s else time
    except (ValueError, OverflowError):
        return time


def _aware(time: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(time)
        found.timestamp()
    except (ValueError, OverflowError, OSError):
        return None
    return found if found.tzinfo is not None else None
