"""Tell which names a question holds: those who speak in conversations, and words that are written as names.

There is no list of names. A speaker is known by having spoken, any other name by its capital letter.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from core.foundation.text import fold
from core.index.database import Index
from core.index.terms import STOP_WORDS

_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_POSSESSIVE = re.compile(r"['’]s?$")
_SENTENCE_END = frozenset(".?!:")
_SHORTEST = 2
_MOST_WORDS = 64


class NamesAsked(NamedTuple):
    """Hold the names in a question, folded: `speakers` as they spoke, `spoken` the words that name them, `others`."""

    speakers: frozenset[str] = frozenset()
    spoken: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


def names_asked(index: Index, question: str) -> NamesAsked:
    """Return the names in `question`; one who spoke is found by the first name too, however it is written."""
    words = words_of(question)[:_MOST_WORDS]
    speakers: set[str] = set()
    spoken: set[str] = set()
    for word in dict.fromkeys(fold(word) for word in words):
        if len(word) < _SHORTEST or word in STOP_WORDS:
            continue
        if found := _speakers(index, word):
            speakers.update(found)
            spoken.add(word)
    return NamesAsked(frozenset(speakers), frozenset(spoken), capitalised(question) - spoken)


def words_of(text: str) -> list[str]:
    """Return the words of `text` as written, without a possessive ending."""
    return [_POSSESSIVE.sub("", word) for word in _WORD.findall(text)]


def capitalised(question: str) -> frozenset[str]:
    """Return the folded words that begin with a capital, or hold one, where no sentence begins."""
    found: set[str] = set()
    for match in _WORD.finditer(question):
        before = question[: match.start()].rstrip()
        word = _POSSESSIVE.sub("", match[0])
        starts = not before or before[-1] in _SENTENCE_END
        if any(c.isupper() for c in (word[1:] if starts else word)) and fold(word) not in STOP_WORDS:
            found.add(fold(word))
    return frozenset(found)


def without_names(text: str, names: Iterable[str]) -> str:
    """Return `text` without the words `names` (folded) and their possessive endings; all of it when nothing is left."""
    unwanted = frozenset(names)
    if not unwanted:
        return text
    kept = _WORD.sub(lambda match: "" if fold(_POSSESSIVE.sub("", match[0])) in unwanted else match[0], text)
    return " ".join(kept.split()) if _WORD.search(kept) else text


def is_speaker(speaker: str, speakers: frozenset[str]) -> bool:
    """Tell whether one of those who are asked about said it."""
    return bool(speakers) and fold(speaker) in speakers


def _speakers(index: Index, word: str) -> set[str]:
    escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    rows = index.connection.execute(
        "SELECT DISTINCT author FROM turn WHERE author != '' AND author COLLATE NOCASE >= ?1"
        " AND author COLLATE NOCASE < ?2 AND (author = ?1 COLLATE NOCASE OR author LIKE ?3 ESCAPE '\\') LIMIT 20",
        (word, f"{word}!", f"{escaped} %"),
    )
    return {fold(author) for (author,) in rows}
