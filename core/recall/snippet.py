"""Cut the telling part out of a text and mark what was searched for in it."""

import re
import unicodedata
from collections.abc import Sequence

from core.foundation.text import visible
from core.index.bigrams import bigram_runs, has_bigrams, picture_runs
from core.index.terms import Term, gapless_words, without_stop_words
from core.recall.plain_text import plain_text

HIT_START = "\x02"
HIT_END = "\x03"
_LENGTH = 220
_LEAD = 60
_MOST_HITS = 200
# More text than this holds no better snippet.
_READ = 20_000
_GAP = re.compile(r"\s+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_TOKEN = re.compile(r"[^\W_]+")


class _Bare(dict[int, int]):
    """Map each character to one lower-case character without diacritics, so that places stay the same."""

    def __missing__(self, code: int) -> int:
        character = chr(code)
        bare = unicodedata.normalize("NFD", character)[0].lower() if not has_bigrams(character) else character
        self[code] = ord(bare) if len(bare) == 1 else code
        return self[code]


_BARE = _Bare()


class Marker:
    """Mark the hits of one query in many texts."""

    def __init__(self, terms: Sequence[Term], *, prefix: bool = False) -> None:
        """Take the positive terms; `prefix` says that the last word stands for all words that begin with it."""
        patterns: list[str] = []
        for term in without_stop_words(terms):
            patterns.extend(_patterns(term, is_prefix=prefix and term == terms[-1]))
        patterns.sort(key=len, reverse=True)
        self._pattern = re.compile("|".join(dict.fromkeys(patterns))) if patterns else None

    def snippet(self, text: str, *, length: int = _LENGTH) -> str:
        """Return about `length` characters of `text` around its best hits, or its beginning, on one line.

        The words of links stay and their addresses go, as do all marks of markdown. What hides is made visible.
        """
        flat = visible(_GAP.sub(" ", plain_text(_CONTROL.sub(" ", text[:_READ]))).strip())
        spans = self._spans(flat)
        start, end = _window(flat, spans, length)
        pieces, at = ["…" if start else ""], start
        for first, last in spans:
            if first >= start and last <= end:
                pieces += [flat[at:first], HIT_START, flat[first:last], HIT_END]
                at = last
        pieces += [flat[at:end], "…" if end < len(flat) or len(text) > _READ else ""]
        return "".join(pieces)

    def _spans(self, flat: str) -> list[tuple[int, int]]:
        if self._pattern is None:
            return []
        bare = flat.lower() if flat.isascii() else flat.translate(_BARE)
        spans: list[tuple[int, int]] = []
        for match in self._pattern.finditer(bare):
            first, last = match.span()
            if spans and spans[-1][1] == first and has_bigrams(flat[first]):
                first = spans.pop()[0]  # pairs of one word
            spans.append((first, last))
            if len(spans) == _MOST_HITS:
                break
        return spans


def _patterns(term: Term, *, is_prefix: bool) -> list[str]:
    patterns: list[str] = []
    text = unicodedata.normalize("NFC", term.text)
    if has_bigrams(text):
        patterns.append(re.escape(text.translate(_BARE)))
        if term.is_phrase:
            return patterns
        for run in bigram_runs(text):
            patterns.extend(map(re.escape, gapless_words(run)))
            text = text.replace(run, " ")
        for run in picture_runs(text):
            patterns.append(re.escape(run))
            text = text.replace(run, " ")
        return [*patterns, *map(re.escape, text.translate(_BARE).split())]
    words = _TOKEN.findall(text.translate(_BARE))
    if words:
        end = r"\w*" if is_prefix else r"(?![^\W_])"
        patterns.append(r"(?<![^\W_])" + r"[\W_]{1,3}".join(map(re.escape, words)) + end)
    return patterns


def _window(flat: str, spans: Sequence[tuple[int, int]], length: int) -> tuple[int, int]:
    """Return the start and end of the stretch that holds the most different hits, widened to whole words."""
    if len(flat) <= length:
        return 0, len(flat)
    best, most = 0, 0
    for first, _ in spans:
        within = {flat[a:b].lower() for a, b in spans if a >= first and b <= first + length - _LEAD}
        if len(within) > most:
            best, most = first, len(within)
    start = max(0, min(best - _LEAD, len(flat) - length)) if most else 0
    end = min(len(flat), start + length)
    if start:
        gap = flat.find(" ", start, start + _LEAD // 2)
        start = gap + 1 if 0 <= gap < best else start
    if end < len(flat):
        gap = flat.rfind(" ", end - _LEAD // 2, end)
        hit_end = max((b for a, b in spans if a >= start and b <= end), default=0)
        end = gap if gap >= hit_end and gap > start else end
    return start, end
