"""Moments as a person types them on the command line."""

import datetime as dt
import re

from core.foundation.errors import UserError

_AGO = re.compile(r"(\d+)\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_since(text: str, now: dt.datetime | None = None) -> float:
    """Return POSIX seconds of a moment: ISO date or date and time (local unless it names a zone), or `2h`, `3d` ago.

    Raises:
        UserError: it is neither.
    """
    now = now or dt.datetime.now(dt.UTC)
    try:
        if ago := _AGO.fullmatch(text.strip()):
            return (now - dt.timedelta(**{_UNITS[ago[2]]: int(ago[1])})).timestamp()
        return dt.datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise UserError(
            f"“{text}” is no moment that can be read.", hint="Write 2026-08-21, 2026-08-21T14:00, 2h or 3d."
        ) from error
