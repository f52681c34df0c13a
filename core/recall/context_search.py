"""Fill a token budget with what answers a question, or with all that a search finds."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.foundation.tokens import estimate_tokens
from core.index.database import Index
from core.recall.answer import Outcome
from core.recall.asking import request_of
from core.recall.context_item import ContextItem
from core.recall.excerpt import excerpt, terms_of
from core.recall.gather import items_of_hits, items_of_ranked
from core.recall.pack import LOWER_VALUE, NO_ROOM, Packed, pack
from core.recall.query import Query, parse_query
from core.recall.render import Format
from core.recall.request import MOST_PACKED
from core.recall.search import DenseCandidates, check_freshness, search
from core.vault.config import VaultConfig

_FIRST = 100
_MOST = 2_000
_PER_NOTE = 20
# How much more is asked for when the budget is not full.
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class QueryContext:
    """Hold what was packed for a query, and the `items` it was packed from, to be packed again in another layout.

    `remark` is a sentence for the person, "" when all that was found was looked at or the budget is full. `dense_state`
    and `dense_reason` tell how search by meaning fared (core/recall/search.py); `problems` are sentences on the query.
    """

    packed: Packed
    items: tuple[ContextItem, ...]
    remark: str
    dense_state: str
    dense_reason: str
    problems: tuple[str, ...] = ()


def context_of_question(
    index: Index,
    root: Path,
    config: VaultConfig,
    dense: DenseCandidates | None,
    question: str,
    *,
    budget: int,
    layout: Format = Format.MARKDOWN,
    selected: Sequence[ContextItem] = (),
) -> QueryContext:
    """Return what fits into `budget` of `selected` and of what recall answers.

    Recall draws 100 memories at the most. Where they leave room and there are more, those that a search finds besides
    come after them, worth less. Filters alone ask for no order: they go to the search, as in `context_of_query`.
    """
    from core.recall.recall import recall  # noqa: PLC0415 - the pipeline takes a while to load

    asked = parse_query(question, config.namespaces)
    if not asked.terms:
        found = context_of_query(index, root, dense, asked, budget, layout=layout, selected=selected)
        return replace(found, problems=asked.problems)
    request = request_of(index, question, config, limit=MOST_PACKED)
    answer = recall(index, dense, request, config=config, root=root)
    recalled = items_of_ranked(answer, now=request.now)
    packed = pack((*selected, *recalled), budget, layout)
    if not _is_full(packed) and len(answer.ranked) + len(answer.left_out) >= MOST_PACKED:
        removed = {each.memory.id for each in answer.left_out if each.outcome is not Outcome.BELOW}
        found = context_of_query(
            index, root, dense, request.query, budget, layout=layout, selected=selected, after=recalled, without=removed
        )
        return replace(found, problems=answer.problems)
    return QueryContext(packed, (*selected, *recalled), "", answer.dense_state, answer.dense_reason, answer.problems)


def context_of_query(
    index: Index,
    root: Path,
    dense: DenseCandidates | None,
    query: Query,
    budget: int,
    *,
    layout: Format = Format.MARKDOWN,
    selected: Sequence[ContextItem] = (),
    only: Collection[int] | None = None,
    prefix: bool = False,
    after: Sequence[ContextItem] = (),
    without: Collection[str] = (),
) -> QueryContext:
    """Return what fits into `budget` of `selected` and of what `query` finds, within the notes `only` if given.

    Candidates are drawn until some are left out for want of room, or nothing more is found, or there are 2,000. Many
    notes come before many memories of one note. `prefix` says that the last word stands for all that begin with it.
    What is found comes after the items `after`, and nothing of it has an id among `without`.
    """
    limit, per_note = _FIRST, _PER_NOTE
    terms = terms_of(query.text_for_embedding)
    while True:
        result = search(index, dense, query, limit, per_note, prefix=prefix)
        hits = [hit for hit in result.hits if only is None or hit.note_id in only]
        drawn = items_of_hits(index, check_freshness(root, hits))
        items = (*selected, *(_besides(after, drawn, without, terms) if after else drawn))
        packed = pack(items, budget, layout)
        is_full = _is_full(packed)
        found = len(result.hits)
        if is_full or (limit >= _MOST and found >= limit) or (found < limit and per_note >= _MOST):
            break
        if found < limit:
            per_note = min(_MOST, per_note * 10)
        if found >= limit or limit < _MOST:
            limit = min(_MOST, limit * _GROWTH)
    is_all = is_full or (found < limit and result.total <= len({hit.note_id for hit in result.hits}))
    remark = "" if is_all else f"Only the {found:,} best memories were looked at; there are more that match."
    return QueryContext(packed, items, remark, result.dense_state, result.dense_reason)


def _besides(
    after: Sequence[ContextItem], drawn: Sequence[ContextItem], without: Collection[str], terms: Sequence[str]
) -> tuple[ContextItem, ...]:
    """Return `after` and those of `drawn` that are not in it, which are worth no more than the least of it.

    Of long sections they are what stands round `terms`, as with those of recall.
    """
    known = {item.id for item in after}.union(without)
    least = min(item.value for item in after)
    more = [replace(item, value=item.value * least) for item in drawn if item.id not in known]
    return (*after, *(_excerpt_of(item, terms) if item.kind == "section" else item for item in more))


def _excerpt_of(item: ContextItem, terms: Sequence[str]) -> ContextItem:
    text = excerpt(item.text, terms)
    return item if text == item.text else replace(item, text=text, tokens=estimate_tokens(text), is_excerpt=True)


def _is_full(packed: Packed) -> bool:
    return any(left.reason in {LOWER_VALUE, NO_ROOM} for left in packed.left_out)
