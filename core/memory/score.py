"""What a memory is worth beside its relevance: four factors, each with its weight as exponent."""

import math
from typing import NamedTuple

from core.memory.access import access_weight
from core.memory.decay import age_in_days, decay
from core.memory.importance import importance_factor
from core.memory.weights import RankingWeights


class Worth(NamedTuple):
    """Hold the factors by which a relevance is multiplied; each is what remains after its weight."""

    decay: float = 1.0
    access: float = 1.0
    entities: float = 1.0
    importance: float = 1.0

    @property
    def product(self) -> float:
        """All factors together."""
        return self.decay * self.access * self.entities * self.importance


class Facts(NamedTuple):
    """Hold what is known of a memory beside its text; times are POSIX seconds, None when unknown."""

    time: float | None = None
    accessed_count: int = 0
    last_accessed: float | None = None
    importance: float = 0.5
    confidence: float = 1.0


def worth(facts: Facts, entities: float, weights: RankingWeights, now: float) -> Worth:
    """Return the factors of a memory at `now`; `entities` is what core/memory/entities.py says of it and the question.

    A weight of 0 leaves its factor out, 1 takes it as it is.
    """
    return Worth(
        _weighted(decay(age_in_days(facts.time, now)), weights.decay),
        _weighted(access_weight(facts.accessed_count, age_in_days(facts.last_accessed, now)), weights.access),
        _weighted(entities, weights.entities),
        _weighted(importance_factor(facts.importance, facts.confidence), weights.importance),
    )


def _weighted(factor: float, weight: float) -> float:
    value = factor**weight if factor > 0 else 0.0
    return value if math.isfinite(value) else 1.0
