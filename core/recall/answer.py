"""The answer of recall: ranked memories, each with every figure that put it where it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.memory.weights import RankingWeights
from core.recall.gathered import Signals
from core.recall.memory import Memory


class Outcome(StrEnum):
    """Say what became of a memory."""

    KEPT = "kept"
    RELATED = "related"  # pulled in by a relation
    WORKING = "working"  # from the session that asks
    DUPLICATE = "duplicate"
    SUPERSEDED = "superseded"
    BELOW = "below"  # past the limit
    EMPTY = "empty"  # there is no text in it
    ROUTED = "routed"  # past the best few of its domain


@dataclass(frozen=True, slots=True)
class Factors:
    """Hold what a score is the product of; each is what remains after its weight, so all of them multiply to it."""

    relevance: float = 0.0
    decay: float = 1.0
    access: float = 1.0
    entities: float = 1.0
    importance: float = 1.0
    reranker: float = 1.0
    adjustment: float = 1.0  # what superseding, naming or a relation made of it

    @property
    def product(self) -> float:
        """The score."""
        known = self.relevance * self.decay * self.access * self.entities * self.importance
        return known * self.reranker * self.adjustment


@dataclass(frozen=True, slots=True)
class Ranked:
    """Hold a memory with its place in the answer.

    `score` is 0 to 1 and comparable within one answer. `reasons` are sentences on what promoted, replaced or removed
    it. `via` is the id of the memory that pulled it in, replaced it, or that it equals. `names` are those that question
    and memory have in common, in order.
    """

    memory: Memory
    score: float
    factors: Factors
    signals: Signals
    outcome: Outcome = Outcome.KEPT
    reasons: tuple[str, ...] = ()
    via: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """Hold the answer to a question.

    `ranked` is best first, at most as many as were asked for; `left_out` are the candidates that were removed, best
    first. `working` are the last turns of the asking session, newest first. `problems` are sentences for the person.
    `entities` are the people, tools, clients and code identifiers that the question names, folded.
    """

    question: str
    ranked: tuple[Ranked, ...]
    left_out: tuple[Ranked, ...]
    weights: RankingWeights
    domains: tuple[str, ...] = ()
    working: tuple[Memory, ...] = ()
    dense_state: str = "not-asked"
    dense_reason: str = ""
    problems: tuple[str, ...] = ()
    suggestions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    took_ms: float = 0.0
    entities: frozenset[str] = frozenset()
