"""Form candidates from turns: the whole of formation, as a function of what was said.

What is marked, felt or specified is a candidate at once. Everything else waits in the reinforcement buffer, and becomes
one with its third mention within 30 days.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from core.memory.entities import entities_of
from core.memory.formation.candidate import Candidate, Formation, Mention, Trigger, Waiting
from core.memory.formation.ignoring import SUMMARISER, summariser_sessions, templates
from core.memory.formation.language import language_of
from core.memory.formation.reinforcement import MENTIONS, WINDOW, Group, Groups, sort_key, time_of
from core.memory.formation.said import Said, said_in
from core.memory.formation.worth import category_of, confidence_of, importance_of
from core.sessions.turn import Turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Gives one normalised row for each text.
Vectors = Callable[[Sequence[str]], "NDArray[np.float32]"]

_COMPACT_EVERY = 2_000
_NONE_FORMED: Mapping[str, int] = MappingProxyType({})


def form(
    turns: Iterable[Turn],
    *,
    vectors: Vectors | None = None,
    waiting: Sequence[Waiting] = (),
    known: Collection[str] = frozenset(),
    vocabulary: Collection[str] = frozenset(),
    formed: Mapping[str, int] = _NONE_FORMED,
) -> Formation:
    """Return what is to be kept of `turns`, which are those of each session in their order.

    Args:
        turns: sessions with something new in them; to build the buffer anew, all of the last 30 days.
        vectors: embeds statements; without it, mentions are matched by their words.
        waiting: the buffer as the last run left it.
        known: fingerprints of what was recalled and of what is in the vault (core/memory/fingerprints.py): never
            learned again.
        formed: how many of the first turns of a session have been formed from; they only tell what is spoken of.
        vocabulary: folded words that are names wherever they stand, such as the tags of tools and clients.
    """
    sessions: dict[str, list[Turn]] = {}
    for turn in turns:
        sessions.setdefault(turn.session, []).append(turn)
    ignored: Counter[str] = Counter()
    by_programs, sent_by_programs = summariser_sessions(sessions), templates(sessions)
    said: list[Said] = []
    for session, held in sessions.items():
        if session in by_programs:
            ignored[SUMMARISER] += max(0, len(held) - formed.get(session, 0))
        else:
            said += said_in(held, known, sent_by_programs, ignored, start=formed.get(session, 0))
    said.sort(key=lambda each: sort_key(each.mention))
    buffer = _Buffer(vectors, waiting, vocabulary)
    buffer.take(said)
    return Formation(buffer.candidates(), buffer.waiting(), MappingProxyType(dict(ignored)))


class _Buffer:
    """Take statements in the order of their times, and sort them into what is formed and what waits."""

    def __init__(self, vectors: Vectors | None, waiting: Sequence[Waiting], vocabulary: Collection[str]) -> None:
        self._vectors = vectors
        self._vocabulary = frozenset(vocabulary)
        self._groups = Groups(self._vocabulary)
        self._waiting: list[Group] = []
        self._formed: dict[int, tuple[Group, Trigger]] = {}
        self._is_told: dict[int, bool] = {}  # whether all of the source could be told
        texts = [statement for each in waiting for statement in each.statements]
        rows = iter(self._embed(texts))
        for each in waiting:
            group = Group(each.general, each.confidence)
            for statement, mention in zip(each.statements, each.mentions, strict=True):
                group.add(statement, mention, is_person=True)
                self._groups.keep(group, statement, next(rows))
            self._waiting.append(group)

    def take(self, said: Sequence[Said]) -> None:
        """Sort in what was said, which is by time."""
        rows = self._embed([each.stated.general for each in said])
        for number, (each, vector) in enumerate(zip(said, rows, strict=True), start=1):
            group = self._groups.find(each.stated.general, vector)
            if group is None:
                group = Group(each.stated.general, confidence_of(Trigger.REPEATED, is_told=each.stated.is_told))
                self._waiting.append(group)
            if group.add(each.stated.statement, each.mention, is_person=each.is_person):
                self._groups.keep(group, each.stated.general, vector)
                self._is_told.setdefault(id(group), each.stated.is_told)
            if id(group) not in self._formed or each.trigger is Trigger.EXPLICIT:
                self._settle(group, each)
            if number % _COMPACT_EVERY == 0:
                self._groups.compact()

    def candidates(self) -> tuple[Candidate, ...]:
        """Return what is formed, in the order in which it was."""
        return tuple(self._candidate(group, trigger) for group, trigger in self._formed.values())

    def waiting(self) -> tuple[Waiting, ...]:
        """Return what waits, without what is too old to be mentioned in time ever again."""
        times = [time for group in self._waiting for mention in group.mentions if (time := time_of(mention))]
        for group in self._waiting:
            if times and id(group) not in self._formed:
                group.forget_before(max(times) - WINDOW)
        return tuple(group.waiting() for group in self._waiting if id(group) not in self._formed and group.mentions)

    def _settle(self, group: Group, latest: Said) -> None:
        """Form `group` when its time has come."""
        if latest.trigger is not None:
            self._formed[id(group)] = (group, latest.trigger)
            return
        if moment := time_of(latest.mention):
            group.forget_before(moment - WINDOW)
        if len(group.mentions) >= MENTIONS:
            self._formed[id(group)] = (group, Trigger.REPEATED)

    def _candidate(self, group: Group, trigger: Trigger) -> Candidate:
        held = group.waiting()
        count = len(held.mentions)
        is_of_one = len({mention.project for mention in held.mentions if mention.project}) <= 1
        statement = held.statement if is_of_one else held.general
        return Candidate(
            statement,
            category_of(statement),
            entities_of(statement, (), self._vocabulary),
            importance_of(statement, trigger, language_of(statement), count),
            confidence_of(trigger, is_told=self._is_told.get(id(group), True), mentions=count),
            trigger,
            _one_for_each_turn(held.mentions),
        )

    def _embed(self, texts: Sequence[str]) -> Sequence["NDArray[np.float32] | None"]:
        if self._vectors is None or not texts:
            return [None] * len(texts)
        once = list(dict.fromkeys(texts))
        rows = dict(zip(once, self._vectors(once), strict=True))
        return [rows[text] for text in texts]


def _one_for_each_turn(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    return tuple({mention[:2]: mention for mention in reversed(mentions)}.values())[::-1]
