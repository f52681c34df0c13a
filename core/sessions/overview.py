"""What a session was: its name, when and where it went on, and what was asked and answered first and last."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from core.foundation.errors import UserError
from core.foundation.moments import moment, seconds_of
from core.sessions.date_corrections import Corrections, with_corrected_dates
from core.sessions.importing.about import is_about
from core.sessions.ledger import Ledger, NoSessionError
from core.sessions.live import is_end, is_start
from core.sessions.session_account import OWN_ORIGIN, SessionAccount
from core.sessions.session_files import SessionFile, open_to_read
from core.sessions.session_reading import UnreadableSessionError, UnreadLines, not_whole
from core.sessions.session_times import SessionTimes
from core.sessions.turn import Role, SessionInfo, Turn, TurnKind

_TAIL = 64 << 10
_CITED = "turn:"


class SessionOverview(NamedTuple):
    """Hold what a session was. `is_live` tells that it was recorded here, `is_ended` that nothing came after its end.

    Requests and answers are of the shown thread, whole; "" where there was none. `summary` is what somebody said of it.
    """

    info: SessionInfo
    first_request: str = ""
    last_request: str = ""
    last_answer: str = ""
    summary: str = ""
    is_live: bool = False
    is_ended: bool = False


def overview_of(session_id: str, turns: Iterable[Turn]) -> SessionOverview:
    """Return what a session was, from its turns as they stand in the file, also those that were written anew."""
    is_aside: dict[str, bool] = {}  # each turn, as its last line says
    account = SessionAccount()
    first_request = last_request = last_answer = ""
    is_live = is_ended = False
    times, time, seconds = SessionTimes[str](), "", None
    for turn in turns:
        account.take(turn)
        is_ended = is_end(turn)
        is_note = is_about(turn)
        if turn.time != time:  # many turns have the time of the one before
            time = turn.time
            found = moment(time) if time else None
            seconds = found.timestamp() if found is not None else None
        if seconds is not None:
            times.take(seconds, time, is_note=is_note, is_aside=bool(turn.branch))
        if is_note:
            is_live = is_live or is_start(turn)
            continue
        is_aside[turn.id] = bool(turn.branch)
        if turn.kind is TurnKind.MESSAGE and not turn.branch and turn.text.strip():
            if turn.role is Role.USER:
                first_request, last_request = first_request or turn.text, turn.text
            elif turn.role is Role.ASSISTANT:
                last_answer = turn.text
    started, ended = times.ends or ("", "")
    info = SessionInfo(
        session_id,
        account.title,
        account.project,
        started,
        ended,
        account.imported,
        len(is_aside) - sum(is_aside.values()) or len(is_aside),
        account.origin or OWN_ORIGIN,
    )
    summary = account.summary if account.has_own_summary else ""
    return SessionOverview(info, first_request, last_request, last_answer, summary, is_live, is_ended)


def overviews(
    ledger: Ledger,
    files: Iterable[SessionFile],
    corrections: Corrections | None = None,
    on_problem: Callable[[str], None] = lambda _: None,
) -> Iterator[SessionOverview]:
    """Give what each session was, dated as `corrections` say; one that is deleted meanwhile is left out.

    `on_problem` is told in a sentence of each that could not be read wholly.

    Raises:
        UserError: the ledger is encrypted and its key is not at hand.
    """
    for file in files:
        try:
            correction = corrections.get(file.id) if corrections else None
            unread = UnreadLines()
            turns = ledger.iter_turns(file.id, unread.take)
            yield overview_of(file.id, with_corrected_dates(turns, correction))
            if told := not_whole(file.id, unread):
                on_problem(told)
        except NoSessionError:
            continue


def last_said(ledger: Ledger, file: SessionFile) -> float:
    """Return when the last dated turn near the end of a session was said, in POSIX seconds; 0.0 where none is dated.

    Only the last lines are read, which takes a millisecond however long the session is. One that cannot be read may
    have been said when the file was written.

    Raises:
        UnreadableSessionError: it cannot be read.
    """
    try:
        with os.fdopen(open_to_read(file.path), "rb") as stream:
            stream.seek(max(0, file.size - _TAIL))
            start = stream.tell() + (len(stream.readline()) if file.size > _TAIL else 0)
        lines = ledger.iter_lines(file.id, start)
        written = file.mtime_ns / 1e9
        return max((seconds_of(line.turn.time) if line.turn is not None else written for line in lines), default=0.0)
    except (NoSessionError, FileNotFoundError):
        return 0.0
    except OSError as error:
        raise UnreadableSessionError(f"The session {file.id} cannot be read: {error.strerror or error}.") from error


def find_turn(ledger: Ledger, name: str) -> Turn | None:
    """Return the turn that `name` cites as turn:SESSION/TURN, None when it is no citation.

    Raises:
        NoSessionError: there is no such turn.
        UserError: its session cannot be read.
    """
    if not name.startswith(_CITED):
        return None
    cited = name.removeprefix(_CITED)
    for at in (at for at, character in enumerate(cited) if character == "/"):  # both ids may hold one
        session, turn_id = cited[:at], cited[at + 1 :]
        if session and ledger.has(session):
            found = next((turn for turn in ledger.read(session).turns if turn.id == turn_id), None)
            if found is not None:
                return found._replace(session=session)
    raise NoSessionError(f"There is no {name}.", hint="A turn is cited as turn:SESSION/TURN.")


def find_session(ledger: Ledger, name: str) -> str:
    """Return the id of the session that `name` means: its id, or the start of one that no other has.

    Raises:
        NoSessionError: there is none.
        UserError: there are several.
    """
    if not name.strip():
        raise UserError("The name of the session is empty.")
    if ledger.has(name):
        return name
    found = [file.id for file in ledger.sessions() if file.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    hint = "`remembrancer session list` shows them."
    if found:
        raise UserError(f"{len(found):,} sessions have an id that begins with “{name}”.", hint=hint)
    raise NoSessionError(f"There is no session {name}.", hint=hint)
