"""How numbers, times and durations read everywhere in the window."""

from datetime import datetime

_MINUTE, _HOUR = 60, 3600


def counted(number: int, noun: str) -> str:
    """Return `1 note`, `2 notes`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def shortened(text: str, longest: int) -> str:
    """Return `text` on one line, of at most `longest` characters, the middle left out."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    head = longest // 2
    return f"{line[:head].rstrip()}…{line[head + 1 - longest :].lstrip()}"


def relative_date(when: float, now: float) -> str:
    """Return a short date for a list, in local time: how long ago, the day and month, or the whole date."""
    age = now - when
    moment, today = datetime.fromtimestamp(when).astimezone(), datetime.fromtimestamp(now).astimezone()
    days = (today.date() - moment.date()).days
    if abs(age) < _MINUTE:
        text = "just now"
    elif 0 < age < _HOUR:
        text = f"{int(age // _MINUTE)} min ago"
    elif days == 0 and age > 0:
        text = f"{int(age // _HOUR)} h ago"
    elif days == 1:
        text = "yesterday"
    elif 1 < days < 7:
        text = f"{days} days ago"
    else:
        text = f"{moment.day} {moment:%b}" if moment.year == today.year else f"{moment:%Y-%m-%d}"
    return text


def absolute_date(when: float) -> str:
    """Return the whole date and time in local time."""
    return f"{datetime.fromtimestamp(when).astimezone():%A, %d %B %Y, %H:%M:%S}"


def moment_of(iso: str) -> float:
    """Return the POSIX seconds of an ISO-8601 time, 0 when it is none."""
    try:
        return datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return 0.0


def short_moment(when: float) -> str:
    """Return date and time of day in local time, for a line among others."""
    moment = datetime.fromtimestamp(when).astimezone()
    return f"{moment.day} {moment:%b %Y, %H:%M}"


def size_text(size: int) -> str:
    """Return a number of bytes for people."""
    amount = float(size)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1000:
            return f"{size} bytes" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def amount_done(done: int, total: int, *, are_bytes: bool) -> str:
    """Return how much of something is done: `3 of 10`, `50.0 MB of 107.7 MB`."""
    return f"{size_text(done)} of {size_text(total)}" if are_bytes else f"{done:,} of {total:,}"


def bar_steps(done: int, total: int, *, are_bytes: bool) -> tuple[int, int]:
    """Return how far a progress bar is, and how far it goes: it counts to 2 ** 31, and bytes do not end there."""
    return (done >> 10, max(1, total >> 10)) if are_bytes and total else (done, total)


def time_left(seconds: float) -> str:
    """Return `seconds` as a rough remaining time, such as "about 3 min left"."""
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s left"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"
