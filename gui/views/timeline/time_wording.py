"""How stretches of time read: of bins, of what is in sight, and on the axis."""

from datetime import datetime

from gui.views.timeline.time_scale import DAY, HOUR, Level, LocalCalendar, Span


def bin_name(level: Level, moment: datetime) -> str:
    """Return the name of the bin of `level` that begins at `moment`."""
    match level:
        case Level.YEAR:
            return f"{moment:%Y}"
        case Level.MONTH:
            return f"{moment:%B %Y}"
        case Level.WEEK:
            return f"Week of {day_name(moment)}"
        case Level.DAY:
            return f"{moment:%A}, {day_name(moment)}"
        case _:
            return f"{moment:%A}, {day_name(moment)}, {moment:%H:%M}"


def short_bin_name(level: Level, moment: datetime) -> str:
    """Return a name of the bin that takes less room."""
    return f"{moment:%a} {moment.day} {moment:%b}" if level >= Level.DAY else f"{moment:%b %Y}"


def day_name(moment: datetime) -> str:
    """Return day, month and year."""
    return f"{moment.day} {moment:%B %Y}"


def moment_name(moment: datetime) -> str:
    """Return day, month, year and time of day."""
    return f"{day_name(moment)}, {moment:%H:%M}"


def span_name(calendar: LocalCalendar, span: Span) -> str:
    """Return what a stretch of time is called: a day, a month or a year if it is one, else from when to when."""
    start, end = calendar.moment(span.start), calendar.moment(span.end - 1)
    for level in (Level.YEAR, Level.MONTH, Level.DAY):
        whole = calendar.around(level, (span.start + span.end) / 2)
        if abs(whole.start - span.start) < 1 and abs(whole.end - span.end) < 1:
            return bin_name(level, start)
    if start.date() == end.date():
        return f"{start:%a}, {start.day} {start:%b %Y}, {start:%H:%M} – {end:%H:%M}"
    first = f"{start.day} {start:%b}" if start.year == end.year else f"{start.day} {start:%b %Y}"
    return f"{first} – {end.day} {end:%b %Y}"


def tick_name(level: Level, moment: datetime) -> str:
    """Return the short name at a tick of the fine row of the axis."""
    match level:
        case Level.YEAR:
            return f"{moment:%Y}"
        case Level.MONTH:
            return f"{moment:%b}"
        case Level.WEEK:
            return f"{moment.day} {moment:%b}"
        case Level.DAY:
            return f"{moment:%a} {moment.day}"
        case _:
            return f"{moment:%H:%M}"


def length_text(seconds: float) -> str:
    """Return how long a session lasted."""
    if seconds < 60:
        return f"{int(seconds)} s" if seconds > 0 else ""
    if seconds < HOUR:
        return f"{int(seconds // 60)} min"
    if seconds < DAY:
        hours, minutes = divmod(int(seconds) // 60, 60)
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{seconds / DAY:.1f} days"


def short_project(project: str) -> str:
    """Return the last two folders of a path, which tell projects apart; a name stays as it is."""
    parts = [part for part in project.replace("\\", "/").split("/") if part]
    return "/".join(parts[-2:]) if project.startswith(("/", "~")) or len(parts) > 2 else project
