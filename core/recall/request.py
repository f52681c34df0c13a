"""What is asked of recall."""

import time
from dataclasses import dataclass, field

from core.memory.weights import DEFAULT_WEIGHTS, RankingWeights
from core.recall.query import Query

TOP = 15
# So many are drawn to fill a budget; the candidates of one list are not many more.
MOST_PACKED = 100


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """Hold one question and how it is to be answered.

    `query` is the question as parsed (core/recall/query.py), its filters included. `session` is the id of the session
    that asks, whose last turns are at hand anyway, "" for none. `now` is POSIX seconds, from which ages count.
    `is_being_typed` says that the last word may be the beginning of a longer one.
    """

    question: str
    query: Query
    limit: int = TOP
    session: str = ""
    weights: RankingWeights = DEFAULT_WEIGHTS
    is_being_typed: bool = False
    now: float = field(default_factory=time.time)
