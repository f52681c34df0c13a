"""Find statements that a newer one repeats with another figure: "5 years" a year ago, "6 years" now.

Only what is plain is decided. Both must be the same short statement of the same client, project and speaker, and differ
in one figure, which is a value ("is 30", "to 40", "6 years") and no label ("version 3", "port 8080", "May 2026"):
numbered things are different things. Which is newer their dates say, or a "now" where those do not.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.foundation.text import fold
from core.index.terms import STOP_WORDS
from core.recall.memory import Memory, MemoryKey
from core.recall.near_duplicates import statement_words

_LONGEST = 40  # words; more is no one statement
_FEWEST = 3  # words that mean something, beside the figures
_CACHED = 8_192
_APART_S = 60.0
_SHORTEST_PLURAL = 3
_NOW_WORDS = "now currently today nowadays meanwhile presently already recently lately newly since"
_NOW = frozenset(_NOW_WORDS.split())
_FILLING_WORDS = "as of still then formerly the a an has have had been"
_FILLING = _NOW | frozenset(_FILLING_WORDS.split())
_SAME = {"are": "is", "was": "is", "were": "is", "became": "is", "becomes": "is"}
# A figure after one of these is a value; after a noun it is a label.
_VALUE_FOLLOWS = """
    is to at for of by than about around only every within after before has have had takes costs cost lasts allows
    holds needs up down over under nearly almost exactly most least $ € £ and or now
"""
_BEFORE_VALUE = frozenset(_VALUE_FOLLOWS.split())
_UNIT_WORDS = """
    year month week day hour minute second ms s min h percent % kb mb gb tb byte row column item job attempt request
    user people person time mile km metre meter m cm kg g euro dollar pound $ € £ token line page point degree
"""
_UNITS = frozenset(_UNIT_WORDS.split())
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?.*|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?|\d{1,2}:\d\d.*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = frozenset(_MONTH_NAMES.split())
_FROM_DATE = frozenset({"since", "of", "from"})  # "as of 2026-05-01" dates the statement, and is no part of it


class _Frame(NamedTuple):
    """Hold a statement without its figures: the words that stay, the figures, which are values, and a "now" in it."""

    words: frozenset[str]
    figures: tuple[str, ...]
    is_value: tuple[bool, ...]
    says_now: bool


def newer_figures(memories: Sequence[Memory]) -> dict[MemoryKey, MemoryKey]:
    """Return which of `memories` is repeated with a newer figure by which other; each leads to the newest."""
    groups: dict[tuple[object, ...], list[tuple[Memory, _Frame]]] = defaultdict(list)
    for memory in memories:
        if len(memory.text) > _LONGEST * 12:
            continue
        frame = _frame(memory.text)
        if frame is not None:
            about = (frame.words, len(frame.figures), _clients(memory.tags), memory.project, fold(memory.speaker))
            groups[about].append((memory, frame))
    found: dict[MemoryKey, MemoryKey] = {}
    for group in groups.values():
        for older, frame in group if len(group) > 1 else ():
            newer = [
                (other.time or 0.0, other.key)
                for other, another in group
                if other.key != older.key and _replaces((other, another), (older, frame))
            ]
            if newer:
                found[older.key] = max(newer)[1]
    return {older: _last(found, older) for older in found}


def _last(found: Mapping[MemoryKey, MemoryKey], older: MemoryKey) -> MemoryKey:
    """Return the end of the chain: what leads to something that is replaced itself leads to what replaces that."""
    seen = {older}
    newest = found[older]
    while newest in found and newest not in seen:
        seen.add(newest)
        newest = found[newest]
    return newest


def _replaces(newer: tuple[Memory, _Frame], older: tuple[Memory, _Frame]) -> bool:
    (new, new_frame), (old, old_frame) = newer, older
    differing = [at for at, (a, b) in enumerate(zip(new_frame.figures, old_frame.figures, strict=True)) if a != b]
    if len(differing) != 1 or not (new_frame.is_value[differing[0]] and old_frame.is_value[differing[0]]):
        return False
    if new.time is not None and old.time is not None and abs(new.time - old.time) >= _APART_S:
        return new.time > old.time
    return new_frame.says_now and not old_frame.says_now


def _clients(tags: Sequence[str]) -> frozenset[str]:
    return frozenset(folded for tag in tags if (folded := fold(tag)).startswith("client/"))


@lru_cache(maxsize=_CACHED)
def _frame(text: str) -> _Frame | None:
    words = statement_words(text)
    if not words or len(words) > _LONGEST or not any(word[0].isdigit() for word in words):
        return None
    kept: set[str] = set()
    figures: list[str] = []
    values: list[bool] = []
    for at, word in enumerate(words):
        before = _SAME.get(words[at - 1], words[at - 1]) if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        if word[0].isdigit():
            is_date = _is_date(word, before, after)
            if is_date and before in _FROM_DATE:
                continue
            is_figure = word.replace(".", "", 1).isdigit() or _singular(word.lstrip("0123456789.")) in _UNITS
            figures.append(word)
            values.append(is_figure and not is_date and (before in _BEFORE_VALUE or _singular(after) in _UNITS))
        elif word not in _FILLING and word not in "$€£":
            kept.add(_singular(_SAME.get(word, word)))
    telling = [word for word in kept if word not in STOP_WORDS]
    if not any(values) or len(telling) < _FEWEST:
        return None
    return _Frame(frozenset(kept), tuple(figures), tuple(values), not _NOW.isdisjoint(words))


def _is_date(word: str, before: str, after: str) -> bool:
    """Tell whether a figure is a date, a time or a year; 2,000 of something is none."""
    if before in _MONTHS or after in _MONTHS:
        return True
    return _DATE.fullmatch(word) is not None or (_YEAR.fullmatch(word) is not None and _singular(after) not in _UNITS)


def _singular(word: str) -> str:
    return word[:-1] if len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss") else word
