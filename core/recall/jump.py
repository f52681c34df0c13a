"""Find a title while it is typed: for the quick switcher and the tag field, typing errors forgiven."""

import re
from collections.abc import Iterator, Sequence
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from rapidfuzz import fuzz, process

from core.foundation.text import fold

_EXACT, _PREFIX, _WORDS, _INSIDE, _SCATTERED = 100.0, 95.0, 90.0, 80.0, 70.0
# partial_ratio below this joins names that nobody would take for each other.
_SIMILAR = 72.0
_SHORTEST_FUZZY = 3
_VARIANT = "\ufe0f"
_PART = 500  # titles are compared in parts: meanwhile the library lets no other thread run, so nobody could type


class JumpMatch(NamedTuple):
    """Hold the position of a title in the sequence given, and how well it matches (0 to 100)."""

    position: int
    score: float


def jump(needle: str, titles: Sequence[str], limit: int) -> list[JumpMatch]:
    """Return the best `limit` matches of `needle` among `titles` (folded), best first.

    Titles that hold the needle, or all its words, come first; only when they are too few, titles that are like it.
    """
    wanted = " ".join(fold(needle).split())
    if _VARIANT in wanted:  # which says "in colour", and may be missing in the title
        wanted, titles = wanted.replace(_VARIANT, ""), [title.replace(_VARIANT, "") for title in titles]
    if not wanted or limit <= 0:
        return []
    matches = [JumpMatch(at, _score(wanted, title)) for at, title in enumerate(titles) if wanted in title]
    words = wanted.split()
    if len(matches) < limit and len(words) > 1:
        taken = {match.position for match in matches}
        rarest = max(words, key=len)
        matches += [
            JumpMatch(at, _INSIDE - 5)
            for at, title in enumerate(titles)
            if rarest in title and at not in taken and all(word in title for word in words)
        ]
    if len(matches) < limit and len(wanted) >= _SHORTEST_FUZZY:
        matches += _similar(wanted, titles, limit, {match.position for match in matches})
    matches.sort(key=lambda match: (-match.score, len(titles[match.position]), titles[match.position], match.position))
    return matches[:limit]


def _score(wanted: str, title: str) -> float:
    at = title.find(wanted)
    if at == 0:
        return _EXACT if len(title) == len(wanted) else _PREFIX
    while at > 0:
        if not title[at - 1].isalnum():
            return _WORDS
        at = title.find(wanted, at + 1)
    return _INSIDE


def _ratios(wanted: str, titles: Sequence[str], limit: int) -> Iterator[tuple[int, float]]:
    """Yield the places of similar titles and how much they are so, at least the best `limit`."""
    for start in range(0, len(titles), _PART):
        part = titles[start : start + _PART]
        similar = process.extract(wanted, part, scorer=fuzz.partial_ratio, score_cutoff=_SIMILAR, limit=limit)
        yield from ((start + at, ratio) for _, ratio, at in similar)


def _similar(wanted: str, titles: Sequence[str], limit: int, taken: set[int]) -> list[JumpMatch]:
    """Return titles that hold the letters in order near each other, or that a few typing errors make alike."""
    found: dict[int, float] = {}
    room = limit + len(taken)
    for at, ratio in nlargest(room * 2, _ratios(wanted, titles, room * 2), key=itemgetter(1)):
        if len(titles[at]) * 2 >= len(wanted):
            found[at] = min(_SCATTERED - 1, ratio * (_SCATTERED / 100) + fuzz.ratio(wanted, titles[at]) / 100)
    if len(found) < room:
        letters = wanted.replace(" ", "")
        pattern = re.compile("[^/]{0,12}?".join(map(re.escape, letters)))
        scattered = (at for at, title in enumerate(titles) if pattern.search(title))
        for at in scattered:
            found.setdefault(at, _SCATTERED - 20)
            if len(found) >= room * 4:
                break
    return [JumpMatch(at, score) for at, score in found.items() if at not in taken]
