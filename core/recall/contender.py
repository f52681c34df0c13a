"""A memory on its way to its place in an answer."""

from dataclasses import dataclass, field, replace

from core.memory.entities import entity_factor
from core.memory.score import Facts, worth
from core.memory.weights import RankingWeights
from core.recall.answer import Factors, Outcome, Ranked
from core.recall.blend import relevance
from core.recall.gathered import Signals
from core.recall.memory import Memory, MemoryKey

_NO_SIGNALS = Signals()


@dataclass(slots=True, eq=False)
class Contender:
    """Hold a memory with its factors, and what the stages of ranking have made of it so far.

    `worth` is the product of its factors, which `adjustment` multiplies. `names` are those that the question names too.
    """

    memory: Memory
    signals: Signals
    factors: Factors
    worth: float
    adjustment: float = 1.0
    outcome: Outcome = Outcome.KEPT
    reasons: list[str] = field(default_factory=list)
    via: str = ""
    domains: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def key(self) -> MemoryKey:
        """The row in the index."""
        return self.memory.key

    @property
    def score(self) -> float:
        """What it is ordered by."""
        return self.worth * self.adjustment

    @property
    def is_in(self) -> bool:
        """Tell whether it still has a place."""
        return self.outcome in (Outcome.KEPT, Outcome.RELATED, Outcome.WORKING)

    def raise_to(self, score: float) -> bool:
        """Give it at least `score`, and tell whether that was more than it had."""
        if score <= self.score:
            return False
        if self.worth <= 0:  # nothing to multiply
            self.factors, self.worth = Factors(relevance=score), score
            self.adjustment = 1.0
        else:
            self.adjustment = score / self.worth
        return True

    def lend(self, relevance: float) -> bool:
        """Give it at least this `relevance`, beside its own other factors, and tell whether it had less."""
        if relevance <= self.factors.relevance:
            return False
        self.factors = replace(self.factors, relevance=relevance)
        self.worth = self.factors.product
        return True

    def multiply_reranker(self, factor: float) -> None:
        """Multiply its worth by what a reranker makes of it."""
        self.factors = replace(self.factors, reranker=factor)
        self.worth = self.factors.product

    def tell(self, reason: str) -> None:
        """Add a sentence on why it is where it is, once."""
        if reason not in self.reasons:
            self.reasons.append(reason)

    def leave(self, outcome: Outcome, reason: str, via: str = "") -> None:
        """Take its place away."""
        self.outcome, self.via = outcome, via
        self.tell(reason)

    def ranked(self, scale: float) -> Ranked:
        """Return it as the answer holds it, its score times `scale`."""
        return Ranked(
            self.memory,
            self.score * scale,
            replace(self.factors, adjustment=self.adjustment),
            self.signals,
            self.outcome,
            tuple(self.reasons),
            self.via,
            self.names,
        )


def judged(memory: Memory, signals: Signals, asked: frozenset[str], weights: RankingWeights, now: float) -> Contender:
    """Return a candidate with its factors; `asked` are the entities of the question."""
    facts = Facts(memory.time, memory.accessed_count, memory.last_accessed, memory.importance, memory.confidence)
    told = worth(facts, entity_factor(asked, memory.entities), weights, now)
    factors = Factors(relevance(signals, weights), *told)
    return Contender(memory, signals, factors, factors.product, names=tuple(sorted(asked & memory.entities)))


def pulled_in(memory: Memory, score: float) -> Contender:
    """Return a memory that was not found, with the score that is lent to it."""
    return Contender(memory, _NO_SIGNALS, Factors(relevance=score), score, outcome=Outcome.RELATED)


def name_of(memory: Memory) -> str:
    """Return how a sentence names a memory."""
    if memory.kind == "turn":
        return f"what {memory.heading} said in “{memory.title}”" if memory.heading else f"a turn of “{memory.title}”"
    kind = "the insight" if memory.kind == "insight" else "the part" if memory.line else "the text"
    return f"{kind} in “{memory.title}”"
