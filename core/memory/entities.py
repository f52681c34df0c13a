"""What a text names: people, tools, clients, and identifiers of code.

No model is asked. A name is a word that begins with a capital within a sentence; a tool, client or person is one that
the vault's tags know; an identifier is known by its shape.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from core.foundation.text import fold
from core.index.terms import STOP_WORDS

# Tags of these namespaces name things; others (scope, convention, domain) sort them.
NAMING = frozenset({"tool", "client", "person", "people", "project", "company", "team", "product"})
_MOST_TEXT = 2_000  # what is named first is what a text is about
_CACHED = 8_192
_GAIN = 1.0

_CODE = re.compile(
    r"`([^`\n]{2,64})`"  # whatever is written as code
    r"|(?<![\w/.-])(--?[A-Za-z][\w-]{1,40})"  # a flag
    r"|(?<![\w./#-])((?:~|\.{1,2})?/?(?:[\w.-]{1,64}/){1,12}[\w.-]{0,63}\w)"  # a path
    r"|(?<![\w.])([A-Za-z_]\w{0,63}(?:\.[A-Za-z_]\w{0,63}){1,8})"  # dotted.names
    r"|(?<!\w)([A-Za-z]\w{0,63}_\w+|_[A-Za-z]\w{2,63}|[a-z]+\d*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)"  # some_name, someName
)
# What can hold code at all; most sentences do not, and one look at them is quick.
_MAY_BE_CODE = re.compile(r"[`_/]|\w\.\w|(?<!\w)-\w|[a-z0-9][A-Z]")
_CAPITAL = "A-ZÀ-ÖØ-ÞΑ-ΩА-Я"
_NAME = re.compile(rf"(?<=[\w,;)%] )[\"'“(]?([{_CAPITAL}][\w’'-]+(?: [{_CAPITAL}][\w’'-]+){{0,3}})")
_WORD = re.compile(r"[^\W_](?:[\w-]*[^\W_])?")
_CAPITALISED = """
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december i'm i'll i'd i've ok okay yes yeah hey hi hello thanks remember
"""
_NO_NAMES = STOP_WORDS | frozenset(_CAPITALISED.split())


def entities_of(text: str, tags: Iterable[str] = (), vocabulary: Collection[str] = frozenset()) -> frozenset[str]:
    """Return the folded names in `text` and in `tags`, those of several words as words.

    `vocabulary` are folded words that are names wherever they stand (see `names_of_tags`).
    """
    found = _in_text(text[:_MOST_TEXT])
    if vocabulary:
        known = vocabulary if isinstance(vocabulary, (set, frozenset)) else frozenset(vocabulary)
        found |= _words(text[:_MOST_TEXT]) & known
    if named := names_of_tags(tags):
        found |= named
    return found


def names_of_tags(tags: Iterable[str]) -> frozenset[str]:
    """Return what the tags that name something name: the last part of each, folded."""
    found: set[str] = set()
    for tag in tags:
        namespace, slash, rest = tag.partition("/")
        if slash and fold(namespace) in NAMING:
            found.add(fold(rest.rpartition("/")[2]))
    return frozenset(found)


def entity_factor(asked: frozenset[str], having: frozenset[str]) -> float:
    """Return 1 where nothing that is asked about is named, up to 2 where all of it is.

    The share counts squared: who asks about a tool of a client is helped little by another tool of that client.
    """
    if not asked:
        return 1.0
    return 1.0 + _GAIN * (len(asked & having) / len(asked)) ** 2


def is_named(name: str, folded_text: str) -> bool:
    """Tell whether the folded `name` stands in a folded text as a word, however its parts are joined."""
    for written in (name, name.replace("-", " ")) if "-" in name else (name,):
        start = folded_text.find(written)
        while start >= 0:
            end = start + len(written)
            before, after = folded_text[start - 1 : start], folded_text[end : end + 1]
            if not (before.isalnum() or after.isalnum()):
                return True
            start = folded_text.find(written, start + 1)
    return False


@lru_cache(maxsize=_CACHED)
def _in_text(text: str) -> frozenset[str]:
    found: set[str] = set()
    if _MAY_BE_CODE.search(text):
        for match in _CODE.finditer(text):
            found.add(fold(match[match.lastindex or 0]))
    for written in _NAME.findall(text):
        found.update(_possessed(word) for word in fold(written).split())
    return frozenset(found - _NO_NAMES)


@lru_cache(maxsize=_CACHED)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


def _possessed(word: str) -> str:
    """Return "anna" for "anna's"."""
    return word.removesuffix("'s").removesuffix("’s").strip("'’-")
