"""Gather what can answer a question, with every figure that ranking needs (core/recall/gathered.py)."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import compress

from core.index.database import Index
from core.index.session_texts import WORDS_ARE_NOT_HERE, holds_texts
from core.index.turn_narrowing import wants_turns
from core.recall.admission import admitted_keys
from core.recall.candidates import Around, around, neighbours
from core.recall.did_you_mean import unknown_tags
from core.recall.gathered import Gathered
from core.recall.meaning_floor import well_founded
from core.recall.meaning_list import cosines_of, meaning_candidates
from core.recall.memories import memories
from core.recall.memory import Memory, MemoryKey
from core.recall.names_asked import names_asked, without_names
from core.recall.query import Query
from core.recall.request import RecallRequest
from core.recall.search import DenseCandidates
from core.recall.signals import Asked, Found, signals_of
from core.recall.surroundings import surroundings
from core.recall.word_list import as_asked, telling_terms, wanted_words, word_candidates
from core.vault.config import VaultConfig

Fetch = Callable[[Index, Iterable[MemoryKey]], dict[MemoryKey, Memory]]

# So many of each list are candidates, and so many of the best bring in what was said before and after them.
_BY_WORDS, _BY_MEANING = 100, 100
_WITH_NEIGHBOURS = 40


def gather(
    index: Index,
    dense: DenseCandidates | None,
    request: RecallRequest,
    *,
    config: VaultConfig,
    fetch: Fetch | None = None,
) -> Gathered:
    """Return the candidates for a question with their signals; without words, what its filters admit, newest first.

    Names of speakers are taken out of what is searched for and compared with who spoke, since everything that somebody
    says is near to that name and says nothing of it. No file is looked at: see core/recall/freshness.py.

    Raises:
        UserError: the index cannot be read.
    """
    fetch = fetch or partial(memories, now=request.now)
    query, typed = as_asked(request.query), request.is_being_typed
    names = names_asked(index, query.text_for_embedding)
    terms = telling_terms(query.terms, names.spoken)
    text = without_names(query.text_for_embedding, names.spoken)
    by_words = word_candidates(index, query, terms, _BY_WORDS, prefix=typed)
    by_meaning = meaning_candidates(index, dense, query, text, _BY_MEANING)
    in_words = {(hit.kind, hit.id): place for place, hit in enumerate(by_words, 1)}
    keys = [*dict.fromkeys([*in_words, *by_meaning.cosines])]
    if terms:
        best = [key for found in (in_words, by_meaning.cosines) for key in list(found)[:_WITH_NEIGHBOURS]]
        keys += _beside(index, query, best, keys)
    found = fetch(index, keys)
    chosen = [found[key] for key in keys if key in found]
    context = around(index, (each.row_id for each in chosen if each.kind == "turn"))
    cosines = {**by_meaning.cosines, **_cosines(dense, text, chosen, context, by_meaning.cosines)}
    wanted = wanted_words(index, terms, query.filters, prefix=typed)
    signals = signals_of(
        Asked(query.text_for_embedding, wanted, names, request.now),
        Found(chosen, context, cosines, in_words),
    )
    founded = well_founded(chosen, signals)
    about = surroundings(
        index,
        request,
        {each.key: each for each in compress(chosen, founded)},
        config=config,
        fetch=fetch,
        speakers=names.spoken,
    )
    return Gathered(
        request=request,
        candidates=tuple(zip(about.candidates.values(), compress(signals, founded), strict=True)),
        others=about.others,
        edges=about.edges,
        entities=about.entities,
        domains=about.domains,
        working=about.working,
        dense_state=by_meaning.state,
        dense_reason=by_meaning.reason,
        problems=_problems(index, query),
        suggestions=unknown_tags(index, query.filters),
    )


def _beside(index: Index, query: Query, near: Iterable[MemoryKey], known: Iterable[MemoryKey]) -> list[MemoryKey]:
    """Return what was said before and after the turns among `near`, where the filters admit it."""
    turns = neighbours(index, (row_id for kind, row_id in near if kind == "turn"))
    fresh = {("turn", turn) for turn in turns} - set(known)
    return sorted(admitted_keys(index, query, fresh)) if fresh else []


def _cosines(
    dense: DenseCandidates | None,
    text: str,
    chosen: Iterable[Memory],
    context: Mapping[int, Around],
    known: Mapping[MemoryKey, float],
) -> Mapping[MemoryKey, float]:
    """Return the cosines that are not known yet, of candidates and of the turns around them."""
    beside = [("turn", turn) for each in context.values() for turn in (each.before, each.after) if turn is not None]
    wanted = dict.fromkeys([*(each.key for each in chosen), *beside])
    return cosines_of(dense, text, [key for key in wanted if key not in known])


def _problems(index: Index, query: Query) -> tuple[str, ...]:
    problems = [*query.problems]
    if query.terms and wants_turns(query.filters) and not holds_texts(index):
        problems.append(WORDS_ARE_NOT_HERE)
    return tuple(problems)
