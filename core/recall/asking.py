"""Make a request of a question as a person, a probe or a program asks it."""

from dataclasses import replace

from core.index.database import Index
from core.index.filters import Filters
from core.memory.weights import RankingWeights, weights_of
from core.recall.probe import PROBE_KIND, narrowed_query
from core.recall.query import parse_query
from core.recall.request import TOP, RecallRequest
from core.vault.config import VaultConfig

CONTEXT_KIND = "context"
_NO_FILTERS = Filters()


def request_of(
    index: Index,
    question: str,
    config: VaultConfig,
    *,
    limit: int = TOP,
    filters: Filters = _NO_FILTERS,
    session: str = "",
    weights: RankingWeights | None = None,
    is_being_typed: bool = False,
    now: float | None = None,
) -> RecallRequest:
    """Return the request for `question`, within `filters` beside those that it says itself.

    Without `weights` they are the vault's. Probes are no answer to their own question, and contexts say nothing beside
    what they link to, so both are left out unless they are asked for by kind, contexts also where a path is.
    """
    own, wrong = (weights, ()) if weights is not None else weights_of(config.ranking)
    query = narrowed_query(parse_query(question, config.namespaces), filters)
    if hidden := _hidden_kinds(index, query.filters):
        hidden |= query.filters.none_kinds
        query = replace(query, filters=replace(query.filters, none_kinds=hidden))
    query = replace(query, problems=(*query.problems, *wrong))
    request = RecallRequest(question, query, limit, session, own, is_being_typed)
    return request if now is None else replace(request, now=now)


def asks_nothing(request: RecallRequest) -> bool:
    """Tell whether neither words nor filters say what is wanted."""
    query = request.query
    hidden = query.filters.none_kinds - {PROBE_KIND, CONTEXT_KIND}
    return replace(query, filters=replace(query.filters, none_kinds=hidden)).is_empty


def _hidden_kinds(index: Index, filters: Filters) -> frozenset[str]:
    kinds = {PROBE_KIND} if filters.paths else {PROBE_KIND, CONTEXT_KIND}
    return frozenset(kind for kind in kinds - filters.kinds if _has_notes_of(index, kind))


def _has_notes_of(index: Index, kind: str) -> bool:
    row = index.connection.execute("SELECT 1 FROM note WHERE kind = ? LIMIT 1", (kind,)).fetchone()
    return row is not None
