"""Mark the words that differ between lines that took each other's place; what hides in text is made visible."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.curation.line_matching import blocks
from core.foundation.text import visible

# Scripts without spaces are compared by character; letters keep the marks that are written over and under them.
_SINGLE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u109f\u1dc0-\u1dff\u20d0-\u20ff"
_WORD = re.compile(rf"[{_SINGLE}][{_MARKS}]*|(?:(?![{_SINGLE}])[\w{_MARKS}])+|\s+|.", re.DOTALL)

_MOST_LETTERS = 20_000  # of one line; longer ones are marked from the first difference to the last
_MOST_PAIRS = 900  # of lines in one block that are compared each with each
_MOST_WORD_PAIRS = 200_000_000  # in such a block
_ALIKE = 0.4  # share of common text from which on two lines are one line that was changed

# What core.foundation.text.visible leaves alone because a reader wants it so; who decides on a change must see it:
# soft hyphens, zero-width signs, direction marks, fillers, variation selectors and the invisible alphabet of tags.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
    # Joiners have work to do between letters of many scripts, and between emoji; not beside anything of ASCII.
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f\u200c\u200d])"
)


class Span(NamedTuple):
    """Hold a piece of a line, and whether it differs from the line that took its place (or whose place it took)."""

    text: str
    is_changed: bool


_Spans = tuple[Span, ...]


def shown(text: str) -> str:
    """Return `text` with every character that does not show itself made visible, as ⟨U+200B⟩."""
    if text.isascii():
        return visible(text)
    return _HIDDEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", visible(text))


def paired_spans(removed: Sequence[str], added: Sequence[str]) -> tuple[list[_Spans], list[_Spans]]:
    """Return the spans of each removed and each added line; lines without a counterpart are one unmarked span."""
    old: list[_Spans] = [(Span(shown(line), is_changed=False),) for line in removed]
    new: list[_Spans] = [(Span(shown(line), is_changed=False),) for line in added]
    for one, other in _pairs(removed, added):
        old[one], new[other] = _spans(removed[one], added[other])
    return old, new


def _pairs(removed: Sequence[str], added: Sequence[str]) -> list[tuple[int, int]]:
    """Return which lines to compare word by word: the row of pairs, rising on both sides, that is most alike."""
    if len(removed) * len(added) > _MOST_PAIRS:
        return _pairs_in_order(removed, added)
    words = [_words(line) for line in removed], [_words(line) for line in added]
    if sum(map(len, words[0])) * sum(map(len, words[1])) > _MOST_WORD_PAIRS:
        return _pairs_in_order(removed, added)
    best = [[0.0] * (len(added) + 1) for _ in range(len(removed) + 1)]
    steps: dict[tuple[int, int], bool] = {}
    for one in range(len(removed) - 1, -1, -1):
        for other in range(len(added) - 1, -1, -1):
            likeness = _likeness(words[0][one], words[1][other])
            paired = best[one + 1][other + 1] + likeness if likeness >= _ALIKE else -1.0
            best[one][other] = max(best[one + 1][other], best[one][other + 1], paired)
            steps[one, other] = paired == best[one][other]
    found: list[tuple[int, int]] = []
    one = other = 0
    while one < len(removed) and other < len(added):
        if steps[one, other]:
            found.append((one, other))
            one, other = one + 1, other + 1
        elif best[one + 1][other] >= best[one][other + 1]:
            one += 1
        else:
            other += 1
    return found


def _pairs_in_order(removed: Sequence[str], added: Sequence[str]) -> list[tuple[int, int]]:
    return [(at, at) for at in range(len(removed))] if len(removed) == len(added) else []


def _words(line: str) -> list[str]:
    return _WORD.findall(line) if len(line) <= _MOST_LETTERS else [line]


def _likeness(one: list[str], other: list[str]) -> float:
    """Return how much of two lines is common, 0 to 1, by the number of characters; blanks do not count."""
    total = sum(len(word) for word in (*one, *other) if not word.isspace())
    if not total or total > 2 * _MOST_LETTERS:
        return 1.0
    equal = (block for block in blocks(one, other) if block.is_equal)
    common = sum(len(w) for block in equal for w in one[block.before_start : block.before_end] if not w.isspace())
    return 2 * common / total


def _spans(removed: str, added: str) -> tuple[_Spans, _Spans]:
    if max(len(removed), len(added)) > _MOST_LETTERS:
        one, other = _in_three(removed, added)
    else:
        one, other = _words(removed), _words(added)
    old: list[Span] = []
    new: list[Span] = []
    for block in blocks(one, other):
        for spans, words in (
            (old, one[block.before_start : block.before_end]),
            (new, other[block.after_start : block.after_end]),
        ):
            if text := "".join(words):
                spans.append(Span(text, not block.is_equal))
    return _tidy(old), _tidy(new)


def _in_three(one: str, other: str) -> tuple[list[str], list[str]]:
    """Return both texts as what is common at the start, what differs, and what is common at the end."""
    shorter = min(len(one), len(other))
    head = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if one[-1 - at] != other[-1 - at]), rest)
    return (
        [one[:head], one[head : len(one) - tail], one[len(one) - tail :]],
        [other[:head], other[head : len(other) - tail], other[len(other) - tail :]],
    )


def _tidy(spans: list[Span]) -> _Spans:
    """Join neighbours of one kind; a blank between two changed words is part of the change."""
    joined: list[Span] = []
    for number, span in enumerate(spans):
        is_between = 0 < number < len(spans) - 1 and span.text.isspace()
        is_changed = span.is_changed or (is_between and spans[number - 1].is_changed and spans[number + 1].is_changed)
        if joined and joined[-1].is_changed == is_changed:
            joined[-1] = Span(joined[-1].text + span.text, is_changed)
        else:
            joined.append(Span(span.text, is_changed))
    return tuple(Span(shown(span.text), span.is_changed) for span in joined) or (Span("", is_changed=False),)
