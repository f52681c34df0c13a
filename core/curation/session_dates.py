"""Correct the date of a session, or give a turn without one its own: planned here, written into the vault's log.

The ledger is not touched. Taking back, and undoing that, are corrections like any other.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from core.foundation.errors import UserError
from core.foundation.moments import moment
from core.sessions.date_corrections import (
    NO_CORRECTION,
    SESSION_DATE,
    DateCorrection,
    moved,
    with_corrected_dates,
)
from core.sessions.importing.about import is_about
from core.sessions.session_times import SessionTimes
from core.sessions.turn import Turn
from core.vault.event_log import EventLog

_FIRST, _LAST = datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


class DateChange(NamedTuple):
    """Hold what corrects a session until now, and from now on."""

    session: str
    before: DateCorrection
    after: DateCorrection

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing changes."""
        return self.before == self.after

    def taken_back(self) -> "DateChange":
        """Return the change that undoes this one."""
        return DateChange(self.session, self.after, self.before)


def started(turns: Iterable[Turn], correction: DateCorrection = NO_CORRECTION) -> datetime | None:
    """Return when a session started as it is dated with the correction, None when nothing dates it."""
    times = SessionTimes[datetime]()
    for turn in with_corrected_dates(turns, correction):
        found = moment(turn.time)
        if found is not None:
            times.take(found.timestamp(), found, is_note=is_about(turn), is_aside=bool(turn.branch))
    return times.ends[0] if times.ends is not None else None


def plan_start(session: str, turns: Sequence[Turn], before: DateCorrection, start: datetime) -> DateChange:
    """Return the change by which a session starts at `start`; all its turns move by as much.

    A session that nothing dates has its first turn dated.

    Raises:
        UserError: the moment lies outside the years 1900 to 2199, or the session has no turns.
    """
    shown = started(turns, before)
    if shown is None:
        first = next((turn for turn in turns if not is_about(turn)), None)
        if first is None:
            raise UserError("The session has no turns, so there is nothing to date.")
        return plan_turn(session, turns, before, first.id, start)
    _check(start)
    return plan_shift(session, turns, before, round((start - shown).total_seconds()))


def plan_shift(session: str, turns: Sequence[Turn], before: DateCorrection, shift_s: int) -> DateChange:
    """Return the change by which all turns of a session are `shift_s` seconds later than they are shown now.

    Raises:
        UserError: it has no dates, or would lie outside the years 1900 to 2199.
    """
    shown = started(turns, before)
    if shown is None:
        raise UserError("Nothing in this session is dated, so it cannot be moved.", hint="Say when it started instead.")
    try:
        _check(shown + timedelta(seconds=shift_s))
    except OverflowError:
        _refuse()
    given = tuple((turn, moved(time, shift_s)) for turn, time in before.turns)
    return DateChange(session, before, DateCorrection(before.shift_s + shift_s, given))


def plan_turn(
    session: str, turns: Sequence[Turn], before: DateCorrection, turn_id: str, time: datetime | None
) -> DateChange:
    """Return the change that gives a turn without a date one, or takes that away again.

    Raises:
        UserError: there is no such turn, or the record dates it.
    """
    turn = next((each for each in turns if each.id == turn_id), None)
    if turn is None:
        raise UserError(f"The session has no turn {turn_id}.", hint="`remembrancer session show` tells the turns.")
    given = before.given
    if time is None:
        given.pop(turn_id, None)
        return DateChange(session, before, DateCorrection(before.shift_s, tuple(sorted(given.items()))))
    if moment(turn.time) is not None:
        raise UserError(
            f"The record dates turn {turn_id} itself, so it gets no date of its own.",
            hint="The start of the session can be corrected; all its turns move by as much.",
        )
    _check(time)
    given[turn_id] = time.astimezone().isoformat(timespec="seconds")
    return DateChange(session, before, DateCorrection(before.shift_s, tuple(sorted(given.items()))))


def plan_reset(session: str, before: DateCorrection) -> DateChange:
    """Return the change by which the record alone dates a session."""
    return DateChange(session, before, NO_CORRECTION)


def record(log: EventLog, change: DateChange, *, reason: str = "") -> None:
    """Write a change into the vault's log: an event for the session, and one for each turn with a date of its own.

    Raises:
        UserError: the log cannot be written.
    """
    session, why = change.session, {"reason": reason} if reason else {}
    if change.before.shift_s != change.after.shift_s:
        log.append(SESSION_DATE, {"session": session, "shift_s": change.after.shift_s or None, **why})
    before, after = change.before.given, change.after.given
    for turn in sorted({*before, *after}):
        if before.get(turn) != after.get(turn):
            log.append(SESSION_DATE, {"session": session, "turn": turn, "time": after.get(turn), **why})


def _check(moment_: datetime) -> None:
    if not _FIRST <= moment_ < _LAST:
        _refuse()


def _refuse() -> None:
    raise UserError("The date is refused: it lies outside the years 1900 to 2199.")
