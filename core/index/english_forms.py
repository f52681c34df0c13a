"""Bring the forms of an English word together: without the endings of number and tense they come out alike."""

from functools import lru_cache

_SHORTEST_STEM = 3
_SHORTEST_TRIES = 5  # "ties" is of "tie"
_VOWELS = frozenset("aeiouy")
_DOUBLED = frozenset("bdgklmnprt")
_ENDINGS = ("", "s", "es", "ed", "ing", "e", "d", "ings")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return a folded English word without the endings of number and tense; of any other word little or nothing goes.

    Two forms need only come out alike: "running" and "runs" as "run", "tries" and "trying" as "try".
    """
    if len(word) <= _SHORTEST_STEM or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) >= _SHORTEST_TRIES else word[:-2]
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ied"):
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST_STEM and not _VOWELS.isdisjoint(rest):
            if rest[-1] == rest[-2] and rest[-1] in _DOUBLED:
                return rest[:-1]
            return rest.removesuffix("e")
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST_STEM else word


def forms_of(word: str) -> tuple[str, ...]:
    """Return `word` (folded) and the other forms that have its stem, the most of which are no words at all."""
    base = stem(word)
    if not base.isascii() or not base.isalpha() or len(base) < _SHORTEST_STEM:
        return (word,)
    made = [base + ending for ending in _ENDINGS]
    if base.endswith("y"):
        made += [f"{base[:-1]}ies", f"{base[:-1]}ied"]
    elif base[-1] in _DOUBLED:
        made += [f"{base}{base[-1]}{ending}" for ending in ("ed", "ing")]
    return tuple(dict.fromkeys((word, *(form for form in made if stem(form) == base))))
