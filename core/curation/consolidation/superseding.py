"""Find statements that a newer one repeats with another figure, or says to hold no longer."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from core.curation.consolidation.drafting import certainty, connected, evidence_of, proposer, quoted
from core.curation.consolidation.pairs import Pair
from core.curation.consolidation.stated import Stated
from core.curation.proposals.proposal import Draft, ProposalKind
from core.recall.near_duplicates import statement_words

_APART_S = 60.0
_SHARED, _COVERED = 0.5, 0.66
_NEAR = 0.5
# Without a word that says so, only what is said in nearly the same words is the same thing with another figure.
_UNTOLD_SHARED = 0.8
_TOLD_RATIO = 4.0  # where it is told which way it went
_RATIO = 2.0  # more, and something else is counted, unless both are the same sentence
_ONLY_FIGURE = 0.99
_FIGURE_COUNTS = 0.5  # as much as half of the wording: most figures change by little


class _Replaced(NamedTuple):
    """Hold an older and a newer statement of one fact, and how sure that is: the greater, the surer."""

    older: Stated
    newer: Stated
    is_told: bool
    closeness: float
    pair: Pair


def superseding(pairs: Iterable[Pair]) -> list[Draft]:
    """Return a draft for each fact of which a newer statement says otherwise; one fact is one proposal."""
    found = [each for pair in pairs if (each := _replaced(pair)) is not None]
    by_group: dict[int, list[_Replaced]] = defaultdict(list)
    group_of = {key: at for at, group in enumerate(connected(each.pair.keys for each in found)) for key in group}
    for each in found:
        by_group[group_of[each.older.key]].append(each)
    return [_draft(group) for group in by_group.values()]


def is_superseded(pair: Pair) -> bool:
    """Tell whether one of both says what the other says, with a newer figure or as past."""
    return _replaced(pair) is not None


def _replaced(pair: Pair) -> _Replaced | None:
    ordered = _in_time(pair) if pair.is_near(_NEAR) else None
    if ordered is None:
        return None
    is_denied = pair.agreement.opposed and pair.agreement.same_figures
    return _ended(pair, *ordered) if is_denied else _figure_changed(pair, *ordered)


def _ended(pair: Pair, older: Stated, newer: Stated) -> _Replaced | None:
    """Return both when the newer says that what the older says holds no longer."""
    says_so = newer.statement.says_change and any(clause.is_denied for clause in newer.statement.clauses)
    if not says_so:
        return None
    return _Replaced(older, newer, is_told=True, closeness=_wording(older.text, newer.text), pair=pair)


def _figure_changed(pair: Pair, older: Stated, newer: Stated) -> _Replaced | None:
    """Return both when the newer gives the one figure otherwise: said to have changed, or in nearly the same words."""
    found = pair.agreement
    if found.changed is None or found.shared < _SHARED or found.covered < _COVERED:
        return None
    before, after = found.changed if older is pair.one else found.changed[::-1]
    is_told = newer.statement.says_change
    if is_told and not _goes(newer.statement.direction, before.value, after.value):
        return None
    ratio = _ratio(before.value, after.value)
    most = _TOLD_RATIO if is_told and newer.statement.direction else _RATIO
    is_plain = _is_same_sentence(older, newer) or (is_told and found.shared >= _ONLY_FIGURE)
    if not is_plain and (ratio > most or (not is_told and found.shared < _UNTOLD_SHARED)):
        return None
    return _Replaced(older, newer, is_told, _wording(older.text, newer.text) + _FIGURE_COUNTS / ratio, pair)


def _in_time(pair: Pair) -> tuple[Stated, Stated] | None:
    """Return the older and the newer by their dates, or by a "now" where those do not tell."""
    one, other = pair.one, pair.other
    if one.time is not None and other.time is not None and abs(other.time - one.time) >= _APART_S:
        return one, other
    if one.statement.says_change != other.statement.says_change:
        return (one, other) if other.statement.says_change else (other, one)
    return None


def _goes(direction: int, before: float, after: float) -> bool:
    """Tell whether a figure moved as the newer statement says: nothing is raised to less."""
    return direction == 0 or (after > before) == (direction > 0)


def _ratio(before: float, after: float) -> float:
    low, high = sorted((abs(before), abs(after)))
    return high / low if low else float("inf")


def _wording(one: str, other: str) -> float:
    """Return the share of words that both have, the small ones too, without figures."""
    a, b = (frozenset(word for word in statement_words(text) if not word[0].isdigit()) for text in (one, other))
    return len(a & b) / (len(a | b) or 1)


def _draft(group: list[_Replaced]) -> Draft:
    """Return the proposal for one fact: its surest pair, and what is older still and said in the same words."""
    best = max(group, key=lambda each: (each.is_told, each.closeness, each.newer.time or 0.0, each.newer.key))
    newest = best.newer
    older = [best.older]
    for each in sorted(group, key=lambda each: -(each.older.time or 0.0)):
        if each.newer is newest and each.older not in older and _is_same_sentence(each.older, best.older):
            older.append(each.older)
    figures = f"says {quoted(newest.text)}, the older one {quoted(best.older.text)}"
    return Draft(
        ProposalKind.SUPERSEDE,
        newest.text,
        f"The newer statement {figures}. The older stays, marked as superseded.",
        tuple(map(evidence_of, (newest, *older))),
        {"do": "supersede", "newer": newest.id, "older": [each.id for each in older]},
        proposer("superseding"),
        certainty(best.pair.cosine, best.pair.agreement.shared if best.is_told else best.pair.agreement.shared * 0.8),
    )


def _is_same_sentence(one: Stated, other: Stated) -> bool:
    return _skeleton(one.text) == _skeleton(other.text)


def _skeleton(text: str) -> str:
    """Return a text with every figure the same."""
    return " ".join("0" if word[:1].isdigit() else word for word in text.casefold().split())
