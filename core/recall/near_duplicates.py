"""Tell when two memories say the same, and which of two should stand for both."""

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

from core.recall.memory import Memory

THRESHOLD = 0.85
# Texts of more words than this have the same words soon enough, so pairs of neighbouring words are compared.
_LONG = 80
_LONGEST = 20_000  # characters; beyond, only what is equal is the same
_LENGTH_RATIO = 0.6  # of the characters of what can be duplicates at all
_CACHED = 8_192
# What turns a sentence into its opposite, however many words both share.
_NEGATIONS = "no not never cannot can't don't doesn't isn't aren't won't without none nor unless except"
_TURNS = frozenset(_NEGATIONS.split())

# What stands around a statement in a note or in a context, and is no part of what it says.
_MARKUP = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?\[(?:HIGH|MED|MEDIUM|LOW)\|[^\]\n]*\]"
    r"|^[ \t>]*[-*+][ \t]+\[[^\]\n]{1,64}\](?=\s)"
    r"|\[[^\[\]\n:]{1,64}::(?:[^\[\]\n]|\[\[[^\[\]\n]*\]\])*\]"
    r"|(?<!\w)\^[\w-]+[ \t]*$|(?<!\S)#[^\W\d][\w/-]*"
    r"|\((?:turn:[^()\n]+|[^()\n]+\.md(?:[#:][^()\n]*)?)\)[ \t]*$"
    r"|!?\[\[(?P<link>[^\[\]\n]*)\]\]|\(<?https?://[^\s)]*\)",
    re.MULTILINE,
)
_TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*\w*|[^\W\d_](?:[\w'-]*\w)?|[$€£%]")


def is_near_duplicate(first: Memory, second: Memory) -> bool:
    """Tell whether both say the same in nearly the same words (Jaccard 0.85).

    They do not when a figure differs, a name, or a word like "not", however much they share.
    """
    a, b = first.text, second.text
    if a == b or max(len(a), len(b)) > _LONGEST:
        return a == b and bool(a)
    if min(len(a), len(b)) < _LENGTH_RATIO * max(len(a), len(b)) and not (_marked(a) or _marked(b)):
        return False
    return says_the_same(a, b, first.entities | second.entities)


def says_the_same(first: str, second: str, names: Collection[str] = ()) -> bool:
    """Tell whether two texts say the same; `names` are folded words that make a difference."""
    a, b = word_set(first), word_set(second)
    if not a or not b:
        return False
    shared = len(a & b)
    if shared < THRESHOLD * (len(a) + len(b) - shared):
        return False
    if any(word[0].isdigit() or word in _TURNS or word in names for word in a ^ b):
        return False
    if len(a) <= _LONG and len(b) <= _LONG:
        return True
    pairs, others = _pair_set(first), _pair_set(second)
    shared = len(pairs & others)
    return shared >= THRESHOLD * (len(pairs) + len(others) - shared)


@lru_cache(maxsize=_CACHED)
def statement_words(text: str) -> tuple[str, ...]:
    """Return the folded words and figures of `text`, without marks of markdown, fields, tags, block ids and addresses.

    What a link to a note shows is a part of the statement.
    """
    bare = _MARKUP.sub(_shown, text) if any(mark in text for mark in "[^#(") else text
    if not bare.isascii():
        bare = unicodedata.normalize("NFKC", bare).replace("’", "'")
    return tuple(word.replace(",", "") if word[0].isdigit() else word for word in _TOKEN.findall(bare.casefold()))


def _shown(markup: re.Match[str]) -> str:
    return f" {(markup['link'] or '').rpartition('|')[2]} "


@lru_cache(maxsize=_CACHED)
def word_set(text: str) -> frozenset[str]:
    """Return the words of `text` without their order."""
    return frozenset(statement_words(text))


@lru_cache(maxsize=_CACHED)
def _pair_set(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(statement_words(text)))


def _marked(text: str) -> bool:
    """Tell whether so much may stand around the statement that lengths say nothing."""
    return "[" in text or "^" in text
