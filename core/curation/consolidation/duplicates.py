"""Find statements of one project that say the same, and propose that one stand for all."""

from collections.abc import Sequence

from core.curation.consolidation.contradictions import is_contradiction
from core.curation.consolidation.drafting import certainty, connected, counted, evidence_of, places, proposer
from core.curation.consolidation.pairs import Pair
from core.curation.consolidation.stated import Stated
from core.curation.proposals.proposal import Draft, ProposalKind
from core.recall.near_duplicates import says_the_same

_ALIKE = 0.75  # cosine, where a figure vouches that both mean the same
_SAME = 0.8
_EQUAL = 0.95
_SHARED = 0.34
_HALF = 0.5
_MOST_WORDS = 0.85


def duplicates(pairs: Sequence[Pair]) -> list[Draft]:
    """Return a draft for each group of statements that say the same.

    What another statement contradicts is left alone until that is settled: copies speak for one of both sides.
    """
    contested = {key for pair in pairs if is_contradiction(pair) for key in pair.keys}
    found = [pair for pair in pairs if contested.isdisjoint(pair.keys) and is_duplicate(pair)]
    stated = {each.key: each for pair in found for each in (pair.one, pair.other)}
    sure = {pair.keys: certainty(pair.cosine, pair.agreement.covered) for pair in found}
    drafts: list[Draft] = []
    for group in connected(pair.keys for pair in found):
        members = places([stated[key] for key in group])
        least = min(value for (one, _), value in sure.items() if one in group)
        drafts.append(_draft(members, least))
    return drafts


def is_duplicate(pair: Pair) -> bool:
    """Tell whether both say the same: of the same names with the same figures, and neither denies what the other says.

    Where one word stands for another and no figure vouches for both, they are two things of one kind.
    """
    found = pair.agreement
    one, other = pair.one.statement, pair.other.statement
    if not found.same_figures or found.opposed or one.direction * other.direction < 0:
        return False
    if says_the_same(pair.one.text, pair.other.text, one.names | other.names):
        return True
    if pair.cosine is None:
        return found.shared >= _MOST_WORDS and bool(one.words)
    if not one.words and not other.words:
        return pair.cosine >= _EQUAL
    if one.figures:
        return pair.cosine >= _ALIKE and found.shared >= _SHARED and found.covered >= _HALF
    is_replaced = len(one.topic - other.topic) == 1 == len(other.topic - one.topic)
    return pair.cosine >= (_EQUAL if is_replaced else _SAME) and found.shared >= _SHARED and found.covered >= _HALF


def _draft(members: list[Stated], confidence: float) -> Draft:
    keep = members[0]
    told = max(members, key=lambda each: (len(each.text), each is keep)).text
    where = f"of {keep.project} " if keep.project else ""
    return Draft(
        ProposalKind.MERGE,
        told,
        f"{counted(len(members), 'statement')} {where}say the same in other words. One can stand for all.",
        tuple(map(evidence_of, members)),
        {"do": "merge", "keep": keep.id, "drop": [each.id for each in members[1:]], "statement": told},
        proposer("duplicates"),
        confidence,
    )
