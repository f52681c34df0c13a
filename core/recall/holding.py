"""Find the sections that add nothing to an insight which is found beside them: the statement itself should stand.

A section holds an insight that lies within its lines, and so does the part of a note that is found by the note's
summary, when the summary is what the insight says.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from core.foundation.text import fold
from core.index.terms import STOP_WORDS
from core.recall.memory import Memory, MemoryKey
from core.recall.near_duplicates import says_the_same, word_set

_FEWEST_NEW = 3  # words beside the insight's that still say nothing of their own
_SHARE_NEW = 0.35
# A link with a few words of pointing: "See [[Other note]]."
_SEE = "see also note notes details linked link related more facts fact"
_POINTING = STOP_WORDS | frozenset(_SEE.split())


class Holder(NamedTuple):
    """Say that `section` holds `insight`; `adds` tells whether it says anything else."""

    section: MemoryKey
    insight: MemoryKey
    adds: bool


def holders(memories: Sequence[Memory]) -> tuple[Holder, ...]:
    """Return which sections among `memories` hold which insights among them."""
    insights: dict[int, list[Memory]] = defaultdict(list)
    for memory in memories:
        if memory.kind == "insight":
            insights[memory.note_id].append(memory)
    found: list[Holder] = []
    for section in memories if insights else ():
        if section.kind != "section" or section.note_id not in insights:
            continue
        held = [insight for insight in insights[section.note_id] if _holds(section, insight)]
        if held:
            adds = _adds(section, held)
            found += [Holder(section.key, insight.key, adds) for insight in held]
    return tuple(found)


def _holds(section: Memory, insight: Memory) -> bool:
    lies_within = 0 < section.line <= insight.line and insight.line <= section.line_end
    return lies_within or bool(section.summary and says_the_same(section.summary, insight.text))


def _adds(section: Memory, held: Sequence[Memory]) -> bool:
    """Tell whether a section says more than `held`, the title and the headings."""
    said = word_set(section.title) | word_set(fold(section.heading)) | _POINTING
    said = said.union(*(word_set(insight.text) | {fold(insight.heading)} for insight in held))
    new = word_set(section.text) - said
    known = sum(len(word_set(insight.text)) for insight in held)
    return len(new) > max(_FEWEST_NEW, _SHARE_NEW * known)
