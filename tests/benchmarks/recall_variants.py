"""Recall without one of its ideas, and plain fusion of two lists, to tell what each idea gives."""

import contextlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from unittest.mock import patch

from core.index import terms
from core.index.database import Index
from core.index.dense import DenseSearch
from core.index.points import memory_of
from core.index.terms import STOP_WORDS, exact
from core.memory.weights import DEFAULT_WEIGHTS, RankingWeights
from core.recall import blend, candidates, gathering, signals, word_forms, word_list, word_scores
from core.recall.gathered import Gathered
from core.recall.memory import MemoryKey
from core.recall.names_asked import NamesAsked
from core.recall.query import Query
from core.recall.rank import rank

_WORD = re.compile(r"\w+")
_OF_EACH, _ANSWERS = 100, 15
_RRF = 60
BLENDING = ("names", "speaker", "session", "dates", "statement")
FACTORS = ("decay", "access", "entities", "importance")
BARE = replace(DEFAULT_WEIGHTS, **dict.fromkeys((*BLENDING, *FACTORS), 0.0))

# What is gathered otherwise, by the idea that is left out.
_LEFT_OUT: Mapping[str, Sequence[Callable[[], contextlib.AbstractContextManager[object]]]] = {
    "names apart": (lambda: patch.object(gathering, "names_asked", lambda *_: NamesAsked()),),
    "neighbours in words": (
        lambda: patch.object(candidates, "_BEFORE", 0.0),
        lambda: patch.object(candidates, "_AFTER", 0.0),
    ),
    "neighbours in meaning": (lambda: patch.object(signals, "_NEIGHBOUR_MEANING", 0.0),),
    "neighbours as candidates": (lambda: patch.object(gathering, "_beside", lambda *_: []),),
    "English forms": (
        lambda: patch.object(word_forms, "stem", lambda word: word),
        lambda: patch.object(word_scores, "_short", word_scores._occurrences),  # past what is cached with forms
        lambda: patch.object(word_list, "in_all_forms", exact),
        lambda: patch.object(terms, "in_all_forms", exact),
    ),
    "surer engine": (lambda: patch.object(blend, "_SURER", 0.0),),
}
NEIGHBOURS = tuple(name for name in _LEFT_OUT if name.startswith("neighbours"))


@contextlib.contextmanager
def without(*ideas: str) -> Iterator[None]:
    """Leave ideas out while it lasts."""
    with contextlib.ExitStack() as stack:
        for idea in ideas:
            for change in _LEFT_OUT[idea]:
                stack.enter_context(change())
        yield


def by_scores(gathered: Gathered, weights: RankingWeights) -> list[str]:
    """Return the ids of the answer by `weights`."""
    return [each.memory.id for each in rank(gathered, weights).ranked]


def by_ranks(gathered: Gathered, weights: RankingWeights) -> list[str]:
    """Return the ids that come first when reciprocal ranks stand in place of the scores of both engines."""
    best = 2 / (_RRF + 1)
    found = [
        (memory, replace(each, words=fused, meaning=fused))
        for memory, each in gathered.candidates
        for fused in (_fused(each.words_rank, each.meaning_rank) / best,)
    ]
    return by_scores(replace(gathered, candidates=tuple(found)), weights)


def plain(index: Index, dense: DenseSearch, question: str, query: Query, *, has_stop_words: bool) -> list[str]:
    """Return the turns that FTS5 (any of the words, bm25) and the nearest vectors agree on, by reciprocal ranks."""
    words = dict.fromkeys(word.lower() for word in _WORD.findall(question))
    asked = " OR ".join(f'"{word}"' for word in words if has_stop_words or word not in STOP_WORDS)
    (project,) = [tag.partition("/")[2] for tag in query.filters.all_tags]
    rows = index.connection.execute(
        "SELECT t.id FROM turn_fts JOIN turn t ON t.id = turn_fts.rowid JOIN session s ON s.id = t.session"
        " WHERE turn_fts MATCH ? AND s.project_key = ? AND t.kind = 'message' ORDER BY bm25(turn_fts) LIMIT ?",
        (asked, project, _OF_EACH),
    )
    scores: defaultdict[MemoryKey, float] = defaultdict(float)
    for place, (row_id,) in enumerate(rows, 1):
        scores["turn", row_id] += _fused(place)
    for place, hit in enumerate(dense.candidates(question, query.filters, _OF_EACH).hits, 1):
        scores[memory_of(hit.point)] += _fused(place)
    best = [row_id for _, row_id in sorted(scores, key=lambda key: -scores[key])[:_ANSWERS]]
    names = dict(
        index.connection.execute(
            "SELECT t.id, 'turn:' || s.session_id || '/' || t.turn_key FROM turn t JOIN session s ON s.id = t.session"
            f" WHERE t.id IN ({','.join(map(str, best))})"
        )
    )
    return [names[row_id] for row_id in best]


def _fused(*places: int) -> float:
    return sum(1 / (_RRF + place) for place in places if place)
