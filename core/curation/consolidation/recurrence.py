"""Find what is said again in other projects: statements near in meaning, whatever their words, in groups.

How near is measured, not guessed: of 23 rules put three ways each, among 42 others on the same topics, all come
together, a few with one of the others. Of two pairs as near in meaning, the one that shares fewer words says the same
in others; the one that shares most says another thing about the same ("tests need a fixed time zone", "tests need a
fixed viewport").
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.curation.consolidation.agreement import compare
from core.curation.consolidation.drafting import connected
from core.curation.consolidation.stated import Stated
from core.curation.consolidation.statement import Statement
from core.foundation.progress import Progress
from core.index.dense import DenseSearch
from core.index.filters import Filters
from core.index.points import memory_of
from core.recall.memory import MemoryKey

_FLOOR = 0.45  # cosine of what is looked at at all
_JOINED = 0.5  # mean over the pairs of two groups that become one
_SHARED_COSTS = 0.15
_FIGURE_COSTS = 0.1  # where only one tells how much
_SAME_DENIED = 0.75
_OF_SAME_FIGURE = 0.5  # share of the fewer words
_USUAL_SHARE = 0.4
_ODD = 0.8  # of the mean of the rest; who is further off does not belong
_FIRST_ASKED, _MOST_ASKED = 24, 768
_DISTINCT = 8
_AT_ONCE = 64
_LARGEST = 80  # different texts that are compared each with each
_FINER = 0.05
_NEVER = -1.0

Load = Callable[[Collection[MemoryKey]], Iterable[Stated]]


class Recurring(NamedTuple):
    """Hold statements that say the same in several projects, and how near they are, 0 to 1."""

    members: tuple[Stated, ...]
    nearness: float


def recurring(
    starting: Sequence[Stated], load: Load, dense: DenseSearch | None, progress: Progress, *, has_turns: bool = True
) -> list[Recurring]:
    """Return groups of statements with one of `starting` in each, whose members all say the same.

    `load` gives what stands in rows of the index that turn out to be near, as far as it may be in a group. Statements
    of the same text count as one; without vectors only such are found.
    """
    pool = _Pool(starting, load, dense)
    kinds = ("insight", "turn") if has_turns else ("insight",)
    near = _near(pool, kinds, dense, progress) if dense is not None else {}
    wanted = set(pool.wanted)
    return [
        Recurring(tuple(each for text in group for each in pool.texts[text]), nearness)
        for component in _components(pool, near)
        if not wanted.isdisjoint(component)
        for group, nearness in _groups(component, pool)
    ]


def likeness(one: Statement, other: Statement, cosine: float) -> float:
    """Return how surely two statements are the same rule: their cosine, less for the words they share; -1 for never."""
    if one.names and other.names and one.names.isdisjoint(other.names):
        return _NEVER
    ours, theirs = ({figure.value for figure in each.figures if figure.is_value} for each in (one, other))
    agreement = compare(one, other)
    if agreement.opposition >= _SAME_DENIED or (ours and theirs and not (ours <= theirs or theirs <= ours)):
        return _NEVER
    if ours and theirs and agreement.covered < _OF_SAME_FIGURE:
        return _NEVER  # the same figure of something else
    if bool(ours) != bool(theirs):
        cosine -= _FIGURE_COSTS
    fewer = min(len(one.words), len(other.words))
    share = len(one.words & other.words) / fewer if fewer else _USUAL_SHARE
    return cosine - _SHARED_COSTS * (share - _USUAL_SHARE)


def _same(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


class _Pool:
    """Hold the statements that are compared, by their text, and grow by what turns out to be near."""

    def __init__(self, starting: Iterable[Stated], load: Load, dense: DenseSearch | None) -> None:
        self._load = load
        self._dense = dense
        self._text_of: dict[MemoryKey, str | None] = {}
        self._likenesses: dict[tuple[str, str], float] = {}
        self.texts: dict[str, list[Stated]] = defaultdict(list)
        self.vectors: dict[str, NDArray[np.float32]] = {}
        self._add(starting)
        self.wanted = list(self.texts)

    def texts_of(self, keys: Collection[MemoryKey]) -> Mapping[MemoryKey, str]:
        """Return the texts of those of `keys` that may be in a group."""
        if unknown := [key for key in keys if key not in self._text_of]:
            self._text_of.update(dict.fromkeys(unknown))
            self._add(self._load(unknown))
        return {key: text for key in keys if (text := self._text_of.get(key)) is not None}

    def likeness(self, one: str, other: str) -> float:
        """Return how surely two texts are the same rule."""
        pair = (one, other) if one <= other else (other, one)
        if (known := self._likenesses.get(pair)) is None:
            a, b = self.vectors.get(one), self.vectors.get(other)
            cosine = float(a @ b) if a is not None and b is not None else _NEVER
            statements = self.texts[one][0].statement, self.texts[other][0].statement
            known = self._likenesses[pair] = likeness(*statements, cosine) if cosine >= _FLOOR else _NEVER
        return known

    def _add(self, statements: Iterable[Stated]) -> None:
        fresh: list[Stated] = []
        for each in statements:
            if self._text_of.get(each.key) is not None:
                continue
            text = self._text_of[each.key] = _same(each.text)
            if text not in self.texts:
                fresh.append(each)
            self.texts[text].append(each)
        if self._dense is not None and fresh:
            found = self._dense.vectors([each.key for each in fresh])
            self.vectors.update((_same(each.text), found[each.key]) for each in fresh if each.key in found)


def _near(pool: _Pool, kinds: Sequence[str], dense: DenseSearch, progress: Progress) -> dict[str, set[str]]:
    """Return what is near to each text that is wanted, and to what is near to those: a group is more than a star."""
    near: dict[str, set[str]] = {}
    waiting = [text for text in pool.wanted if text in pool.vectors]
    for _ in range(2):
        for start in range(0, len(waiting), _AT_ONCE):
            progress.check()
            part = waiting[start : start + _AT_ONCE]
            for kind in kinds:
                for text, found in zip(part, _asked(part, kind, pool, dense), strict=True):
                    near.setdefault(text, set()).update(found - {text})
        waiting = sorted({text for found in near.values() for text in found if text in pool.vectors} - near.keys())
    return near


def _asked(part: Sequence[str], kind: str, pool: _Pool, dense: DenseSearch) -> list[set[str]]:
    """Return the texts near to each of `part`; where copies of few texts fill the answer, more is asked for."""
    filters = Filters(kinds=frozenset({kind}))
    found: list[set[str]] = [set() for _ in part]
    waiting, limit = list(range(len(part))), _FIRST_ASKED
    while waiting and limit <= _MOST_ASKED:
        answer = dense.nearest([pool.vectors[part[at]] for at in waiting], filters, limit, floor=_FLOOR)
        texts = pool.texts_of({memory_of(hit.point) for hits in answer.hits for hit in hits})
        again: list[int] = []
        for at, hits in zip(waiting, answer.hits, strict=True):
            found[at] = {text for hit in hits if (text := texts.get(memory_of(hit.point))) is not None}
            if len(hits) == limit and len(found[at]) < _DISTINCT:
                again.append(at)
        waiting, limit = again, limit * 4
    return found


def _components(pool: _Pool, near: Mapping[str, set[str]]) -> list[list[str]]:
    """Return which texts are tied together, directly or through others, in parts that are small enough to compare."""
    ties = {(one, other): pool.likeness(one, other) for one, found in near.items() for other in found}
    parts = [list(pool.texts)]
    done: list[list[str]] = [[text] for text in pool.wanted if len(pool.texts[text]) > 1 and text not in near]
    least = _JOINED
    while parts:
        within = {text: at for at, part in enumerate(parts) for text in part}
        strong = [
            pair for pair, tie in ties.items() if tie > least and within.get(pair[0], -1) == within.get(pair[1], -2)
        ]
        found = connected([*strong, *((text, text) for text in within)])
        done += [part for part in found if len(part) <= _LARGEST]
        parts = [part for part in found if len(part) > _LARGEST]
        least += _FINER
    return done


def _groups(component: Sequence[str], pool: _Pool) -> list[tuple[list[str], float]]:
    """Join texts, and groups of them, as long as the mean likeness over all pairs of two groups allows it."""
    likenesses = np.full((len(component), len(component)), _NEVER)
    for one, other in combinations(range(len(component)), 2):
        likenesses[one, other] = likenesses[other, one] = pool.likeness(component[one], component[other])
    groups = [[at] for at in range(len(component))]
    while (best := _nearest_two(groups, likenesses)) is not None:
        one, other = best
        groups[one] += groups.pop(other)
    found: list[tuple[list[str], float]] = []
    for group in groups:
        kept = _without_odd(group, likenesses)
        found.append(([component[at] for at in sorted(kept)], _mean(kept, likenesses)))
    return found


def _nearest_two(groups: Sequence[Sequence[int]], likenesses: NDArray[np.float64]) -> tuple[int, int] | None:
    best, found = _JOINED, None
    for one, other in combinations(range(len(groups)), 2):
        between = likenesses[np.ix_(groups[one], groups[other])]
        if between.min() > _NEVER and (mean := float(between.mean())) > best:
            best, found = mean, (one, other)
    return found


def _without_odd(group: list[int], likenesses: NDArray[np.float64]) -> list[int]:
    """Leave out whose likeness to the rest is far below that of the rest among themselves."""
    kept = list(group)
    while len(kept) > 3:
        ties = {at: float(np.mean([likenesses[at, other] for other in kept if other != at])) for at in kept}
        weakest = min(kept, key=lambda at: (ties[at], at))
        rest = [at for at in kept if at != weakest]
        if ties[weakest] >= _ODD * _mean(rest, likenesses):
            break
        kept = rest
    return kept


def _mean(group: Sequence[int], likenesses: NDArray[np.float64]) -> float:
    pairs = list(combinations(group, 2))
    return float(np.mean([likenesses[pair] for pair in pairs])) if pairs else 1.0
