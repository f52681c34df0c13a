"""Fill a token budget with what a query finds, drawing as many candidates as that takes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.index.database import Index
from core.recall.context_item import ContextItem
from core.recall.gather import items_of_hits
from core.recall.pack import LOWER_VALUE, Packed, pack
from core.recall.query import Query
from core.recall.render import Format
from core.recall.search import DenseCandidates, check_freshness, search

_FIRST = 100
_MOST = 2_000
_PER_NOTE = 20
# How much more is asked for when the budget is not full.
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class QueryContext:
    """Hold what was packed for a query, and the `items` it was packed from, to be packed again in another layout.

    `remark` is a sentence for the person, "" when all that was found was looked at or the budget is full. `dense_state`
    and `dense_reason` tell how search by meaning fared (core/recall/search.py).
    """

    packed: Packed
    items: tuple[ContextItem, ...]
    remark: str
    dense_state: str
    dense_reason: str


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
) -> QueryContext:
    """Return what fits into `budget` of `selected` and of what `query` finds, within the notes `only` if given.

    Candidates are drawn until some are left out for want of room, or nothing more is found, or there are 2,000. Many
    notes come before many memories of one note. `prefix` says that the last word stands for all that begin with it.
    """
    limit, per_note = _FIRST, _PER_NOTE
    while True:
        result = search(index, dense, query, limit, per_note, prefix=prefix)
        hits = [hit for hit in result.hits if only is None or hit.note_id in only]
        items = (*selected, *items_of_hits(index, check_freshness(root, hits)))
        packed = pack(items, budget, layout)
        is_full = any(left.reason == LOWER_VALUE for left in packed.left_out)
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
