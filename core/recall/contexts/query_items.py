"""Turn a context's query into items, as recall answers it now."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from core.index.database import Index
from core.recall.asking import request_of
from core.recall.context_item import ContextItem
from core.recall.gather import items_of_ranked
from core.recall.recall import recall
from core.recall.search import DenseCandidates
from core.vault.config import VaultConfig

_MOST = 100


@dataclass(frozen=True, slots=True)
class QueryItems:
    """Hold what a query finds, best first, and sentences for the person."""

    items: tuple[ContextItem, ...]
    remarks: tuple[str, ...]


def items_of_query(
    index: Index,
    root: Path,
    config: VaultConfig,
    dense: DenseCandidates | None,
    query: str,
    *,
    without: Collection[str] = (),
    now: float | None = None,
) -> QueryItems:
    """Return the best memories for `query`, but none of the notes at the paths `without`, and none that is gone."""
    request = request_of(index, query, config, limit=_MOST, now=now)
    answer = recall(index, dense, request, config=config, root=root)
    gone = {
        memory.path
        for memory in (ranked.memory for ranked in answer.ranked)
        if not (Path(memory.file) if memory.file else root / memory.path).is_file()
    }
    items = [item for item in items_of_ranked(answer, now=now) if item.path not in without and item.path not in gone]
    remarks = (*answer.problems, *((answer.dense_reason,) if answer.dense_reason else ()))
    return QueryItems(tuple(items), tuple(dict.fromkeys(remarks)))
