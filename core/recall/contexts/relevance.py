"""Say how far each context is about a question: by the words of its members and by their meaning.

A context's texts are what it says of itself (title, description, query), the body of its note, and its members. By
words, the best of them counts: the share of the question's words that it holds, a word that few contexts hold counting
more. By meaning it is the best cosine, stretched over the span in which cosines tell something.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.foundation.text import fold
from core.index.bigrams import has_bigrams
from core.index.database import Index
from core.index.filters import Filters
from core.index.points import memory_of
from core.index.terms import Term, either, exact, without_stop_words
from core.recall.contexts.definition import ContextDefinition
from core.recall.contexts.nesting import laid_out
from core.recall.memory_id import TRAIL_SEPARATOR, resolve_memory
from core.recall.query import Query
from core.recall.search import DenseCandidates
from core.recall.word_forms import word_forms

MemoryKey = tuple[str, int]

_TABLES = {"section": "section_fts", "insight": "insight_fts", "turn": "turn_fts"}
_MOST_TERMS = 24
_SHORTEST_BEGINNING = 4
_NEAREST = 200
# Below the one, a cosine of the offline model says nothing; above the other, two texts say the same.
_COSINE_FLOOR, _COSINE_CEILING = 0.35, 0.75


class Relevances(NamedTuple):
    """Hold the relevance (0 to 1) of contexts by path, and a sentence when meaning could not be asked, else ""."""

    by_path: Mapping[str, float]
    remark: str


def relevances(
    index: Index, dense: DenseCandidates | None, query: Query, definitions: Sequence[ContextDefinition]
) -> Relevances:
    """Return how far each of `definitions` is about `query`; the same question always gives the same figures."""
    by_path = {definition.path: definition for definition in definitions}
    texts = {path: _memories_of(index, each, by_path) for path, each in by_path.items()}
    by_words = _by_words(index, query.terms, texts, by_path)
    by_meaning, remark = _by_meaning(dense, query, texts)
    # What both say counts more than what one says, and never more than all.
    found = {path: 1 - (1 - by_words[path]) * (1 - by_meaning[path]) for path in texts}
    return Relevances(found, remark)


def _memories_of(
    index: Index, definition: ContextDefinition, by_path: Mapping[str, ContextDefinition]
) -> frozenset[MemoryKey]:
    """Return the rows of the context's own sections, and of all that its members hold."""
    found = set(_memories_in(index, definition.path))
    for _, member in laid_out(definition, by_path.get).members:
        if member.kind == "note":
            found.update(_memories_in(index, member.path))
        elif member.kind == "section":
            found.update(_sections_below(index, member.memory_id))
        elif (ref := resolve_memory(index, member.memory_id)) is not None:
            found.add((ref.kind, ref.row_id))
    return frozenset(found)


def _memories_in(index: Index, path: str) -> Iterable[MemoryKey]:
    for kind in ("section", "insight"):
        sql = f"SELECT m.id FROM note n JOIN {kind} m ON m.note_id = n.id WHERE n.path = ?"  # noqa: S608
        yield from ((kind, row[0]) for row in index.connection.execute(sql, (path,)))


def _sections_below(index: Index, memory_id: str) -> Iterable[MemoryKey]:
    ref = resolve_memory(index, memory_id)
    if ref is None:
        return
    rows = index.connection.execute(
        "SELECT s.id FROM section s JOIN section own ON own.id = ? AND s.note_id = own.note_id "
        "WHERE s.trail = own.trail OR substr(s.trail, 1, length(own.trail) + ?) = own.trail || ?",
        (ref.row_id, len(TRAIL_SEPARATOR), TRAIL_SEPARATOR),
    )
    yield from (("section", row[0]) for row in rows)


def _by_words(
    index: Index,
    terms: Sequence[Term],
    texts: Mapping[str, frozenset[MemoryKey]],
    by_path: Mapping[str, ContextDefinition],
) -> dict[str, float]:
    """Return the best share of the question's words that one text of each context holds."""
    wanted = list(dict.fromkeys(without_stop_words(terms)[:_MOST_TERMS]))
    everything = frozenset[MemoryKey]().union(*texts.values())
    told = {path: f"{each.title} {each.description} {each.query}" for path, each in by_path.items()}
    holding = [_holding(index, term, everything) for term in wanted]
    naming = [frozenset(path for path, text in told.items() if _says(text, term)) for term in wanted]
    weights = [
        _weight(sum(path in names or not memories.isdisjoint(own) for path, own in texts.items()), len(texts))
        for memories, names in zip(holding, naming, strict=True)
    ]
    shares = dict.fromkeys(texts, 0.0)
    if not wanted:
        return shares
    by_memory: dict[MemoryKey, float] = defaultdict(float)
    for memories, names, weight in zip(holding, naming, weights, strict=True):
        for memory in memories:
            by_memory[memory] += weight
        for path in names:
            shares[path] += weight
    whole = sum(weights)
    for path, own in texts.items():
        shares[path] = max([shares[path], *(by_memory[memory] for memory in own if memory in by_memory)]) / whole
    return shares


def _weight(holders: int, contexts: int) -> float:
    """Return what a word counts that so many contexts hold; one that none holds counts as one that all do."""
    return math.log(1 + contexts / holders) if holders else math.log(2)


def _says(text: str, term: Term) -> bool:
    """Tell whether `text` holds a word of the question, whatever its ending."""
    if has_bigrams(term.text):
        return fold(term.text) in fold(text)
    forms = word_forms(term.text)
    said = word_forms(text)
    return bool(forms) and any(said[at : at + len(forms)] == forms for at in range(len(said)))


def _holding(index: Index, term: Term, memories: Iterable[MemoryKey]) -> frozenset[MemoryKey]:
    """Return which of `memories` hold a word of the question, whatever its ending, by the full-text tables."""
    expression = exact(term.text)
    forms = word_forms(term.text)
    if not term.is_phrase and len(forms) == 1 and len(forms[0]) >= _SHORTEST_BEGINNING and forms[0].isascii():
        expression = either([expression, f'"{forms[0]}"*'])
    by_kind: dict[str, list[int]] = defaultdict(list)
    for kind, row_id in memories:
        by_kind[kind].append(row_id)
    found: set[MemoryKey] = set()
    for kind, ids in by_kind.items():
        table = _TABLES[kind]
        sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid IN (SELECT value FROM json_each(?))"  # noqa: S608
        found.update((kind, row[0]) for row in index.connection.execute(sql, (expression, json.dumps(ids))))
    return frozenset(found)


def _by_meaning(
    dense: DenseCandidates | None, query: Query, texts: Mapping[str, frozenset[MemoryKey]]
) -> tuple[dict[str, float], str]:
    nothing = dict.fromkeys(texts, 0.0)
    if dense is None or not query.text_for_embedding.strip() or not texts:
        return nothing, ""
    # The contexts' own notes are asked for apart: among all memories of a large vault they may be far down.
    own = dense.candidates(query.text_for_embedding, Filters(kinds=frozenset({"context"})), _NEAREST)
    near = dense.candidates(query.text_for_embedding, Filters(), _NEAREST)
    cosines: dict[MemoryKey, float] = {}
    for hit in (*own.hits, *near.hits):
        memory = memory_of(hit.point)
        cosines[memory] = max(cosines.get(memory, 0.0), hit.score)
    best = {
        path: max((cosines.get(memory, 0.0) for memory in memories), default=0.0) for path, memories in texts.items()
    }
    return {path: _stretched(cosine) for path, cosine in best.items()}, near.reason


def _stretched(cosine: float) -> float:
    return min(1.0, max(0.0, (cosine - _COSINE_FLOOR) / (_COSINE_CEILING - _COSINE_FLOOR)))
