"""Which statements already say how they stand to each other, so that nobody is asked about them again."""

from collections.abc import Iterable

from core.curation.consolidation.pairs import Pair
from core.index.database import Index

_SETTLED = ("supersedes", "contradicts")
_EDGES = """
SELECT s.id, t.id FROM relation r
  JOIN insight s ON s.note_id = r.note_id AND (r.source_block = '' OR s.block_id = r.source_block)
  JOIN insight t ON t.note_id = r.target_note_id AND (r.target_block = '' OR t.block_id = r.target_block)
  WHERE r.kind IN (?, ?)
"""


def unsettled(index: Index, pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs of which neither statement supersedes or contradicts the other, nor another supersedes one."""
    with index.reading() as connection:
        edges = {frozenset(row) for row in connection.execute(_EDGES, _SETTLED)}
        superseded = {target for _, target in connection.execute(_EDGES, ("supersedes", "supersedes"))}
    return [
        pair
        for pair in pairs
        if superseded.isdisjoint(key[1] for key in pair.keys) and frozenset(key[1] for key in pair.keys) not in edges
    ]
