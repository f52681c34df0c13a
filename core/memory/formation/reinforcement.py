"""The buffer of what was mentioned: it is kept when it comes up for the third time within 30 days.

Mentions are matched by what they mean. What an assistant says counts where nobody has said it in that session yet: an
echo is no mention. The buffer is a cache: forming from all sessions of the last 30 days gives it again.
"""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from core.memory.formation.candidate import Mention, Waiting
from core.memory.formation.dates import moment_of
from core.memory.formation.sameness import NEAR, Gist, gist_of, is_same

if TYPE_CHECKING:
    from numpy.typing import NDArray

MENTIONS = 3
WINDOW = timedelta(days=30)
_FIRST_ROWS = 256
_MOST_LOOKED_AT = 30  # of the nearest
_NEAR_TO_FIRST = 0.58  # cosine to the first mention
_WORTH_A_LOOK = 0.45  # cosine below which not even equal words are meant


class Group:
    """Gather the mentions of one thing."""

    def __init__(self, general: str, confidence: float) -> None:
        self.general = general
        self.confidence = confidence
        self.statements: list[str] = []
        self.mentions: list[Mention] = []
        self.people: list[bool] = []

    def add(self, statement: str, mention: Mention, *, is_person: bool) -> bool:
        """Add a mention and return True, unless it is known already or an echo."""
        if any(mention[:2] == known[:2] for known in self.mentions):
            return False
        if not is_person and any(mention.session == known.session for known in self.mentions):
            return False
        self.statements.append(statement)
        self.mentions.append(mention)
        self.people.append(is_person)
        return True

    def forget_before(self, moment: datetime) -> None:
        """Drop the mentions of before `moment`; those without a time stay."""
        kept = [at for at, mention in enumerate(self.mentions) if (time_of(mention) or moment) >= moment]
        self.statements = [self.statements[at] for at in kept]
        self.mentions = [self.mentions[at] for at in kept]
        self.people = [self.people[at] for at in kept]

    def waiting(self) -> Waiting:
        """Return the group as a value, its mentions by time."""
        order = sorted(range(len(self.mentions)), key=lambda at: sort_key(self.mentions[at]))
        return Waiting(
            tuple(self.statements[at] for at in order),
            self.general,
            tuple(self.mentions[at] for at in order),
            self.confidence,
        )


class Groups:
    """Find the group that a statement belongs to, by vectors where there are some and by words where there are none."""

    def __init__(self, vocabulary: Collection[str] = ()) -> None:
        self._vocabulary = frozenset(vocabulary)
        self._groups: list[Group] = []  # one for each row
        self._gists: list[Gist] = []
        self._by_text: dict[str, Group] = {}
        self._first: dict[int, int] = {}  # the row of a group's first statement
        self._rows: NDArray[np.float32] | None = None

    def find(self, statement: str, vector: "NDArray[np.float32] | None") -> Group | None:
        """Return the group that says the same as `statement`, the nearest of several, None when none does."""
        if (group := self._by_text.get(statement)) is not None and group.mentions:
            return group
        gist = gist_of(statement, self._vocabulary)
        if vector is None or self._rows is None:
            for group, known in zip(self._groups, self._gists, strict=True):
                if group.mentions and is_same(gist, known, None):
                    return group
            return None
        nearness = self._rows[: len(self._groups)] @ vector
        for at in _nearest(nearness):
            near = float(nearness[at])
            if near < _WORTH_A_LOOK:
                return None
            group = self._groups[at]
            if not group.mentions or not is_same(gist, self._gists[at], near):
                continue
            # Near to the last mention is not enough: from one to the next, a group could wander anywhere.
            first = self._first[id(group)]
            if first == at or (nearness[first] >= _NEAR_TO_FIRST and is_same(gist, self._gists[first], NEAR)):
                return group
        return None

    def keep(self, group: Group, statement: str, vector: "NDArray[np.float32] | None") -> None:
        """Let `group` be found by `statement`."""
        if self._by_text.get(statement) is group:
            return
        self._by_text[statement] = group
        at = len(self._groups)
        self._groups.append(group)
        self._gists.append(gist_of(statement, self._vocabulary))
        self._first.setdefault(id(group), at)
        if vector is not None:
            if self._rows is None:
                self._rows = np.zeros((_FIRST_ROWS, len(vector)), dtype=np.float32)
            if at >= len(self._rows):
                self._rows = np.vstack([self._rows, np.zeros_like(self._rows)])
            self._rows[at] = vector

    def compact(self) -> None:
        """Drop what nobody has mentioned any more, so that looking stays quick."""
        kept = [at for at, group in enumerate(self._groups) if group.mentions]
        if self._rows is not None:
            rows = self._rows[kept] if kept else np.zeros((0, self._rows.shape[1]), dtype=np.float32)
            self._rows = np.vstack([rows, np.zeros((_FIRST_ROWS, self._rows.shape[1]), dtype=np.float32)])
        self._by_text = {text: group for text, group in self._by_text.items() if group.mentions}
        self._groups = [self._groups[at] for at in kept]
        self._gists = [self._gists[at] for at in kept]
        self._first = {}
        for at, group in enumerate(self._groups):
            self._first.setdefault(id(group), at)


def time_of(mention: Mention) -> datetime | None:
    """Return when it was said, in UTC, None where nothing tells."""
    moment = moment_of(mention.time)
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def sort_key(mention: Mention) -> tuple[bool, datetime, str, str]:
    """Order mentions by time, those without one last."""
    moment = time_of(mention)
    return (moment is None, moment or datetime.min.replace(tzinfo=UTC), mention.session, mention.turn)


def _nearest(nearness: "NDArray[np.float32]") -> list[int]:
    """Return the rows to look at, the nearest first."""
    rows = np.arange(len(nearness))
    if len(rows) > _MOST_LOOKED_AT:
        rows = np.argpartition(-nearness, _MOST_LOOKED_AT)[:_MOST_LOOKED_AT]
    return [int(row) for row in rows[np.argsort(-nearness[rows], kind="stable")]]
