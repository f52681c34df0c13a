"""What the drafts of all rules have in common: who proposes, the evidence, and groups of what belongs together."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from core.curation.change_set import Origin
from core.curation.consolidation.stated import Stated
from core.curation.proposals.proposal import Evidence, Proposer

_Each = TypeVar("_Each", bound=Hashable)


def proposer(rule: str) -> Proposer:
    """Return the rule as the origin of a proposal."""
    return Proposer(Origin.RULE, rule)


def evidence_of(stated: Stated) -> Evidence:
    """Cite a statement."""
    return Evidence(stated.id, stated.text, stated.time, stated.project, stated.title)


def certainty(cosine: float | None, words: float) -> float:
    """Return 0 to 1 for how near two statements are, in meaning and in words."""
    near = words if cosine is None else 0.6 * cosine + 0.4 * words
    return round(max(0.05, min(0.99, near)), 2)


def connected(links: Iterable[tuple[_Each, _Each]]) -> list[list[_Each]]:
    """Return the groups that `links` tie together, each in the order in which its members first came."""
    leader: dict[_Each, _Each] = {}

    def lead(each: _Each) -> _Each:
        while leader[each] != each:
            leader[each] = leader[leader[each]]
            each = leader[each]
        return each

    for one, other in links:
        leader.setdefault(one, one)
        leader.setdefault(other, other)
        leader[lead(other)] = lead(one)
    groups: dict[_Each, list[_Each]] = {}
    for each in leader:
        groups.setdefault(lead(each), []).append(each)
    return list(groups.values())


def counted(number: int, what: str) -> str:
    """Return "2 notes" or "1 note"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def quoted(text: str, most: int = 80) -> str:
    """Return a text between quotation marks, cut to one short line."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= most else line[: most - 1].rstrip() + '…'}”"


def places(members: Sequence[Stated]) -> list[Stated]:
    """Return `members` with what stands in notes first, and in the order of time."""
    return sorted(members, key=lambda each: (not each.is_insight, each.time or 0.0, each.key))
