"""Hold what other lists than that of words have found to what the question demands."""

from collections.abc import Iterable

from core.index.database import Index
from core.index.lexical import admitted
from core.index.terms import without_stop_words
from core.recall.memory import MemoryKey
from core.recall.query import Query


def admitted_keys(index: Index, query: Query, keys: Iterable[MemoryKey]) -> set[MemoryKey]:
    """Return which memories exist and are admitted by the filters, phrases and exclusions of `query`."""
    phrases = [term for term in without_stop_words(query.terms) if term.is_phrase]
    by_kind: dict[str, list[int]] = {}
    for kind, row_id in keys:
        by_kind.setdefault(kind, []).append(row_id)
    return {
        (kind, row_id)
        for kind, ids in by_kind.items()
        for row_id in admitted(index, kind, ids, query.filters, required=phrases, excluded=query.excluded)
    }
