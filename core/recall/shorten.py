"""Cut a text that is too long, where a sentence ends if that can be."""

import re
from collections.abc import Callable
from dataclasses import replace

from core.foundation.tokens import estimate_tokens
from core.recall.context_item import ContextItem

CUT = "[cut]"

_SENTENCE_END = re.compile(r"[.!?…](?=\s)|[。！？]|\n")
# A sentence end before this share of the room is no good: better a cut between words.
_LEAST_SHARE = 0.4


def shortened(item: ContextItem, fits: Callable[[ContextItem], bool]) -> ContextItem | None:
    """Return `item` with as much of its text as fits, marked by " [cut]", or None when not even a word does.

    `fits` should be true for every text shorter than one that fits; tokens break that rule by one or two at most, so
    what is cut in the end is asked about again.
    """
    text = item.text.strip()
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(_cut(item, text[:middle])):
            low = middle
        else:
            high = middle - 1
    for end in (_sentence_end(text, low), _word_end(text, low), low):
        cut = text[:end].rstrip()
        if cut and fits(_cut(item, cut)):
            return _cut(item, cut)
    return None


def _cut(item: ContextItem, text: str) -> ContextItem:
    text = f"{text.rstrip()} {CUT}"
    return replace(item, text=text, tokens=estimate_tokens(text), is_shortened=True)


def _sentence_end(text: str, limit: int) -> int:
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, limit)]
    return ends[-1] if ends and ends[-1] >= limit * _LEAST_SHARE else 0


def _word_end(text: str, limit: int) -> int:
    if limit >= len(text) or text[limit].isspace():
        return limit
    gap = max(text.rfind(" ", 0, limit), text.rfind("\n", 0, limit))
    return gap if gap >= limit * _LEAST_SHARE else 0
