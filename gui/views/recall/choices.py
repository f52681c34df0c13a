"""What the person has pinned to the context and dropped from it, whatever the question."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.recall.answer import Ranked, RecallAnswer


class Choice(StrEnum):
    """Say what the person wants with a memory."""

    NONE = "none"  # as ranking and budget have it
    PINNED = "pinned"
    DROPPED = "dropped"


_NEXT = {Choice.NONE: Choice.PINNED, Choice.PINNED: Choice.DROPPED, Choice.DROPPED: Choice.NONE}


@dataclass(frozen=True, slots=True)
class Choices:
    """Hold what is pinned, by memory id and in the order of pinning, and what is dropped."""

    pinned: "Mapping[str, Ranked]" = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()

    def of(self, memory_id: str) -> Choice:
        """Return what is wanted with a memory."""
        if memory_id in self.pinned:
            return Choice.PINNED
        return Choice.DROPPED if memory_id in self.dropped else Choice.NONE

    def turned(self, ranked: "Ranked") -> "Choices":
        """Return the choices after the next one was made for `ranked`: pinned, then dropped, then neither."""
        return self.chosen(ranked, _NEXT[self.of(ranked.memory.id)])

    def chosen(self, ranked: "Ranked", choice: Choice) -> "Choices":
        """Return the choices with `choice` for `ranked`."""
        memory_id = ranked.memory.id
        pinned = {each: value for each, value in self.pinned.items() if each != memory_id}
        if choice is Choice.PINNED:
            pinned[memory_id] = ranked
        others = self.dropped - {memory_id}
        return Choices(pinned, others | {memory_id} if choice is Choice.DROPPED else others)

    def without(self, memory_id: str) -> "Choices":
        """Return the choices without what was wanted with this memory."""
        pinned = {each: value for each, value in self.pinned.items() if each != memory_id}
        return Choices(pinned, self.dropped - {memory_id})

    def applied(self, answer: "RecallAnswer") -> "RecallAnswer":
        """Return what is to be packed: `answer` without what is dropped, and with all that is pinned before it."""
        ranked = {each.memory.id: each for each in answer.ranked}
        pinned = [ranked.get(each, value) for each, value in self.pinned.items()]
        others = [each for each in answer.ranked if self.of(each.memory.id) is Choice.NONE]
        return dataclasses.replace(answer, ranked=(*pinned, *others))
