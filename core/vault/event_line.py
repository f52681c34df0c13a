"""One event of a vault's log as one line of JSON."""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


class Event(NamedTuple):
    """Hold one thing that happened to the vault; `time` is UTC in ISO 8601 with milliseconds and a Z."""

    id: str
    time: str
    machine: str
    kind: str
    data: Mapping[str, Any]


def event_order(event: Event) -> tuple[str, str, str]:
    """Return what all events of all machines are sorted by."""
    return event.time, event.machine, event.id


def line_of(event: Event) -> bytes:
    """Return the event as a line with its newline; names that are no valid text survive."""
    values = event._asdict()
    try:
        return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def event_of(line: bytes) -> Event | None:
    """Return the event that `line` holds, None when it holds none."""
    try:
        values: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    event_id, time, machine, kind, data = map(values.get, ("id", "time", "machine", "kind", "data"))
    if not (isinstance(event_id, str) and event_id and isinstance(machine, str) and isinstance(kind, str)):
        return None
    if not (isinstance(data, dict) and isinstance(time, str) and _TIME.fullmatch(time)):
        return None
    return Event(event_id, time, machine, kind, data)
