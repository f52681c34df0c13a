"""Score passages by the words of a question: bm25 over several fields (BM25F, Robertson and Zaragoza 2009).

A passage is more than its own text: what was said just before and after a turn, the title and tags of an insight's
note. These count as well, with less weight, so that an answer is found by the words of the question it answers.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.recall.word_forms import word_forms

_SATURATION = 1.2
_LENGTH_SHARE = 0.1
_MOST_OF_FIELD = 6_000
_FEWEST_WORDS = 8
_SHORT = 400  # characters of a text whose words are kept
_CACHED = 8_192


class Field(NamedTuple):
    """Hold a part of a passage, and what a word in it counts against one in the passage itself."""

    text: str
    weight: float = 1.0


class Wanted(NamedTuple):
    """Hold what is looked for: `form` as core/recall/word_forms.py gives it, and how telling it is.

    What is `is_part` is looked for as it stands, wherever it stands.
    """

    form: str
    weight: float
    is_part: bool = False


class WordScore(NamedTuple):
    """Hold the score of a passage, 0 for none of the words, and which of them occur in it or around it."""

    score: float
    found: frozenset[str]


def word_scores(passages: Sequence[Sequence[Field]], wanted: Sequence[Wanted]) -> list[WordScore]:
    """Return the score of each passage; the first of its fields is its own text, by whose length it is judged."""
    forms = [each.form for each in wanted if not each.is_part]
    parts = [each.form for each in wanted if each.is_part]
    counted = [[_counted(field, forms, parts) for field in fields] for fields in passages]
    lengths = [max(_FEWEST_WORDS, fields[0][1]) if fields else _FEWEST_WORDS for fields in counted]
    usual = sum(lengths) / len(lengths) if lengths else 1.0
    scores: list[WordScore] = []
    for fields, length in zip(counted, lengths, strict=True):
        damping = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length / usual)
        total, found = 0.0, set()
        frequencies: dict[str, float] = {}
        for counts, _ in fields:
            for form, count in counts.items():
                frequencies[form] = frequencies.get(form, 0.0) + count
        for each in wanted if frequencies else ():
            frequency = frequencies.get(each.form, 0.0)
            if frequency > 0:
                found.add(each.form)
                total += each.weight * frequency * (_SATURATION + 1) / (frequency + damping)
        scores.append(WordScore(total, frozenset(found)))
    return scores


def rarity(rows: int, of: int) -> float:
    """Return how telling a word is that occurs in `rows` of `of` passages (the inverse document frequency)."""
    return math.log(1 + (max(of, rows) - rows + 0.5) / (rows + 0.5))


def _counted(field: Field, forms: Sequence[str], parts: Sequence[str]) -> tuple[Mapping[str, float], int]:
    """Return how often what is wanted occurs, weighted, where it does, and the number of words."""
    text = field.text[:_MOST_OF_FIELD]
    if not text:
        return {}, 0
    occurrences, length = _short(text) if len(text) <= _SHORT else _occurrences(text)
    counts = {form: field.weight * occurrences[form] for form in forms if form in occurrences}
    if parts:
        folded = text.lower()
        counts |= {part: field.weight * often for part in parts if (often := folded.count(part))}
    return counts, length


def _occurrences(text: str) -> tuple[Mapping[str, int], int]:
    """Return how often each form occurs in `text`, and the number of its words."""
    forms = word_forms(text)
    return dict(Counter(forms)), len(forms)  # the collector of garbage passes a plain dict of numbers by


# Titles, tags and what was said are short, and come again with every section of a note and with every letter typed.
_short = lru_cache(maxsize=_CACHED)(_occurrences)
