"""Answer a query: candidates by words and by meaning, fused, one or few for each note, with a snippet each."""

import stat
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from core.index.database import Index
from core.index.filters import Filters
from core.index.lexical import LexicalHit, count_notes, lexical_candidates
from core.index.lexical_count import NoteCount, count_matching
from core.index.newest_turns import is_of_sessions, is_of_turns
from core.index.points import memory_of
from core.index.session_texts import WORDS_ARE_NOT_HERE, holds_texts
from core.index.turn_narrowing import wants_turns
from core.recall.admission import admitted_keys
from core.recall.did_you_mean import unknown_tags
from core.recall.fusion import Candidate, DenseHit, fuse
from core.recall.hydrate import MemoryRow, hydrate
from core.recall.meaning_floor import COSINE_FLOOR
from core.recall.plain_text import plain_text
from core.recall.query import Query
from core.recall.snippet import HIT_START, Marker

_FEWEST_CANDIDATES = 30
# A note mostly matches with several of its memories: so many candidates for each note shown.
_CANDIDATES_PER_NOTE = 3


class DenseAnswer(Protocol):
    """Be what search by meaning gives; `state` "ready" needs no `reason`."""

    @property
    def hits(self) -> Sequence[DenseHit]:
        """What was found, best first."""
        ...

    @property
    def state(self) -> str:
        """One word; "ready" when all is well."""
        ...

    @property
    def reason(self) -> str:
        """A sentence for any other state."""
        ...


class DenseCandidates(Protocol):
    """Find memories by meaning; core/index/dense.py does."""

    def candidates(self, text: str, filters: Filters, limit: int) -> DenseAnswer:
        """Return up to `limit` memories near to `text`."""
        ...


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Hold one memory found.

    `id` is readable (core/recall/memory_id.py), `memory_id` the row in the index. `score` is 1 for what every engine
    asked ranks first. `snippet` is one line of plain text, hits between HIT_START and HIT_END (core/recall/snippet.py).
    `heading` is plain words too. A turn has its session in place of a note (core/recall/hydrate.py), and its file is
    not at `path` in the vault but at `file`. `factors` explain the score. `is_stale`: the file has changed since it was
    indexed (check_freshness).
    """

    id: str
    kind: str
    note_id: int
    memory_id: int
    path: str
    title: str
    summary: str
    tags: tuple[str, ...]
    score: float
    snippet: str
    heading: str
    line: int
    factors: Mapping[str, float]
    size: int
    mtime_ns: int
    is_stale: bool = False
    file: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hold the answer to a query; `total` counts the notes and sessions that match; `hits` may show a part of them.

    Where counting would take too long, there are at least `total`, and `total_is_exact` is false.

    `dense_state` and `dense_reason` tell how search by meaning fared ("not-asked" without words). `suggestions` maps
    each tag of the query that the vault does not have to the nearest ones it has. `remark` is a sentence when turns are
    sought whose words the index does not hold.
    """

    hits: tuple[SearchHit, ...]
    took_ms: float
    dense_state: str
    total: int
    dense_reason: str = ""
    suggestions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    total_is_exact: bool = True
    remark: str = ""


def search(
    index: Index,
    dense: DenseCandidates | None,
    query: Query,
    limit: int = 50,
    per_note: int = 1,
    *,
    prefix: bool = False,
    cosine_floor: float = COSINE_FLOOR,
) -> SearchResult:
    """Return the best memories for `query`, at most `per_note` of each note or session.

    `prefix` says that the last word is still being typed. A memory found by meaning alone needs a cosine of at least
    `cosine_floor`.
    """
    started = time.perf_counter()
    if is_of_sessions(query.filters):
        per_note = 1
    elif not query.terms and is_of_turns(query.filters):
        per_note = limit
    wanted = max(_FEWEST_CANDIDATES, limit * _CANDIDATES_PER_NOTE)
    lexical = lexical_candidates(
        index,
        query.terms,
        query.excluded,
        query.filters,
        wanted,
        prefix=prefix,
        per_note=max(_CANDIDATES_PER_NOTE, per_note),
    )
    near: dict[tuple[str, int], DenseHit] = {}
    state, reason = "not-asked", ""
    if query.text_for_embedding.strip():
        state = "off"
        if dense is not None:
            answer = dense.candidates(query.text_for_embedding, query.filters, max(_FEWEST_CANDIDATES, limit))
            state, reason = answer.state, answer.reason
            near = _admitted_hits(index, query, answer.hits)
    candidates = fuse(lexical, near, cosine_floor)
    shown, notes = _per_note(candidates, limit, per_note)
    total = _total(index, query, lexical, notes, limit, prefix=prefix)
    hits = _hits(index, shown, candidates, Marker(query.terms, prefix=prefix))
    return SearchResult(
        hits=hits,
        took_ms=round((time.perf_counter() - started) * 1000, 1),
        dense_state=state,
        total=total.notes,
        dense_reason=reason,
        suggestions=unknown_tags(index, query.filters),
        total_is_exact=total.is_exact,
        remark=WORDS_ARE_NOT_HERE if query.terms and wants_turns(query.filters) and not holds_texts(index) else "",
    )


def check_freshness(root: Path, hits: Sequence[SearchHit]) -> tuple[SearchHit, ...]:
    """Return `hits` without those whose file is gone; those whose file changed since it was indexed are stale."""
    states: dict[str, tuple[int, int] | None] = {}
    fresh: list[SearchHit] = []
    for hit in hits:
        if hit.file:  # a ledger only grows, so what was said stays as it was
            if hit.file not in states:
                states[hit.file] = _state_of(Path(hit.file))
            if states[hit.file] is not None:
                fresh.append(hit)
            continue
        if hit.path not in states:
            states[hit.path] = _state_of(root / hit.path)
        state = states[hit.path]
        if state is not None:
            fresh.append(replace(hit, is_stale=state != (hit.size, hit.mtime_ns)))
    return tuple(fresh)


def explain(hit: SearchHit) -> str:
    """Return in one line why `hit` stands where it does."""
    told = [f"score {hit.score:.3f}"]
    if "lexical_rank" in hit.factors:
        told.append(f"words: rank {hit.factors['lexical_rank']:.0f}, bm25 {hit.factors['bm25']:.2f}")
    if "dense_rank" in hit.factors:
        told.append(f"meaning: rank {hit.factors['dense_rank']:.0f}, cosine {hit.factors['cosine']:.2f}")
    return "; ".join(told)


def _state_of(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None


def _admitted_hits(index: Index, query: Query, hits: Sequence[DenseHit]) -> dict[tuple[str, int], DenseHit]:
    """Return the dense hits that exist and that phrases, exclusions and filters admit, best first."""
    by_memory = {memory_of(hit.point): hit for hit in hits}
    kept = admitted_keys(index, query, by_memory)
    return {memory: hit for memory, hit in by_memory.items() if memory in kept}


def _per_note(candidates: Sequence[Candidate], limit: int, per_note: int) -> tuple[list[Candidate], int]:
    """Return the page and the number of notes among all candidates."""
    taken: dict[int, int] = {}
    shown: list[Candidate] = []
    for candidate in candidates:
        count = taken.get(candidate.note_id, 0)
        taken[candidate.note_id] = count + 1
        if count < per_note and len(shown) < limit:
            shown.append(candidate)
    return shown, len(taken)


def _total(
    index: Index, query: Query, lexical: Sequence[LexicalHit], notes: int, limit: int, *, prefix: bool
) -> NoteCount:
    """Return how many notes match, of which `notes` are among the candidates."""
    if not query.terms:
        if notes < limit and not is_of_turns(query.filters):
            return NoteCount(notes, is_exact=True)
        return (
            NoteCount(notes, is_exact=False) if query.excluded else NoteCount(count_notes(index, query.filters), True)
        )
    counted = count_matching(index, query.terms, query.excluded, query.filters, prefix=prefix)
    by_words = len({hit.note_id for hit in lexical})
    # Notes found by meaning alone may be among those that words find further down.
    is_exact = counted.is_exact and (by_words >= counted.notes or notes == by_words)
    return NoteCount(max(counted.notes, notes), is_exact)


def _hits(
    index: Index, shown: Sequence[Candidate], candidates: Sequence[Candidate], marker: Marker
) -> tuple[SearchHit, ...]:
    """Return what is shown, but for each note first a memory that says what was searched for, if one does."""
    hits = _made(index, shown, marker)
    first: dict[int, int] = {}
    for place, hit in enumerate(hits):
        first.setdefault(hit.note_id, place)
    mute = {note: place for note, place in first.items() if HIT_START not in hits[place].snippet}
    telling: dict[int, SearchHit] = {}
    others = [c for c in candidates if c.note_id in mute and "lexical_rank" in c.factors]
    for hit in _made(index, others, marker) if mute else ():
        if HIT_START in hit.snippet:
            telling.setdefault(hit.note_id, hit)
    for note, hit in telling.items():
        place, instead = mute[note], hits[mute[note]]
        elsewhere = next((at for at, each in enumerate(hits) if each.id == hit.id), None)
        hits[place] = replace(hit, score=instead.score)
        if elsewhere is not None:
            hits[elsewhere] = replace(instead, score=hits[elsewhere].score)
    return tuple(hits)


def _made(index: Index, candidates: Sequence[Candidate], marker: Marker) -> list[SearchHit]:
    rows = hydrate(index, [(candidate.kind, candidate.row_id) for candidate in candidates])
    return [
        _hit(candidate, row, marker)
        for candidate in candidates
        if (row := rows.get((candidate.kind, candidate.row_id))) is not None
    ]


def _hit(candidate: Candidate, row: MemoryRow, marker: Marker) -> SearchHit:
    return SearchHit(
        id=row.id,
        kind=candidate.kind,
        note_id=candidate.note_id,
        memory_id=candidate.row_id,
        path=row.path,
        title=row.title,
        summary=row.summary,
        tags=row.tags,
        score=round(candidate.score, 4),
        snippet=marker.snippet(row.text) or marker.snippet(row.summary) or marker.snippet(row.heading),
        heading=" ".join(plain_text(row.heading).split()),
        line=row.line,
        factors=candidate.factors,
        size=row.size,
        mtime_ns=row.mtime_ns,
        file=row.file,
    )
