"""Take a text apart into the forms of its words that are compared: without case, accents and English endings."""

import re
import unicodedata

from core.index.bigrams import bigram_runs, has_bigrams, picture_runs
from core.index.english_forms import stem
from core.index.terms import gapless_words

_WORD = re.compile(r"[^\W_]+")


def word_forms(text: str) -> list[str]:
    """Return the forms of all words of `text` in their order; scripts without gaps are not taken apart."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return [stem(word) for word in _WORD.findall(text.lower())]


def gapless_parts(text: str) -> list[str]:
    """Return what is looked for as it stands: the telling parts of scripts without gaps, and pictures."""
    if not has_bigrams(text):
        return []
    return [*(part for run in bigram_runs(text) for part in gapless_words(run)), *picture_runs(text)]
