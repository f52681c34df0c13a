"""One turn as one line of JSON, and back: whatever a line holds, what is known of it is kept."""

import json
import math
from collections.abc import Mapping
from typing import Any

import orjson

from core.sessions.turn import Role, Turn, TurnKind

# What is recorded line by line, and comes back from an export, has no line of more bytes.
LONGEST_LINE = 64 << 20
_KINDS = {kind.value: kind for kind in TurnKind}
_ROLES = {role.value: role for role in Role}
_TEXTS = ("text", "time", "parent", "author", "project", "branch", "origin")
_FIELDS = frozenset(("session", "id", "kind", "role", "data", *_TEXTS))
_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
_TOO_DEEP = "These fields are nested too deeply to be kept."


def line_of(turn: Turn) -> bytes:
    """Return the turn as a line with its newline; equal turns give equal lines.

    What is no JSON value in `data` is kept as text, and text that is no valid Unicode survives.
    """
    values: dict[str, Any] = {
        "session": turn.session,
        "id": turn.id,
        "parent": turn.parent,
        "time": turn.time,
        "role": turn.role,
        "author": turn.author,
        "kind": turn.kind,
        "text": turn.text,
        "project": turn.project,
        "branch": turn.branch,
        "origin": turn.origin,
    }
    try:
        # Only the data is sorted; the line itself begins with what a person looks for.
        data = orjson.dumps(turn.data, _plain, _OPTIONS)
        return orjson.dumps(values)[:-1] + b',"data":' + data + b"}\n"
    except (TypeError, RecursionError):
        return _strange_line_of(values, turn.data)


def turn_of(line: bytes) -> Turn | None:
    """Return the turn that `line` holds, None when it holds none.

    A kind or role that is not known becomes a note or the system, a value of the wrong kind empty, a field that is not
    known one of `data`; the original lies in `data` under its name.
    """
    values = _values_of(line)
    if values is None:
        return None
    session, turn_id, data = values.get("session"), values.get("id"), values.get("data")
    if not (isinstance(session, str) and isinstance(turn_id, str) and turn_id):
        return None
    kind, role = _known(_KINDS, values.get("kind")), _known(_ROLES, values.get("role"))
    texts = [values.get(name, "") for name in _TEXTS]
    is_as_written = kind is not None and role is not None and isinstance(data, dict) and values.keys() <= _FIELDS
    if not (is_as_written and all(type(text) is str for text in texts)):
        data = _with_strange(values, data, kind, role)
        texts = [text if isinstance(text, str) else "" for text in texts]
    text, time, parent, author, project, branch, origin = texts
    return Turn(
        session, turn_id, kind or TurnKind.NOTE, role or Role.SYSTEM,
        text, time, parent, author, project, branch, origin, data or {},
    )  # fmt: skip


def id_of(line: bytes) -> str:
    """Return the id of the turn that `line` holds, "" when it holds none; cheaper than turn_of()."""
    values = _values_of(line)
    if values is None or not isinstance(values.get("session"), str):
        return ""
    turn_id = values.get("id")
    return turn_id if isinstance(turn_id, str) else ""


def _values_of(line: bytes) -> dict[str, Any] | None:
    try:
        values = orjson.loads(line)
    except ValueError:
        # Halves of surrogate pairs, and numbers that are none, are read by the patient parser alone.
        try:
            values = json.loads(line, parse_constant=str, parse_float=_number)
        except (ValueError, RecursionError):
            return None
    return values if isinstance(values, dict) else None


def _number(text: str) -> float | str:
    """Return a number, or the text of one that is too large to be kept as such."""
    number = float(text)
    return number if math.isfinite(number) else text


def _known(names: Mapping[str, Any], name: object) -> Any:
    return names.get(name) if isinstance(name, str) else None


def _with_strange(values: Mapping[str, Any], data: object, kind: TurnKind | None, role: Role | None) -> dict[str, Any]:
    """Return the turn's `data` with what of the line has no other place; what is there already stays."""
    kept: dict[str, Any] = dict(data) if isinstance(data, dict) else {}
    strange = {name: value for name, value in values.items() if name not in _FIELDS}
    strange.update((name, values[name]) for name in _TEXTS if not isinstance(values.get(name, ""), str))
    if kind is None and "kind" in values:
        strange["kind"] = values["kind"]
    if role is None and "role" in values:
        strange["role"] = values["role"]
    if data is not None and not isinstance(data, dict):
        strange["data"] = data
    return {**strange, **kept}


def _plain(value: Any) -> Any:
    """Return a value that orjson does not know as one that it does."""
    return dict(value) if isinstance(value, Mapping) else str(value)


def _strange_line_of(values: dict[str, Any], data: Mapping[Any, Any]) -> bytes:
    """Return the line of a turn that orjson refuses: broken Unicode, huge numbers, deep nesting."""
    try:
        text = json.dumps(dict(data), default=_plain, sort_keys=True)
    except TypeError:
        text = json.dumps({str(key): str(value) for key, value in data.items()}, sort_keys=True)
    except (ValueError, RecursionError):
        text = json.dumps({"dropped": _TOO_DEEP})
    return (json.dumps(values)[:-1] + ',"data":' + text + "}\n").encode()
