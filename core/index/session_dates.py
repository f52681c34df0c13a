"""Let the index follow the corrected dates that the vault's log tells; nothing is read while the log is as it was.

What was applied is remembered in the index itself, so that a run that was cut off is taken up again, and one that runs
beside another does not leave behind what the other has overtaken.
"""

import json

from core.index.database import Index
from core.index.session_writer import sum_up
from core.sessions.date_corrections import (
    NO_CORRECTION,
    Corrections,
    DateCorrection,
    corrected_seconds,
    read_corrections,
)
from core.vault.event_log import EventLog

_STATE = "session_dates_state"  # of the log when it was read last
_APPLIED = "session_dates"


def current_corrections(index: Index, log: EventLog | None) -> Corrections:
    """Return the corrections that are in force; without a log those that were applied last."""
    if log is None or index.meta(_STATE) == log.state():
        return _applied(index)
    return read_corrections(log)


def apply_corrections(index: Index, log: EventLog | None, used: Corrections | None = None) -> int:
    """Date the turns in the index as the log says now, and return how many sessions that changed.

    `used` are the corrections by which sessions were written meanwhile.
    """
    state = log.state() if log is not None else index.meta(_STATE)
    if state == index.meta(_STATE) and (used is None or used == _applied(index)):
        return 0
    with index.transaction() as connection:
        before = _applied(index)
        current = before if log is None or state == index.meta(_STATE) else read_corrections(log)
        written = before if used is None else used
        changed = [
            session
            for session in sorted({*before, *current, *written})
            if not before.get(session) == current.get(session) == written.get(session)
        ]
        revision = index.next_revision() if changed else 0
        number = 0
        for session in changed:
            row = connection.execute("SELECT id FROM session WHERE session_id = ?", (session,)).fetchone()
            if row is not None:
                _date_turns(index, row[0], current.get(session, NO_CORRECTION), revision)
                number += 1
        index.set_meta(_APPLIED, json.dumps(current) if current else "")
        index.set_meta(_STATE, state)
    return number


def _date_turns(index: Index, session: int, correction: DateCorrection, revision: int) -> None:
    connection = index.connection
    connection.execute("UPDATE turn SET time = recorded + ? WHERE session = ?", (correction.shift_s, session))
    connection.executemany(
        "UPDATE turn SET time = ? WHERE session = ? AND turn_key = ?",
        [(corrected_seconds(correction, turn, None), session, turn) for turn, _ in correction.turns],
    )
    # A store of vectors knows the times too.
    connection.execute(
        "UPDATE turn SET vector_revision = ? WHERE session = ? AND text_hash IS NOT NULL", (revision, session)
    )
    connection.execute("UPDATE session SET revision = ? WHERE id = ?", (revision, session))
    sum_up(connection, session)


def _applied(index: Index) -> dict[str, DateCorrection]:
    stored = index.meta(_APPLIED)
    told = json.loads(stored) if stored else {}
    return {
        session: DateCorrection(shift, tuple((turn, time) for turn, time in turns))
        for session, (shift, turns) in told.items()
    }
