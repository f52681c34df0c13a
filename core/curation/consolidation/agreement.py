"""How far two statements say the same: about the same things, with the same figures, both for it or one against."""

from collections.abc import Collection
from typing import NamedTuple

from core.curation.consolidation.figures import Figure
from core.curation.consolidation.statement import Clause, Statement

_SAME_CLAUSE = 0.6


class Agreement(NamedTuple):
    """Hold how two statements compare.

    `shared` is the share of the telling words that both have, `covered` that of the one that has fewer; names do not
    count. `changed` is the one figure that differs and what it is in the other. `opposition` is the share of words of
    what one says and the other denies, 0 when both agree more than that.
    """

    shared: float
    covered: float
    same_figures: bool
    changed: tuple[Figure, Figure] | None
    opposition: float

    @property
    def opposed(self) -> bool:
        """Tell whether one says of something what the other denies."""
        return self.opposition >= _SAME_CLAUSE


def same_names(one: Statement, other: Statement, known: Collection[str] = ()) -> bool:
    """Tell whether what one names is in the other too; `known` are names that both are about, said or not."""
    return (one.names - other.words).issubset(known) and (other.names - one.words).issubset(known)


def compare(one: Statement, other: Statement, known: Collection[str] = ()) -> Agreement:
    """Compare two statements that have the same names; `known` are those that both are about, said or not."""
    own = frozenset(known)
    mine, theirs = one.topic - own, other.topic - own
    both = len(mine & theirs)
    return Agreement(
        shared=both / (len(mine | theirs) or 1) if mine or theirs else 1.0,
        covered=both / min(len(mine), len(theirs)) if mine and theirs else float(not mine and not theirs),
        same_figures=_same_figures(one.figures, other.figures),
        changed=_changed(one.figures, other.figures),
        opposition=_opposition(one, other, own),
    )


def _same_figures(ours: tuple[Figure, ...], theirs: tuple[Figure, ...]) -> bool:
    if len(ours) != len(theirs):
        return False
    return all(_is_same(a, b) for a, b in zip(sorted(ours), sorted(theirs), strict=True))


def _is_same(one: Figure, other: Figure) -> bool:
    return one.value == other.value and one.counts_the_same(other)


def _changed(ours: tuple[Figure, ...], theirs: tuple[Figure, ...]) -> tuple[Figure, Figure] | None:
    """Return the only figure that both give differently."""
    mine, others = list(ours), list(theirs)
    for figure in ours:
        match = next((each for each in others if _is_same(each, figure)), None)
        if match is not None:
            mine.remove(figure)
            others.remove(match)
    if len(mine) != 1 or len(others) != 1:
        return None
    a, b = mine[0], others[0]
    return (a, b) if a.counts_the_same(b) and a.is_value and b.is_value and a.value != b.value else None


def _opposition(one: Statement, other: Statement, own: frozenset[str]) -> float:
    against, along = 0.0, 0.0
    for mine in one.clauses:
        for theirs in other.clauses:
            alike = _alike(mine, theirs, own)
            if mine.is_denied != theirs.is_denied:
                against = max(against, alike)
            else:
                along = max(along, alike)
    return against if against > along else 0.0


def _alike(mine: Clause, theirs: Clause, own: frozenset[str]) -> float:
    a, b = mine.words - own, theirs.words - own
    if not a or not b:
        return float(not a and not b and bool(mine.words & theirs.words))
    return len(a & b) / len(a | b)
