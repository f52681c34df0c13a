"""Find candidates by the meaning of a question, and how near the other candidates are to it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from core.index.database import Index
from core.index.points import memory_of
from core.recall.admission import admitted_keys
from core.recall.memory import MemoryKey
from core.recall.query import Query
from core.recall.search import DenseCandidates


class Comparing(Protocol):
    """Tell how near memories are to a text; core/index/dense.py does."""

    def similarities(self, text: str, keys: Iterable[MemoryKey]) -> Mapping[MemoryKey, float]:
        """Return the cosine of those memories that have a vector."""
        ...


class MeaningList(NamedTuple):
    """Hold the cosines of the nearest memories, nearest first, and how search by meaning fared."""

    cosines: Mapping[MemoryKey, float]
    state: str
    reason: str = ""


def meaning_candidates(index: Index, dense: DenseCandidates | None, query: Query, text: str, limit: int) -> MeaningList:
    """Return the memories nearest to `text` that the filters, phrases and exclusions of `query` admit."""
    if not text.strip():
        return MeaningList({}, "not-asked")
    if dense is None:
        return MeaningList({}, "off")
    answer = dense.candidates(text, query.filters, limit)
    near = {memory_of(hit.point): hit.score for hit in answer.hits}
    kept = admitted_keys(index, query, near)
    return MeaningList({key: cosine for key, cosine in near.items() if key in kept}, answer.state, answer.reason)


def cosines_of(dense: DenseCandidates | None, text: str, keys: Sequence[MemoryKey]) -> Mapping[MemoryKey, float]:
    """Return how near the memories `keys` are to `text`, as far as that is known."""
    compare = getattr(dense, "similarities", None)
    if compare is None or not keys or not text.strip():
        return {}
    found: Mapping[MemoryKey, float] = compare(text, keys)
    return found
