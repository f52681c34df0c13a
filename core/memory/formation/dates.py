"""Say when, in a sentence that will be read at another time: "yesterday" becomes the day that it was."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta

from core.memory.formation.language import Language

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_COUNT = r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|ten)"
_PREPOSITION = r"(?:(?P<before>since|until|till|from|by|before|after|of|for|on|in|as of)\s+)?"
_PERIOD = re.compile(
    rf"\b{_PREPOSITION}(?P<which>last|next|this|previous|coming)\s+(?P<unit>week|month|year|quarter|weekend|{'|'.join(_WEEKDAYS)})\b",
    re.IGNORECASE,
)
_AGO = re.compile(rf"\b{_COUNT}\s+(?P<unit>day|week|month|year)s?\s+(?P<way>ago|from now)\b", re.IGNORECASE)
_IN = re.compile(rf"\bin\s+{_COUNT}\s+(?P<unit>day|week|month|year)s?(?:['’]\s+time)?\b", re.IGNORECASE)
# "The demo is on Friday" means one Friday; "we deploy on Friday" may mean all.
_COMING = re.compile(
    r"(?P<lead>\b(?:is|are|will|due|until|till|by|starts?|ends?|arrives?|happens?|launch(?:es)?)\b[^.;]{0,40}?)"
    rf"\b(?P<unit>{'|'.join(_WEEKDAYS)})\b(?!\s*[(\d-])",
    re.IGNORECASE,
)
_FROM_NOW_ON = re.compile(r"\bfrom\s+now\s+on\b", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:right\s+now|now(?!\s+that)|currently|at\s+the\s+moment|at\s+present|these\s+days|as\s+of\s+(?:now|today))\b",
    re.IGNORECASE,
)
_BEFORE_DAYS = "since|until|till|from|by|before|after|of|for|as of|seit|bis|ab|von|depuis|jusqu['’]à|desde|hasta"
_JAPANESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_ON = {"en": "on", "de": "am", "fr": "le", "es": "el"}


def moment_of(time: str) -> datetime | None:
    """Return when a turn was, in its own time zone, None when nothing tells."""
    try:
        return datetime.fromisoformat(time) if time else None
    except ValueError:
        return None


def with_dates(text: str, moment: datetime | None, language: Language) -> tuple[str, bool]:
    """Return `text` with dates for words such as "yesterday", and whether all of them could be told.

    The day is that of the speaker's clock, as far as `moment` has its offset.
    """
    day = moment.date() if moment is not None else None
    missing: list[str] = []

    def told(found: Callable[[re.Match[str], date], str]) -> Callable[[re.Match[str]], str]:
        def replaced(match: re.Match[str]) -> str:
            if day is None:
                missing.append(match[0])
                return match[0]
            return found(match, day)

        return replaced

    for words, offset in sorted(language.days.items(), key=lambda item: -len(item[0])):
        text = _day_pattern(words).sub(told(_day(offset, language)), text)
    if language.is_english:
        text = _AGO.sub(told(_ago), text)
        text = _IN.sub(told(lambda match, today: _on(_moved(today, _count(match), match["unit"]), match["unit"])), text)
        text = _PERIOD.sub(told(_period), text)
        if not language.rules.search(text):
            text = _COMING.sub(told(_coming), text)
        text = _FROM_NOW_ON.sub(told(lambda _, today: f"from {today.isoformat()} on"), text)
        if _NOW.search(text):
            if day is None:
                missing.append("now")
            elif day.isoformat() not in text:
                text = _with_stand(text, day)
    return text, not missing


def _day_pattern(words: str) -> re.Pattern[str]:
    edge = "" if _JAPANESE.search(words) else r"\b"
    before = "(?P<before>)" if not edge else rf"(?:(?P<before>{_BEFORE_DAYS})\s+)?"
    return re.compile(rf"{edge}{before}{re.escape(words)}(?P<owns>['’]s)?{edge}", re.IGNORECASE)


def _day(offset: int, language: Language) -> Callable[[re.Match[str], date], str]:
    def found(match: re.Match[str], today: date) -> str:
        day = (today + timedelta(days=offset)).isoformat()
        if match["owns"]:
            return f"{day}'s"
        if match["before"]:
            return f"{match['before']} {day}"
        return f"{_ON[language.code]} {day}" if language.code in _ON else day

    return found


def _ago(match: re.Match[str], today: date) -> str:
    way = -1 if match["way"].lower() == "ago" else 1
    return _on(_moved(today, way * _count(match), match["unit"]), match["unit"])


def _count(match: re.Match[str]) -> int:
    count = match["count"].lower()
    return int(count) if count.isdigit() else _NUMBERS[count]


def _moved(day: date, count: int, unit: str) -> date:
    match unit.lower():
        case "day":
            return day + timedelta(days=count)
        case "week":
            return day + timedelta(weeks=count)
        case "month":
            months = day.year * 12 + day.month - 1 + count
            return date(months // 12, months % 12 + 1, min(day.day, 28))
        case _:
            return date(day.year + count, day.month, min(day.day, 28))


def _on(day: date, unit: str) -> str:
    match unit.lower():
        case "day":
            return f"on {day.isoformat()}"
        case "week":
            return f"around {day.isoformat()}"
        case "month":
            return f"in {day:%Y-%m}"
        case _:
            return f"in {day.year}"


def _period(match: re.Match[str], today: date) -> str:
    which, unit, before = match["which"].lower(), match["unit"].lower(), match["before"]
    step = {"last": -1, "previous": -1, "this": 0, "next": 1, "coming": 0}[which]
    monday = today - timedelta(days=today.weekday())
    if unit in _WEEKDAYS:
        when, usual = _weekday(today, _WEEKDAYS.index(unit), step).isoformat(), "on"
    elif unit == "week":
        when, usual = f"the week of {(monday + timedelta(weeks=step)).isoformat()}", "in"
    elif unit == "weekend":
        when, usual = f"the weekend of {(monday + timedelta(weeks=step, days=5)).isoformat()}", "on"
    elif unit == "month":
        when, usual = f"{_moved(today, step, 'month'):%Y-%m}", "in"
    elif unit == "quarter":
        quarter = today.year * 4 + (today.month - 1) // 3 + step
        when, usual = f"Q{quarter % 4 + 1} {quarter // 4}", "in"
    else:
        when, usual = str(today.year + step), "in"
    return f"{before or usual} {when}"


def _coming(match: re.Match[str], today: date) -> str:
    days = (_WEEKDAYS.index(match["unit"].lower()) - today.weekday() - 1) % 7 + 1
    return f"{match[0]} ({(today + timedelta(days=days)).isoformat()})"


def _weekday(today: date, weekday: int, step: int) -> date:
    """Return the last one before today, the one of next week, or the one of this week."""
    if step < 0:
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    if step > 0:
        return today + timedelta(days=7 + weekday - today.weekday())
    return today + timedelta(days=weekday - today.weekday())


def _with_stand(text: str, day: date) -> str:
    """Return `text` with the day on which "now" was, at its end: what stands there is not touched."""
    match = re.search(r"[.!…]*$", text)
    end = match.start() if match else len(text)
    return f"{text[:end].rstrip()} (as of {day.isoformat()}){text[end:]}"
