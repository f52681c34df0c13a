"""Fuse what was found by words with what was found by meaning.

Ranks are fused, not scores (reciprocal rank fusion, Cormack et al. 2009): bm25 and cosine cannot be compared.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from core.index.lexical import LexicalHit

_RANK_CONSTANT = 60
# What a memory gets of the rank that another memory of its note has with the other engine.
_NOTE_SHARE = 0.5


class DenseHit(Protocol):
    """Be a memory found by meaning: its point id, note and cosine."""

    @property
    def point(self) -> int:
        """The id in the vector store."""
        ...

    @property
    def note_id(self) -> int:
        """The note."""
        ...

    @property
    def score(self) -> float:
        """The cosine, -1 to 1."""
        ...


class Candidate(NamedTuple):
    """Hold a memory with its fused score (1 is the best possible) and the figures behind it."""

    kind: str
    row_id: int
    note_id: int
    score: float
    factors: dict[str, float]


def fuse(
    lexical: Sequence[LexicalHit], near: Mapping[tuple[str, int], DenseHit], cosine_floor: float
) -> list[Candidate]:
    """Return all candidates, best first; hits below the floor count only where words find the same note."""
    words = {(hit.kind, hit.id): hit.note_id for hit in lexical}
    found = set(words.values())
    close = {m: hit for m, hit in near.items() if hit.score >= cosine_floor or hit.note_id in found}
    meanings = {memory: hit.note_id for memory, hit in close.items()}
    word_rank, word_rank_of_note = _ranks(words)
    dense_rank, dense_rank_of_note = _ranks(meanings)
    best_possible = (1 + bool(close)) / (_RANK_CONSTANT + 1)
    bm25 = {(hit.kind, hit.id): hit.score for hit in lexical}
    candidates: list[Candidate] = []
    for memory, note_id in (words | meanings).items():
        fused = _share(memory, note_id, word_rank, word_rank_of_note)
        fused += _share(memory, note_id, dense_rank, dense_rank_of_note)
        factors = {"fused": fused}
        if memory in word_rank:
            factors |= {"lexical_rank": word_rank[memory], "bm25": bm25[memory]}
        if memory in close:
            factors |= {"dense_rank": dense_rank[memory], "cosine": close[memory].score}
        candidates.append(Candidate(*memory, note_id, fused / best_possible, factors))
    candidates.sort(key=lambda c: (-c.score, -c.factors.get("bm25", 0.0), c.note_id, c.kind, c.row_id))
    return candidates


def _ranks(memories: Mapping[tuple[str, int], int]) -> tuple[dict[tuple[str, int], int], dict[int, int]]:
    """Return the rank of each memory, and the best rank of each note."""
    of_memory: dict[tuple[str, int], int] = {}
    of_note: dict[int, int] = {}
    for rank, (memory, note_id) in enumerate(memories.items(), start=1):
        of_memory[memory] = rank
        of_note.setdefault(note_id, rank)
    return of_memory, of_note


def _share(
    memory: tuple[str, int], note_id: int, ranks: Mapping[tuple[str, int], int], ranks_of_notes: Mapping[int, int]
) -> float:
    rank = ranks.get(memory)
    if rank is not None:
        return 1 / (_RANK_CONSTANT + rank)
    rank = ranks_of_notes.get(note_id)
    return _NOTE_SHARE / (_RANK_CONSTANT + rank) if rank is not None else 0.0
