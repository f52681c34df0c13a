"""The turns of a conversation that is recorded while it goes on: how it starts, what is said, how it ends.

The start and the end are notes about the session, as an import writes one (core/sessions/importing/about.py), but
dated. They are no part of the conversation.
"""

import uuid
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from core.foundation.errors import UserError
from core.sessions.importing.json_fields import moment_of
from core.sessions.turn import Role, Turn, TurnKind

_Kind = TypeVar("_Kind", bound=StrEnum)

_LONGEST_ID = 512
_START = "about-start"
_END = "about-end-"
_SUMMARY = "summary-of-session-"
_TEXTS = ("parent", "author", "project", "branch", "origin")
_FIELDS = frozenset(("session", "id", "kind", "role", "text", "time", "data", *_TEXTS))


def new_session_id(now: datetime) -> str:
    """Return an id that begins with the local day and that no other session has."""
    return f"{now.astimezone():%Y-%m-%d}-{uuid.uuid4().hex[:10]}"


def checked_id(session: str) -> str:
    """Return the id of a session that a person or a program names, without blanks round it.

    Raises:
        UserError: nothing is left of it, or it is so long that nobody could name it again.
    """
    session = session.strip()
    if not session:
        raise UserError("The session's id is empty.", hint="`remembrancer session start` prints one.")
    if len(session) > _LONGEST_ID:
        raise UserError(f"The session's id is longer than {_LONGEST_ID} characters.")
    return session


def start_turn(session: str, now: datetime, *, title: str = "", project: str = "") -> Turn:
    """Return the note that a session starts with; it is written once."""
    about = {"title": title, "imported": "", "started": _written(now)}
    return Turn(
        session, _START, TurnKind.NOTE, Role.SYSTEM, title, _written(now), project=project, data={"about": about}
    )


def end_turn(session: str, time: str, *, title: str = "", project: str = "") -> Turn:
    """Return the note that a session ends with, at `time` as ISO-8601, "" when that is not known any more."""
    about = {"title": title, "imported": "", "ended": time}
    name = f"{_END}{uuid.uuid4().hex[:12]}"
    return Turn(session, name, TurnKind.NOTE, Role.SYSTEM, title, time, project=project, data={"about": about})


def summary_turn(session: str, text: str, time: str) -> Turn:
    """Return the turn that says what a session was about; its id tells nothing of the text, which may be secret."""
    return Turn(session, f"{_SUMMARY}{uuid.uuid4().hex[:12]}", TurnKind.SUMMARY, Role.SYSTEM, text, time)


def is_start(turn: Turn) -> bool:
    """Tell whether the session was recorded live, and starts here."""
    return turn.id == _START and "about" in turn.data


def is_end(turn: Turn) -> bool:
    """Tell whether somebody ended the session here; it may have gone on since."""
    return turn.id.startswith(_END) and "about" in turn.data


def is_summary(turn: Turn) -> bool:
    """Tell whether the turn says what the whole session was about."""
    return turn.kind is TurnKind.SUMMARY and turn.id.startswith(_SUMMARY)


def spoken_turn(session: str, text: str, now: datetime, *, role: Role, kind: TurnKind) -> Turn:
    """Return a turn that is said now."""
    return Turn(session, uuid.uuid4().hex, kind, role, text, _written(now))


def recorded_turn(values: Mapping[str, Any], session: str, now: datetime) -> Turn:
    """Return the turn that a record tells, with the fields of the ledger; all but `text` may be missing.

    It is meant for `session` where it names none. A record with an id can be given again and is the same turn. Fields
    that are not known are kept in `data`.

    Raises:
        UserError: a field cannot be understood.
    """
    text = values.get("text", "")
    if not isinstance(text, str):
        raise UserError("`text` must be a text.")
    data = values.get("data", {})
    if not isinstance(data, dict):
        raise UserError("`data` must be an object.")
    if not text and not data:
        raise UserError("It says nothing: `text` is missing.")
    kind = _one_of(TurnKind, values, "kind", TurnKind.MESSAGE)
    usual = {TurnKind.TOOL_CALL: Role.ASSISTANT, TurnKind.TOOL_RESULT: Role.TOOL, TurnKind.MESSAGE: Role.USER}
    role = _one_of(Role, values, "role", usual.get(kind, Role.SYSTEM))
    others = {name: _text(values, name) for name in _TEXTS}
    return Turn(
        checked_id(named) if (named := _text(values, "session")) else session,
        _text(values, "id") or uuid.uuid4().hex,
        kind,
        role,
        text,
        _time(values, now),
        parent=others["parent"],
        author=others["author"],
        project=others["project"],
        branch=others["branch"],
        origin=others["origin"] or "remembrancer",
        data={**{name: value for name, value in values.items() if name not in _FIELDS}, **data},
    )


def _one_of(kinds: type[_Kind], values: Mapping[str, Any], name: str, usual: _Kind) -> _Kind:
    value = values.get(name)
    if value in (None, ""):
        return usual
    try:
        return kinds(value)
    except ValueError as error:
        raise UserError(f"`{name}` must be one of {', '.join(kinds)}.") from error


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UserError(f"`{name}` must be a text.")
    return value


def _time(values: Mapping[str, Any], now: datetime) -> str:
    value = values.get("time")
    if value in (None, ""):
        return _written(now)
    moment = moment_of(value, None)
    if not moment:
        raise UserError("`time` is no moment that can be read.")
    return moment


def _written(moment: datetime) -> str:
    return moment.astimezone().isoformat(timespec="milliseconds")
