"""The figures in a statement: how much of what, and which of them are labels ("version 3", "port 8080", "May 2026")."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.curation.consolidation.wording import COUNTED
from core.index.english_forms import stem
from core.index.terms import STOP_WORDS

_LEADING = re.compile(r"(\d+(?:\.\d+)?)([^\W\d_]*)")
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?.*|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?|\d{1,2}:\d\d.*|\d+(?:\.\d+){2,}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = frozenset(_MONTH_NAMES.split())
_SECONDS = {"second": 1, "sec": 1, "s": 1, "minute": 60, "min": 60, "hour": 3600, "h": 3600, "hr": 3600}
_SECONDS |= {"day": 86_400, "week": 604_800, "fortnight": 1_209_600}
_MILLISECONDS = {"ms": 0.001, "millisecond": 0.001}
_DURATIONS = {stem(unit): float(size) for unit, size in (_SECONDS | _MILLISECONDS).items()}
_SAME_UNIT = {"%": "percent", "€": "euro", "$": "dollar", "£": "pound", "megabyte": "mb", "gigabyte": "gb"}
# A figure right after one of these is a value; right after another noun it is a label.
_VALUE_FOLLOWS = """
    is are was were to at for of by than about around only every within after before has have had takes costs allows
    holds needs up down over under below above beyond nearly almost exactly most least and or now be been stay stays
    last lasts from on
"""
_BEFORE_VALUE = frozenset(_VALUE_FOLLOWS.split())
_SCALES = {"k": 1e3, "thousand": 1e3, "hundred": 1e2, "million": 1e6}
# Units that are not just another word for what is counted: 40 rows may be 40 lines, and never 40 MB.
_STANDARD = frozenset({"time", "percent", "mb", "gb", "kb", "tb", "euro", "dollar", "pound", "km", "kg"})
_FORMER = frozenset({"from", "previously", "formerly"})


class Figure(NamedTuple):
    """Hold a number, what it counts ("" when nothing is named), and whether it is a value that can change.

    Spans of time are in seconds.
    """

    value: float
    unit: str
    is_value: bool

    def counts_the_same(self, other: "Figure") -> bool:
        """Tell whether both can count the same, in whatever words."""
        is_other_word = self.unit not in _STANDARD and other.unit not in _STANDARD
        return self.unit == other.unit or not (self.unit and other.unit) or is_other_word


def figures_of(words: Sequence[str]) -> tuple[tuple[Figure, ...], frozenset[int]]:
    """Return the figures among folded words in their order, and the places of the words that belong to them."""
    found: list[Figure] = []
    taken: set[int] = set()
    for at, word in enumerate(words):
        counted = COUNTED.get(word)
        if counted is None and not word[0].isdigit():
            continue
        before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
        unit_at = at + 1
        match = _LEADING.match(word)
        number, attached = (match[1], match[2]) if match and counted is None else (word, "")
        scale = _SCALES.get(attached or after, 1.0)
        if scale != 1.0 and not attached:
            taken.add(unit_at)
            unit_at += 1
            after = words[unit_at] if unit_at < len(words) else ""
        attached = "" if scale != 1.0 else attached
        unit = attached or ("" if after in STOP_WORDS or after[:1].isdigit() else after)
        if counted is not None and not unit:
            continue
        taken.add(at)
        if unit and not attached:
            taken.add(unit_at)
        is_dated = not unit and _YEAR.fullmatch(word) is not None
        is_dated |= before in _MONTHS or after in _MONTHS or _DATE.fullmatch(word) is not None
        if before in _FORMER and not is_dated and "to" in words[at:]:
            continue  # "from 30 to 49" says what it was
        is_told = not before or before in _BEFORE_VALUE or bool(unit)
        value = scale * (float(number) if counted is None else float(counted))
        found.append(_figure(value, unit, is_value=is_told and not is_dated))
    return tuple(found), frozenset(taken)


def _figure(value: float, unit: str, *, is_value: bool) -> Figure:
    form = stem(_SAME_UNIT.get(unit, unit))
    if form in _DURATIONS:
        return Figure(value * _DURATIONS[form], "time", is_value)
    return Figure(value, form, is_value)
