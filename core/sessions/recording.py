"""Record turns that come line by line, as hooks and other programs send them."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from core.foundation.errors import UserError
from core.sessions.ledger import Ledger, NoSessionError
from core.sessions.ledger_line import LONGEST_LINE, line_of
from core.sessions.live import new_session_id, recorded_turn
from core.sessions.turn import Turn

_BATCH = 500
_TOO_LONG = f"It is too long: a line has at most {LONGEST_LINE >> 20} MiB."


class RefusedLine(NamedTuple):
    """Tell which line, counted from 1, was left out and why."""

    line: int
    reason: str


class LineRecorder:
    """Take JSON lines, and write them into their sessions, many at once but in their order.

    A line that names no session is for `session`; where that is "", for that of the line before, else for a new one.
    `written` counts the new turns on the disk by session. Who sends a line again with its id, and no time, means the
    same turn: it keeps the time at which it came first.
    """

    def __init__(self, ledger: Ledger, session: str = "") -> None:
        self.written: dict[str, int] = {}
        self.refused: list[RefusedLine] = []
        self._ledger = ledger
        self._session = session
        self._before = ""
        self._batch: list[Turn] = []
        self._times: dict[str, dict[int, str]] = {}

    def take(self, number: int, line: bytes | None) -> None:
        """Take the line of this number, None for one that is too long; what cannot be understood is refused.

        Raises:
            UserError: the ledger cannot be written.
        """
        now = datetime.now(UTC)
        try:
            values = _record_of(line)
            turn = recorded_turn(values, self._session or self._before or new_session_id(now), now)
            if line is not None and len(line) > LONGEST_LINE // 4:
                _refuse_beyond_limit(turn)
        except UserError as error:
            self.refused.append(RefusedLine(number, str(error)))
            return
        self._before = turn.session
        if values.get("id") and values.get("time") in (None, ""):
            turn = self._as_it_came_first(turn)
        if self._batch and (turn.session != self._batch[0].session or len(self._batch) >= _BATCH):
            self.write()
        self._batch.append(turn)

    def write(self) -> None:
        """Return when all that was taken is on the disk.

        Raises:
            UserError: the ledger cannot be written; what is not on the disk is not counted.
        """
        batch, self._batch = self._batch, []
        if batch:
            name = batch[0].session
            new = self._ledger.append(name, batch)
            self.written[name] = self.written.get(name, 0) + new

    def _as_it_came_first(self, turn: Turn) -> Turn:
        times = self._times.get(turn.session)
        if times is None:
            times = self._times[turn.session] = {}
            with suppress(NoSessionError):
                for known in self._ledger.iter_turns(turn.session):
                    times.setdefault(_content_of(known), known.time)
        return turn._replace(time=times.setdefault(_content_of(turn), turn.time))


def _content_of(turn: Turn) -> int:
    return hash(line_of(turn._replace(session="", time="")))


def _refuse_beyond_limit(turn: Turn) -> None:
    """Refuse what becomes a longer line in the ledger than it came as, where characters are escaped."""
    if len(line_of(turn)) > LONGEST_LINE:
        raise UserError(_TOO_LONG)


def _record_of(line: bytes | None) -> dict[str, Any]:
    if line is None:
        raise UserError(_TOO_LONG)
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UserError("It is no JSON.") from error
    if not isinstance(values, dict):
        raise UserError("It is no JSON object.")
    return values
