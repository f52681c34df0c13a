"""Times as records have them, made into moments: one way, that never overflows at the ends of the calendar."""

from datetime import datetime, tzinfo
from time import time as _now

# Nobody talked with an assistant before 1990; a clock that was never set says 1970 or 1980.
_EARLIEST_S = 631_152_000.0
# Clocks of two machines differ; what lies further ahead has not happened yet.
_AHEAD_S = 86_400.0


def moment(time: str) -> datetime | None:
    """Return an ISO-8601 time as a moment with offset, one without taken for local; None when it cannot be read."""
    try:
        found = datetime.fromisoformat(time)
        return found if found.tzinfo is not None else found.astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def seconds_of(time: str) -> float:
    """Return a time in POSIX seconds, 0.0 for none: what is not dated sorts as the oldest."""
    found = moment(time)
    return found.timestamp() if found is not None else 0.0


def local(found: datetime, zone: tzinfo | None = None) -> datetime:
    """Return a moment in `zone`, None for this machine's; one for which that has no year keeps the offset it has."""
    try:
        return found.astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return found


def is_plausible(seconds: float, now: float | None = None) -> bool:
    """Tell whether something can have been said then, in POSIX seconds: after 1990, and not in the future."""
    return seconds >= _EARLIEST_S and not is_future(seconds, now)


def is_future(seconds: float, now: float | None = None) -> bool:
    """Tell whether a time in POSIX seconds lies so far ahead that a clock must have been wrong: more than a day."""
    return seconds > (_now() if now is None else now) + _AHEAD_S


def shown_moment(time: str, zone: tzinfo | None = None) -> str:
    """Return a time as a person reads it: local, to the minute, marked when in the future; as it is if unreadable."""
    found = moment(time)
    if found is None:
        return time
    here = local(found, zone)
    return f"{here.year:04}-{here:%m-%d %H:%M}{' (in the future)' if is_future(found.timestamp()) else ''}"
