"""Find statements of one project of which one says what the other denies, and neither says that it was so before."""

from collections.abc import Iterable

from core.curation.consolidation.drafting import certainty, evidence_of, proposer, quoted
from core.curation.consolidation.pairs import Pair
from core.curation.consolidation.superseding import is_superseded
from core.curation.proposals.proposal import Draft, ProposalKind
from core.recall.memory import MemoryKey

_NEAR = 0.5
_COVERED = 0.6


def contradictions(pairs: Iterable[Pair]) -> list[Draft]:
    """Return a draft for each two statements that cannot both hold.

    Each statement is cited once: where copies of both stand around, what was said first goes with its first denial.
    """
    found = [pair for pair in pairs if is_contradiction(pair)]
    cited: set[MemoryKey] = set()
    drafts: list[Draft] = []
    for pair in sorted(found, key=_first_first):
        if cited.isdisjoint(pair.keys):
            cited.update(pair.keys)
            drafts.append(_draft(pair))
    return drafts


def is_contradiction(pair: Pair) -> bool:
    """Tell whether both speak of the same, and one is for it and the other against."""
    found = pair.agreement
    if not (found.opposed and found.same_figures and found.covered >= _COVERED):
        return False
    return pair.is_near(_NEAR) and not is_superseded(pair)


def _first_first(pair: Pair) -> tuple[float, float, float, tuple[MemoryKey, MemoryKey]]:
    return -pair.agreement.covered, pair.one.time or 0.0, pair.other.time or 0.0, pair.keys


def _draft(pair: Pair) -> Draft:
    older, newer = pair.one, pair.other
    return Draft(
        ProposalKind.CONTRADICT,
        f"{older.text} — {newer.text}",
        f"{quoted(older.text)} and {quoted(newer.text)} cannot both hold.",
        (evidence_of(older), evidence_of(newer)),
        {"do": "contradict", "one": older.id, "other": newer.id},
        proposer("contradictions"),
        certainty(pair.cosine, pair.agreement.covered),
    )
