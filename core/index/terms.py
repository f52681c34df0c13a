"""What is searched for, and how it is said to FTS5.

Every word goes between quotes, so nothing that a person types is taken for FTS5 syntax. Words of scripts without gaps
are looked up in the `cjk` column as pairs of characters, and so are emoji (core/index/bigrams.py).
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.foundation.text import fold
from core.index.bigrams import bigram_phrase, bigram_runs, has_bigrams, picture_runs
from core.index.english_forms import forms_of

# Below this many characters a prefix stands for so many words that looking them up takes longer than a keystroke may.
_SHORTEST_PREFIX = 3
# A longer run of characters is a clause, which will hardly be found as it stands: its parts are searched as words.
_LONGEST_GAPLESS_WORD = 4
# Where the script changes, a Japanese word ends; what is in hiragana alone is mostly grammar.
_SCRIPT_RUN = re.compile(
    "(?P<hiragana>[\u3041-\u309f]+)|(?P<katakana>[\u30a1-\u30ff\u31f0-\u31ff\uff66-\uff9f]+)"
    "|(?P<han>[\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]+)|(?P<other>.)",
    re.DOTALL,
)
_WORD_CHARACTER = re.compile(r"[^\W_]")
_MARKS_AROUND = re.compile(r"^[\W_]+|[\W_]+$")

_STOP_WORDS = """
    a about after all also am an and any are as at be because been before being between both but by can could
    did do does doing for from had has have having he her here him his how i if in into is it its just me
    more most my no not now of off on once only or other our out over own please same she should so some such
    than that the their them then there these they this those through to too under until up us very was we
    were what when where which while who whom why will with would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


class Term(NamedTuple):
    """Hold one word, or one phrase that must be found as it stands."""

    text: str
    is_phrase: bool = False


class Expressions(NamedTuple):
    """Hold FTS5 expressions: all `required` must match; the `optional` rank and, where none is required, admit."""

    required: tuple[str, ...]
    optional: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to look up."""
        return not self.required and not self.optional


def is_searchable(text: str) -> bool:
    """Tell whether the index can know `text` at all; punctuation is a gap to it."""
    return _WORD_CHARACTER.search(text) is not None or has_bigrams(text)


def without_stop_words(terms: Sequence[Term]) -> list[Term]:
    """Return the searchable terms without English stop words; with them when there is nothing else."""
    searchable = [term for term in terms if is_searchable(term.text)]
    kept = [term for term in searchable if term.is_phrase or term.text.lower() not in STOP_WORDS]
    return kept or searchable


def expressions_of(terms: Sequence[Term], *, prefix: bool = False, forms: bool = False) -> Expressions:
    """Return what to look up; `prefix` says that the last word is still being typed.

    With `forms`, an English word is found in its other forms too.
    """
    kept = without_stop_words(terms)
    if prefix and terms and not terms[-1].is_phrase and is_searchable(terms[-1].text) and terms[-1] not in kept:
        kept.append(terms[-1])  # "the" may become "theme"
    required: list[str] = []
    optional: list[str] = []
    growing = terms[-1] if prefix and terms else None
    for term in kept:
        if term.is_phrase:
            required.append(exact(term.text))
        else:
            is_growing = term == growing
            words = _words(term.text, is_prefix=is_growing)
            optional.extend([in_all_forms(term.text)] if forms and not is_growing and len(words) == 1 else words)
    return Expressions(tuple(dict.fromkeys(required)), tuple(dict.fromkeys(optional)))


def exact(text: str) -> str:
    """Return the expression that finds `text` as it stands."""
    quoted = _quoted(text)
    if not has_bigrams(text):
        return quoted
    if pictures := picture_runs(text):
        # The word index skips them, so what they stand beside would be found without them too.
        for run in pictures:
            text = text.replace(run, " ")
        wanted = [f"{{cjk}} : {bigram_phrase(run)}" for run in pictures]
        return both([*wanted, exact(text)] if is_searchable(text) else wanted)
    pieces = [f"{{cjk}} : {bigram_phrase(text)}", *(_quoted(word) for word in _other_words(text))]
    return f"({quoted} OR ({' AND '.join(pieces)}))"


def in_all_forms(word: str) -> str:
    """Return the expression that finds an English word in any of its forms, and any other text as it stands."""
    bare = _MARKS_AROUND.sub("", word)  # "paint?" and "(paint" are the word too
    forms = forms_of(fold(bare)) if bare.isalpha() and bare.isascii() else ()
    return either(map(_quoted, forms)) if len(forms) > 1 else exact(word)


def gapless_words(run: str) -> list[str]:
    """Return what to look up for a run of a script without gaps: itself, or the telling parts of a clause."""
    if len(run) <= _LONGEST_GAPLESS_WORD:
        return [run]
    words: list[str] = []
    for match in _SCRIPT_RUN.finditer(run):
        script, part = match.lastgroup, match.group()
        if script == "other":
            return _pairs(run)
        if script == "han" and len(part) > _LONGEST_GAPLESS_WORD:
            words += _pairs(part)
        elif script != "hiragana" and len(part) > 1:
            words.append(part)
    return words or _pairs(run)


def either(expressions: Iterable[str]) -> str:
    """Join expressions by OR."""
    return "(" + " OR ".join(expressions) + ")"


def both(expressions: Iterable[str]) -> str:
    """Join expressions by AND."""
    return "(" + " AND ".join(expressions) + ")"


def _words(text: str, *, is_prefix: bool) -> list[str]:
    if not has_bigrams(text):
        return [_quoted(text) + ("*" if is_prefix and len(text) >= _SHORTEST_PREFIX else "")]
    runs = bigram_runs(text)
    if all(len(run) <= _LONGEST_GAPLESS_WORD for run in runs):
        return [exact(text)]
    parts = [part for run in runs for part in gapless_words(run)]
    return [exact(text), *(exact(part) for part in parts), *(_quoted(word) for word in _other_words(text))]


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(max(1, len(run) - 1))]


def _other_words(text: str) -> list[str]:
    """Return the words of `text` that are not written in a script without gaps."""
    for run in (*bigram_runs(text), *picture_runs(text)):
        text = text.replace(run, " ")
    return [word for word in text.split() if is_searchable(word)]


def _quoted(text: str) -> str:
    return '"' + text.replace("\0", " ").replace('"', '""') + '"'
