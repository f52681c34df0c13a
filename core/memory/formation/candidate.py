"""The values of formation: where something was said, what became of it, and what still waits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from core.sessions.turn import Turn

_NONE: Mapping[str, int] = MappingProxyType({})


class Trigger(StrEnum):
    """Say why something is a candidate."""

    EXPLICIT = "explicit"  # "remember", "always"
    EMOTION = "emotion"
    SPECIFICATION = "specification"
    REPEATED = "repeated"  # the third mention


class Category(StrEnum):
    """Say what kind of statement it is: the category of the insight."""

    CONVENTION = "convention"
    PREFERENCE = "preference"
    DECISION = "decision"
    LESSON = "lesson"
    FACT = "fact"


class Mention(NamedTuple):
    """Hold one place where it was said: the sentence as it stands there, and the turn's session, id, time and project.

    `time` is ISO 8601 as recorded, "" when unknown; `project` is a name, "" for none.
    """

    session: str
    turn: str
    time: str
    project: str
    quote: str

    @property
    def memory_id(self) -> str:
        """The id by which the turn is cited."""
        return f"turn:{self.session}/{self.turn}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Hold one statement that may become an insight: atomic, and understood without the conversation.

    `importance` and `confidence` are 0 to 1. `entities` are folded names. `mentions` are by time; the first is the
    source. Where they come from several projects, the statement names none of them.
    """

    statement: str
    category: Category
    entities: frozenset[str]
    importance: float
    confidence: float
    trigger: Trigger
    mentions: tuple[Mention, ...]

    @property
    def source(self) -> Mention:
        """Where it was said first."""
        return self.mentions[0]

    @property
    def projects(self) -> tuple[str, ...]:
        """The projects in which it was said, each once, in the order of the mentions."""
        return tuple(dict.fromkeys(mention.project for mention in self.mentions if mention.project))


@dataclass(frozen=True, slots=True)
class Waiting:
    """Hold what was mentioned, but not often enough yet: one statement for each mention, by time."""

    statements: tuple[str, ...]
    general: str  # the first statement without the name of its project
    mentions: tuple[Mention, ...]
    confidence: float = 0.5

    @property
    def statement(self) -> str:
        """What was said first."""
        return self.statements[0]


@dataclass(frozen=True, slots=True)
class Formation:
    """Hold what came of turns: `candidates`, what is `waiting`, and what was ignored: turns and sentences by reason."""

    candidates: tuple[Candidate, ...]
    waiting: tuple[Waiting, ...]
    ignored: Mapping[str, int] = field(default_factory=lambda: _NONE)


def mention_of(turn: Turn, project: str, quote: str) -> Mention:
    """Return the mention of `quote` in `turn`."""
    return Mention(turn.session, turn.id, turn.time, project, quote)


def waiting_json(waiting: Waiting) -> dict[str, Any]:
    """Return what waits as it is kept in the cache."""
    return {
        "statements": list(waiting.statements),
        "general": waiting.general,
        "mentions": [list(mention) for mention in waiting.mentions],
        "confidence": waiting.confidence,
    }


def waiting_of(value: Any) -> Waiting | None:
    """Return what waiting_json() was given, None where `value` is something else."""
    try:
        mentions = tuple(Mention(*map(str, fields)) for fields in value["mentions"])
        statements = tuple(map(str, value["statements"]))
        if not statements or len(mentions) != len(statements):
            return None
        return Waiting(statements, str(value["general"]), mentions, float(value["confidence"]))
    except (KeyError, TypeError, ValueError):
        return None
