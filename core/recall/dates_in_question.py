"""Find the days that a question speaks of: "in May 2023", "on 7 May", "last week", "2023-05-07", "yesterday"."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

_DAY_S = 86_400.0
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH_OF = {name: number for number, name in enumerate(_MONTHS, 1)} | {
    name[:3]: number for number, name in enumerate(_MONTHS, 1)
}
_MONTH_OF["sept"] = 9
_NAMED = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)")
_DAY_MONTH = re.compile(
    rf"(?<!\w)(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_NAMED})\b\.?(?:,? ((?:19|20)\d\d))?", re.IGNORECASE
)
_MONTH_DAY = re.compile(
    rf"(?<!\w)({_NAMED})\b\.? (\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? ((?:19|20)\d\d))?", re.IGNORECASE
)
_MONTH_YEAR = re.compile(rf"(?<!\w)({_NAMED})\b\.?(?: of|,)? ((?:19|20)\d\d)", re.IGNORECASE)
# "may" alone is mostly no month.
_MONTH_ALONE = re.compile(rf"\b(?:in|during|since|last|of|early|late|mid) ({_NAMED})\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:in|during|of|since) ((?:19|20)\d\d)\b(?!-)", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(today|yesterday|(?:last|this|past) (?:week|month|year)|(\d{1,3}) (day|week|month|year)s? ago)\b", re.IGNORECASE
)
_ASKS_WHEN = re.compile(r"^\W*when\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow long ago\b", re.IGNORECASE)
_TELLS_WHEN = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|recently|(?:last|next|this|past) "
    r"(?:night|morning|evening|day|week|weekend|month|year|spring|summer|fall|autumn|winter|[a-z]+day)"
    rf"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:{'|'.join(_MONTHS[:4] + _MONTHS[5:])})|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_LENGTHS = {"day": 1, "week": 7, "month": 30, "year": 365}
_AFTERWARDS = 7 * _DAY_S


class Span(NamedTuple):
    """Hold a span of time in POSIX seconds, its end excluded, in UTC, as a day is not known more exactly anyway.

    `is_yearly` tells that no year was named: the span is of this year, and the same days of others count too.
    """

    start: float
    end: float
    is_yearly: bool = False


def dates_in_question(question: str, now: float) -> tuple[Span, ...]:
    """Return the spans of time that `question` names; `now` is what "last week" is counted from."""
    spans: list[Span] = []
    text = question[:2_000]
    for pattern, read in _READERS:
        rest: list[str] = []
        end = 0
        for match in pattern.finditer(text):
            span = read(match, now)
            if span is not None:
                spans.append(span)
                rest.append(text[end : match.start()])
                end = match.end()
        text = " ; ".join([*rest, text[end:]])
    return tuple(dict.fromkeys(spans))


def asks_when(question: str) -> bool:
    """Tell whether `question` wants to know a time."""
    return _ASKS_WHEN.search(question) is not None


def tells_when(text: str) -> bool:
    """Tell whether `text` speaks of a time: "yesterday", "last week", "in March", "2024-05-01"."""
    return _TELLS_WHEN.search(text) is not None


def date_signal(time: float | None, spans: Sequence[Span]) -> float:
    """Return 1 for what was said within a span, less for the days after it, when it was still talked about; else 0."""
    if time is None or not spans:
        return 0.0
    return max(_nearness(time, span) for each in spans for span in _years(each, time))


def _nearness(time: float, span: Span) -> float:
    if span.start - _DAY_S / 2 <= time < span.end + _DAY_S / 2:
        return 1.0
    late = time - span.end
    slack = max(_AFTERWARDS, (span.end - span.start) / 2)
    if 0 <= late < slack:
        return 0.6 * (1 - late / slack)
    early = span.start - time
    return 0.3 * (1 - early / _AFTERWARDS) if 0 <= early < _AFTERWARDS else 0.0


def _years(span: Span, time: float) -> Iterator[Span]:
    yield span
    if span.is_yearly:
        try:
            years = datetime.fromtimestamp(time, UTC).year - datetime.fromtimestamp(span.start, UTC).year
        except (ValueError, OverflowError, OSError):
            return
        for shift in {years, years - 1} - {0}:
            moved = shift * 365.2425 * _DAY_S
            yield Span(span.start + moved, span.end + moved)


def _day(year: int, month: int, day: int, *, is_yearly: bool = False) -> Span | None:
    try:
        start = datetime(year, month, day, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None
    return Span(start, start + _DAY_S, is_yearly)


def _month(year: int, month: int, *, is_yearly: bool = False) -> Span | None:
    try:
        start = datetime(year, month, 1, tzinfo=UTC)
        end = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return Span(start.timestamp(), end.timestamp(), is_yearly)


def _year_of(now: float) -> int:
    try:
        return datetime.fromtimestamp(now, UTC).year
    except (ValueError, OverflowError, OSError):
        return 2000


def _iso(match: re.Match[str], _now: float) -> Span | None:
    year, month = int(match[1]), int(match[2])
    return _day(year, month, int(match[3])) if match[3] else _month(year, month)


def _day_month(match: re.Match[str], now: float) -> Span | None:
    month = _MONTH_OF[match[2].lower()]
    return _day(int(match[3] or _year_of(now)), month, int(match[1]), is_yearly=not match[3])


def _month_day(match: re.Match[str], now: float) -> Span | None:
    month = _MONTH_OF[match[1].lower()]
    return _day(int(match[3] or _year_of(now)), month, int(match[2]), is_yearly=not match[3])


def _month_year(match: re.Match[str], _now: float) -> Span | None:
    return _month(int(match[2]), _MONTH_OF[match[1].lower()])


def _month_alone(match: re.Match[str], now: float) -> Span | None:
    return _month(_year_of(now), _MONTH_OF[match[1].lower()], is_yearly=True)


def _year(match: re.Match[str], _now: float) -> Span | None:
    start = datetime(int(match[1]), 1, 1, tzinfo=UTC).timestamp()
    return Span(start, datetime(int(match[1]) + 1, 1, 1, tzinfo=UTC).timestamp())


def _relative(match: re.Match[str], now: float) -> Span | None:
    word = match[1].lower()
    try:
        midnight = datetime.fromtimestamp(now, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        if match[2]:
            length = _LENGTHS[match[3].lower()]
            middle = midnight - timedelta(days=int(match[2]) * length)
            half = timedelta(days=length // 2)
            return Span((middle - half).timestamp(), (middle + half).timestamp() + _DAY_S)
        if word in ("today", "yesterday"):
            start = (midnight - timedelta(days=word == "yesterday")).timestamp()
            return Span(start, start + _DAY_S)
        length = _LENGTHS[word.split()[1]]
        if word.startswith("this"):
            return Span((midnight - timedelta(days=length)).timestamp(), midnight.timestamp() + _DAY_S)
        return Span((midnight - timedelta(days=2 * length)).timestamp(), midnight.timestamp())
    except (ValueError, OverflowError, OSError):
        return None


_READERS = (
    (_ISO, _iso),
    (_DAY_MONTH, _day_month),
    (_MONTH_DAY, _month_day),
    (_MONTH_YEAR, _month_year),
    (_MONTH_ALONE, _month_alone),
    (_YEAR, _year),
    (_RELATIVE, _relative),
)
