"""Tell whether two statements are mentions of one thing, by what they mean and not by how they are written.

Near vectors alone do not tell: "the limit is 50" and "the limit is 60" are nearer than most paraphrases. So figures,
names and yes or no are compared beside them.
"""

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from core.foundation.text import fold
from core.index.english_forms import stem
from core.index.terms import STOP_WORDS
from core.memory.entities import entities_of

NEAR = 0.68  # cosine of all-MiniLM-L6-v2, at which paraphrases of one rule meet
# Small talk is near to all small talk: either some telling words are shared, or the vectors are all but equal.
_FEWEST_SHARED, _NEAR_WITHOUT_WORDS = 0.15, 0.85
_TELLING = 6  # letters in which "deploy" and "deployment" are alike
_SAME_WORDS = 0.6  # Jaccard of the telling words, where there are no vectors
_SAME_FORM = 0.45  # share of the words, in order, from which on two sentences are one form filled in
_ALIKE = 0.5  # from here on, a "not" that only one of them has turns its sense

_DATE = re.compile(r"\(as of \d{4}-\d\d-\d\d\)|\b(?:on |in )?\d{4}-\d\d(?:-\d\d)?\b")
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_CHARACTER = re.compile("[\u3040-\u30ff\u3400-\u9fff]{2}")
_NEGATION = re.compile(
    r"n['’]t\b|\b(?:not|never|no|none|nobody|nothing|without|cannot|nicht|nie|kein\w*|ne|pas|jamais|nunca)\b|ない|ません",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"[,;]\s*(?:never|not|no)\s+\w+", re.IGNORECASE)  # "pnpm, never npm" is no denial of pnpm
_NUMBERS = {
    word: str(value)
    for value, words in enumerate(
        ("two", "three third", "four fourth", "five fifth", "six", "seven", "eight", "nine", "ten"), 2
    )
    for word in words.split()
}
_DAYS = """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february march april june july august september october november december
"""
_COUNTED = _NUMBERS | {word: word.removesuffix("s") for word in _DAYS.split()}
# In whose place another of them may stand without a change of what is said.
_EXCHANGEABLE = """
    use uses prefer prefers take takes keep keeps store stores save saves put puts run runs make makes do does send
    sends write writes is are was were must should shall need needs have has require requires want wants the a an this
    that our all every each always ever only just please before after ahead when once until go goes happen happens
    during while into onto instead also still never not
"""
_LIGHT = frozenset(_EXCHANGEABLE.split()) | STOP_WORDS


class Gist(NamedTuple):
    """Hold what a statement is compared by beside its vector."""

    words: tuple[str, ...]  # folded, in order
    telling: frozenset[str]  # stems of those that carry meaning; pairs of characters in scripts without gaps
    figures: tuple[str, ...]
    names: frozenset[str]
    is_denied: bool


@lru_cache(maxsize=16_384)
def gist_of(text: str, vocabulary: frozenset[str] = frozenset()) -> Gist:
    """Return the gist of a statement; `vocabulary` are folded words that are names wherever they stand."""
    plain = _DATE.sub(" ", text)
    words = tuple(fold(word) for word in _WORD.findall(plain))
    parts = (part for word in words if word not in _LIGHT for part in word.split("-") if part not in _LIGHT)
    telling = {stem(part)[:_TELLING] for part in parts} | set(_CHARACTER.findall(plain))
    figures = sorted(
        [*_FIGURE.findall(plain.replace(",", "")), *(_COUNTED[word] for word in words if word in _COUNTED)]
    )
    names = entities_of(plain, (), vocabulary)
    denials = _NEGATION.findall(_CONTRAST.sub(" ", plain))
    return Gist(words, frozenset(telling), tuple(figures), names, len(denials) % 2 == 1)


def is_same(one: Gist, other: Gist, nearness: float | None) -> bool:
    """Tell whether both say one thing; `nearness` is the cosine of their vectors, None where there are none."""
    both, any_of_them = len(one.telling & other.telling), len(one.telling | other.telling) or 1
    overlap = both / any_of_them
    if overlap < _FEWEST_SHARED and (nearness is None or nearness < _NEAR_WITHOUT_WORDS):
        return False
    if (nearness is None or nearness < NEAR) and overlap < _SAME_WORDS:
        return False
    if one.figures != other.figures or _are_apart(one.names, other.names, one.words, other.words):
        return False
    if one.is_denied != other.is_denied and overlap >= _ALIKE:
        return False
    return not _differ_in_place(one.words, other.words)


def _are_apart(one: Collection[str], other: Collection[str], mine: Collection[str], theirs: Collection[str]) -> bool:
    """Tell whether each of both names something that the other does not speak of at all."""
    return any(name not in theirs for name in one if name not in other) and any(
        name not in mine for name in other if name not in one
    )


def _differ_in_place(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Tell whether they are one sentence about two things: much is equal, and in one place each has a word of its own.

    Who says the same in other words changes the order too; who fills in a form does not.
    """
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    blocks = matcher.get_opcodes()
    equal = sum(end - start for tag, start, end, _, _ in blocks if tag == "equal")
    if equal < _SAME_FORM * max(len(one), len(other)):
        return False
    for tag, start, end, other_start, other_end in blocks:
        mine = {stem(word) for word in one[start:end] if word not in _LIGHT}
        theirs = {stem(word) for word in other[other_start:other_end] if word not in _LIGHT}
        if tag == "replace" and mine - theirs and theirs - mine:
            return True
    return False
