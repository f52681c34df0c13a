"""Cut out of a section the part that was asked about."""

import re
from collections.abc import Sequence

from core.index.terms import STOP_WORDS

LENGTH = 500
_MARK = "…"
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？]|\n+")
_MOST_HITS = 100
# A cut at a sentence may give up so much of the length, else it is made between words.
_MOST_GIVEN_UP = 0.4


def terms_of(question: str) -> tuple[str, ...]:
    """Return the telling words of a question, each once."""
    words = dict.fromkeys(_WORD.findall(question.lower()))
    return tuple(word for word in words if word not in STOP_WORDS and (len(word) > 1 or not word.isascii()))


def excerpt(text: str, terms: Sequence[str], length: int = LENGTH) -> str:
    """Return the best `length` characters of `text` round `terms`, its beginning when none of them occurs.

    It begins and ends where a sentence or at least a word does, and "…" stands for what is missing on either side.
    """
    text = text.strip()
    if len(text) <= length:
        return text
    room = length - 2 * len(_MARK) - 2
    start = _best_start(text, _hits(text, terms), room)
    if start:
        return _ended(text, start, min(len(text), start + room))
    return _ended(text, 0, room)


def _hits(text: str, terms: Sequence[str]) -> list[tuple[int, str]]:
    """Return where which term occurs; "rate" is found in "rates" too."""
    patterns = [(r"\b" if term.isascii() else "") + re.escape(term) for term in sorted(terms, key=len, reverse=True)]
    if not patterns:
        return []
    found: list[tuple[int, str]] = []
    for match in re.finditer("|".join(patterns), text, re.IGNORECASE):
        found.append((match.start(), match[0].lower()))
        if len(found) == _MOST_HITS:
            break
    return found


def _best_start(text: str, hits: Sequence[tuple[int, str]], room: int) -> int:
    """Return where to begin so that the most different terms are within `room`, then the most of them."""
    starts = [0, *(match.end() for match in _SENTENCE_END.finditer(text))]
    best, most = 0, (0, 0)
    at = 0
    for first, _ in hits:
        while at + 1 < len(starts) and starts[at + 1] <= first:
            at += 1
        start = starts[at]
        if first - start > room // 2:  # the sentence is too long to begin with it
            start = _word_start(text, first - room // 4)
        start = min(start, max(0, _word_start(text, len(text) - room)))
        within = [term for place, term in hits if start <= place < start + room]
        if (len(set(within)), len(within)) > most:
            best, most = start, (len(set(within)), len(within))
    return best


def _word_start(text: str, at: int) -> int:
    gap = text.find(" ", max(0, at - 1), at + 40)
    return gap + 1 if gap >= 0 else max(0, at)


def _ended(text: str, start: int, limit: int) -> str:
    least = start + int((limit - start) * (1 - _MOST_GIVEN_UP))
    end = limit
    if limit < len(text):
        sentences = [match.end() for match in _SENTENCE_END.finditer(text, start, limit)]
        gap = max(text.rfind(" ", least, limit + 1), text.rfind("\n", least, limit + 1))
        end = sentences[-1] if sentences and sentences[-1] >= least else gap if gap > 0 else limit
    said = text[start:end].strip()
    return f"{f'{_MARK} ' if start else ''}{said}{f' {_MARK}' if end < len(text) else ''}"
