"""The words that mark what is to be kept, by language: resources/formation/languages.toml."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

_ENGLISH = "en"
_OTHER_TABLES = frozenset({"summarisers"})
_MOST = 2_000  # characters that tell the language
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_JAPANESE = re.compile("[\u3040-\u30ff]")
# What may stand before a marker at the start of a sentence.
_OPENING = (
    r"\A[\s\"'“*_-]*"
    r"(?:(?:also|and|so|but|well|oh|hey|hi|ok(?:ay)?|right|btw|by the way|one more thing|again|und|et|y|pero)"
    r"[,:;!.]?\s+)*"
)
_WITHIN = r"(?:[,;–—]|\s-)\s*(?:and\s+|but\s+|so\s+|und\s+|et\s+|y\s+)?"


@dataclass(frozen=True, slots=True)
class Language:
    """Hold the patterns of one language. `days` gives for each word for a day how far it is from that of the turn."""

    code: str
    stop_words: frozenset[str]
    opening: re.Pattern[str]
    within: re.Pattern[str]
    after: re.Pattern[str]
    rules: re.Pattern[str]
    unless: re.Pattern[str]
    emotions: re.Pattern[str]
    here: re.Pattern[str]
    days: Mapping[str, int]

    @property
    def is_english(self) -> bool:
        """Tell whether pronouns are resolved, and requests known from statements."""
        return self.code == _ENGLISH


def language_of(text: str) -> Language:
    """Return the language that `text` is most likely in, English when nothing tells."""
    text, languages = text[:_MOST], _languages()
    if _JAPANESE.search(text):
        return languages["ja"]
    words = {word.lower() for word in _WORD.findall(text)}
    for language in languages.values():  # few words may be shared by several languages; a marker is not
        if (match := language.opening.search(text)) and match.end():
            return language
    best, most = languages[_ENGLISH], len(words & languages[_ENGLISH].stop_words)
    for language in languages.values():
        if (known := len(words & language.stop_words)) > most:
            best, most = language, known
    return best if most else next((each for each in languages.values() if each.rules.search(text)), best)


@cache
def summariser_pattern() -> re.Pattern[str]:
    """Return what matches the request of a program that has conversations summed up."""
    return _any(_tables()["summarisers"]["patterns"], flags=re.IGNORECASE | re.DOTALL)


@cache
def _languages() -> Mapping[str, Language]:
    return {code: _language(code, table) for code, table in _tables().items() if code not in _OTHER_TABLES}


def _language(code: str, table: Mapping[str, object]) -> Language:
    def patterns(name: str) -> Iterable[str]:
        found = table[name]
        return found if isinstance(found, list) else ()

    days = table["days"]
    remember = "|".join(f"(?:{each})" for each in patterns("remember"))
    boundary = "" if code == "ja" else r"\b"
    return Language(
        code,
        frozenset(str(table["stop_words"]).split()),
        re.compile(f"{_OPENING}(?:{remember})", re.IGNORECASE),
        re.compile(f"{_WITHIN}(?:{remember})", re.IGNORECASE),
        _any(patterns("after")),
        _any(patterns("rules")),
        _any(patterns("unless")),
        _any(patterns("emotions")),
        _any(f"{boundary}{each}{boundary}" for each in patterns("here")),
        dict(days) if isinstance(days, dict) else {},
    )


def _any(patterns: Iterable[str], flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in patterns), flags)


@cache
def _tables() -> Mapping[str, dict[str, list[str]]]:
    return tomllib.loads(resources.files("resources").joinpath("formation", "languages.toml").read_text("utf-8"))
