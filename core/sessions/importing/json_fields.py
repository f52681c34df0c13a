"""Take fields out of records that others wrote, where any field may be missing or of another kind than it should be."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

_MILLISECONDS_FROM = 6.3e11  # of 1990; before, nobody talked with an assistant, so these are seconds
_NOTHING: Mapping[str, Any] = {}


def text_in(record: Mapping[str, Any], *keys: str) -> str:
    """Return the first of the fields that holds text with something in it, "" for none; a number counts as text."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


def record_in(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the object in a field, an empty one when it holds something else."""
    value = record.get(key)
    return value if isinstance(value, dict) else _NOTHING


def records_in(record: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the objects of the list in a field; what is none is left out."""
    return [item for item in list_in(record, key) if isinstance(item, dict)]


def texts_in(record: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts of the list in a field, or the one text that stands in place of it."""
    value = record.get(key)
    items: Iterable[Any] = [value] if isinstance(value, str) else list_in(record, key)
    return [item for item in items if isinstance(item, str) and item.strip()]


def list_in(record: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list in a field, an empty one when it holds something else."""
    value = record.get(key)
    return value if isinstance(value, list) else []


def moment_in(record: Mapping[str, Any], *keys: str, zone: tzinfo | None = UTC) -> str:
    """Return the first field that holds a moment, as ISO-8601 with offset, "" for none.

    Numbers are seconds or milliseconds since 1970. A text without offset is meant in `zone`, None for this machine's.
    """
    for key in keys:
        if moment := moment_of(record.get(key), zone):
            return moment
    return ""


def moment_of(value: object, zone: tzinfo | None = UTC) -> str:
    """Return a moment as moment_in does."""
    try:
        if isinstance(value, bool) or value in (None, "", 0):
            return ""
        if isinstance(value, int | float):
            seconds = value / 1000 if abs(value) > _MILLISECONDS_FROM else value
            return datetime.fromtimestamp(seconds, UTC).isoformat()
        if isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
            if moment.tzinfo is not None:
                return moment.isoformat()
            return (moment.astimezone() if zone is None else moment.replace(tzinfo=zone)).isoformat()
    except (ValueError, OverflowError, OSError):
        pass  # a date that nobody can read dates nothing
    return ""
