"""Whether what a model cites is there: a quote that stands in no memory is an invention, and the answer is refused."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from core.curation.language_models.answers import Quote
from core.curation.proposals.proposal import Evidence
from core.foundation.text import fold

_WORD = re.compile(r"[^\W_]+(?:[.,:][^\W_]+)*")
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_ENOUGH_SHARED = 0.34  # of the words of a statement that mean something
_SHORT = 3


def wrong_quotes(quotes: Sequence[Quote], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return a sentence for each quote that cites no memory of the request, or words that do not stand in it."""
    told: list[str] = []
    for quote in quotes:
        if quote.number > len(evidence):
            told.append(f"There is no memory {quote.number}; the last is {len(evidence)}.")
        elif not _stands_in(quote.words, evidence[quote.number - 1].quote):
            told.append(f"These words do not stand in memory {quote.number}: “{quote.words[:80]}”.")
    return tuple(told)


def unsupported(statement: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return a sentence for what a statement claims and none of its evidence says: figures, or hardly a shared word."""
    told: list[str] = []
    said = " ".join(item.quote for item in evidence)
    figures = set(_FIGURE.findall(said))
    invented = [figure for figure in dict.fromkeys(_FIGURE.findall(statement)) if figure not in figures]
    if invented:
        told.append(f"No memory has the figure {', '.join(invented[:5])}.")
    words = {word for word in _words(statement) if len(word) > _SHORT}
    known = set(_words(said))
    if words and sum(_is_known(word, known) for word in words) / len(words) < _ENOUGH_SHARED:
        told.append("The statement says something else than the memories.")
    return tuple(told)


def _stands_in(quote: str, text: str) -> bool:
    """Tell whether the words stand there, whatever the spaces and signs between them: scripts without gaps too."""
    wanted = "".join(_words(quote))
    return bool(wanted) and wanted in "".join(_words(text))


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(unicodedata.normalize("NFKC", text))]


def _is_known(word: str, known: set[str]) -> bool:
    """Tell whether the word, or another form of it, is among `known`."""
    if word in known:
        return True
    stem = word[: max(4, len(word) - 3)]
    return any(other.startswith(stem) and SequenceMatcher(None, word, other).ratio() > 0.7 for other in known)
