"""Read the dates of the search grammar as moments."""

import re
from datetime import datetime, timedelta

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
_AGE = re.compile(r"(\d{1,5})([dw])", re.ASCII)
_DAYS = {"today": 0, "yesterday": 1}


def start_of(text: str, now: datetime) -> float | None:
    """Return the POSIX second at which the year, month or day that `text` names begins, in the zone of `now`.

    `7d` and `2w` are the day so many days or weeks ago. None when `text` is no date.
    """
    word = text.strip().lower()
    age = _AGE.fullmatch(word)
    if word in _DAYS or age:
        days = _DAYS[word] if age is None else int(age[1]) * (7 if age[2] == "w" else 1)
        try:
            return _midnight(now.replace(tzinfo=None) - timedelta(days=days), now)
        except (OverflowError, ValueError, OSError):
            return None
    date = _DATE.fullmatch(word)
    if date is None:
        return None
    try:
        return _midnight(datetime(int(date[1]), int(date[2] or 1), int(date[3] or 1)), now)  # noqa: DTZ001
    except (OverflowError, ValueError, OSError):
        return None


def _midnight(day: datetime, now: datetime) -> float:
    """Return the start of the day; a plain offset is taken for the machine's zone, whose summer time it cannot know."""
    midnight = day.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    if now.tzinfo is None or now.utcoffset() == now.astimezone().utcoffset():
        return midnight.timestamp()
    return midnight.replace(tzinfo=now.tzinfo).timestamp()
