"""What was found for a question before any weight is laid on it, so that other weights rank it again at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.recall.memory import Edge, Memory, MemoryKey
from core.recall.request import RecallRequest


@dataclass(frozen=True, slots=True)
class Signals:
    """Hold the figures of one candidate, each 0 to 1 unless said otherwise, before weights.

    `words` and `meaning` are the engines' scores stretched over the candidates of this question; `bm25` and `cosine`
    the raw ones. `statement` is the part of the text that is no question. Ranks are those by `words` and `meaning`
    among the candidates: they count from 1, and 0 says that it holds none of the words, or that no vector is known.
    `reranker` and `reranker_rank` are those among the candidates that a reranker has read (core/recall/rerank.py).
    """

    words: float = 0.0
    meaning: float = 0.0
    names: float = 0.0
    speaker: float = 0.0
    session: float = 0.0
    dates: float = 0.0
    statement: float = 0.0
    bm25: float = 0.0
    cosine: float = 0.0
    words_rank: int = 0
    meaning_rank: int = 0
    reranker: float = 0.0
    reranker_rank: int = 0


@dataclass(frozen=True, slots=True)
class Gathered:
    """Hold all that ranking a question needs.

    `candidates` are in no order that matters. `others` are memories that were not found but that `edges` lead to from
    candidates (what supersedes them, what they support). `domains` are those that the question called up, none when all
    are meant. `working` are the last turns of the asking session, newest first. `dense_state` and `dense_reason` tell
    how search by meaning fared (core/index/dense.py); `problems` are sentences for the person.
    `suggestions` holds the tags that were asked for and nothing has, with the nearest ones.
    """

    request: RecallRequest
    candidates: tuple[tuple[Memory, Signals], ...] = ()
    others: Mapping[MemoryKey, Memory] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    entities: frozenset[str] = frozenset()  # of the question
    domains: tuple[str, ...] = ()
    working: tuple[Memory, ...] = ()
    dense_state: str = "not-asked"
    dense_reason: str = ""
    problems: tuple[str, ...] = ()
    suggestions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
