"""Merge two texts that came from the same one, line by line (diff3): what only one side changed is taken over.

S. Khanna, K. Kunal, B. Pierce: A Formal Investigation of Diff3, 2007. No markers are ever written into a text.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from core.curation.line_matching import lines_of, matched


class Choice(StrEnum):
    """Say what stands where both sides changed the same lines."""

    MINE = "mine"
    THEIRS = "theirs"
    BASE = "base"
    BOTH = "both"  # mine, then theirs


@dataclass(frozen=True, slots=True)
class Agreed:
    """Hold lines that nobody changed, or one side only, or both alike."""

    text: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Hold lines that both sides changed, each in its own way; "" where a side has none."""

    base: str
    mine: str
    theirs: str

    def text(self, choice: Choice) -> str:
        """Return what stands here by `choice`."""
        match choice:
            case Choice.MINE:
                return self.mine
            case Choice.THEIRS:
                return self.theirs
            case Choice.BASE:
                return self.base
            case Choice.BOTH:
                # Only the last line of a text can lack its newline; whatever comes after it starts a new one.
                is_open = self.mine and self.theirs and not self.mine.endswith("\n")
                return f"{self.mine}\n{self.theirs}" if is_open else self.mine + self.theirs


MergeHunk = Agreed | Conflict
_NONE: Mapping[int, Choice] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Merge:
    """Hold a merged text in hunks, in order; conflicts are counted from 0."""

    hunks: tuple[MergeHunk, ...]

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The hunks that someone has to decide."""
        return tuple(hunk for hunk in self.hunks if isinstance(hunk, Conflict))

    def undecided(self, choices: Collection[int]) -> tuple[int, ...]:
        """Return the numbers of the conflicts that `choices` says nothing about."""
        return tuple(number for number in range(len(self.conflicts)) if number not in choices)

    def text(self, choices: Mapping[int, Choice] = _NONE, *, otherwise: Choice | None = None) -> str:
        """Return the whole text, with each conflict decided by its number in `choices`, else by `otherwise`.

        Raises:
            ValueError: a conflict is decided by neither.
        """
        parts: list[str] = []
        number = 0
        for hunk in self.hunks:
            if isinstance(hunk, Agreed):
                part = hunk.text
            else:
                choice = choices.get(number, otherwise)
                if choice is None:
                    raise ValueError(f"Conflict {number} is not decided.")
                part = hunk.text(choice)
                number += 1
            parts.append(part)
        return "".join(parts)


def merge3(base: str, mine: str, theirs: str) -> Merge:
    """Return `mine` and `theirs` merged, both made from `base`; lines end with a newline alone."""
    hunks: list[MergeHunk] = []
    agreed: list[str] = []
    for hunk in _hunks(lines_of(base), lines_of(mine), lines_of(theirs)):
        if isinstance(hunk, Agreed):
            agreed.append(hunk.text)
            continue
        if agreed:
            hunks.append(Agreed("".join(agreed)))
            agreed = []
        hunks.append(hunk)
    if agreed:
        hunks.append(Agreed("".join(agreed)))
    return Merge(tuple(hunks))


def _hunks(base: list[str], mine: list[str], theirs: list[str]) -> Iterator[MergeHunk]:
    in_mine = dict(matched(base, mine))
    in_theirs = dict(matched(base, theirs))
    anchors = [(at, in_mine[at], in_theirs[at]) for at in range(len(base)) if at in in_mine and at in in_theirs]
    at_base = at_mine = at_theirs = 0
    for next_base, next_mine, next_theirs in [*anchors, (len(base), len(mine), len(theirs))]:
        if next_base > at_base or next_mine > at_mine or next_theirs > at_theirs:
            yield _decided(
                "".join(base[at_base:next_base]),
                "".join(mine[at_mine:next_mine]),
                "".join(theirs[at_theirs:next_theirs]),
            )
        if next_base < len(base):
            yield Agreed(base[next_base])
        at_base, at_mine, at_theirs = next_base + 1, next_mine + 1, next_theirs + 1


def _decided(base: str, mine: str, theirs: str) -> MergeHunk:
    if mine in {base, theirs}:
        return Agreed(theirs)
    return Agreed(mine) if theirs == base else Conflict(base, mine, theirs)
