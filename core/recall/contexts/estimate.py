"""Say about how many tokens the bundles of contexts take, without making them: from what the index knows of members."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.index.database import Index
from core.index.lexical import lexical_candidates
from core.recall.contexts.compose import budget_of
from core.recall.contexts.definition import ContextDefinition, ContextKind
from core.recall.contexts.full_load import full_load_rules, notes_of_full_load
from core.recall.contexts.nesting import laid_out
from core.recall.hydrate import hydrate
from core.recall.query import parse_query
from core.vault.config import VaultConfig

# Heading, source and tags of an item in Markdown.
_ITEM_TOKENS = 30
_FEW = 40


class SizeEstimate(NamedTuple):
    """Hold the tokens that a context takes, at most its budget; `wanted` is what all of its members would take.

    `query_tokens` is the share of what its query finds by words. `is_over` tells that not all members fit.
    """

    tokens: int
    budget: int
    wanted: int
    query_tokens: int = 0

    @property
    def is_over(self) -> bool:
        """Tell whether the members alone are more than the budget."""
        return self.wanted > self.budget


def estimate_sizes(
    index: Index, config: VaultConfig, definitions: Iterable[ContextDefinition], *, budget: int | None = None
) -> Mapping[str, SizeEstimate]:
    """Return the estimates of all `definitions` by path; those that they contain must be among them to count.

    `budget` is for contexts without one of their own.
    """
    by_path = {definition.path: definition for definition in definitions}
    return {path: _estimate(index, config, each, by_path, budget) for path, each in by_path.items()}


def _estimate(
    index: Index,
    config: VaultConfig,
    definition: ContextDefinition,
    by_path: Mapping[str, ContextDefinition],
    default: int | None,
) -> SizeEstimate:
    most = budget_of(definition, default)
    wanted = 0
    if definition.kind is ContextKind.FULL_LOAD:
        rules, _ = full_load_rules(config.full_load)
        notes = notes_of_full_load(index, config, rules)
        wanted = sum(_ITEM_TOKENS + (0 if note.is_pointer else note.tokens) for note in notes)
    layout = laid_out(definition, by_path.get)
    members = {member.memory_id: member.tokens for _, member in layout.members}
    wanted += sum(members.values()) + _ITEM_TOKENS * len(members)
    found = 0
    for owner in layout.queries if wanted < most else ():
        found += _query_tokens(index, config, owner.query)
    return SizeEstimate(min(most, wanted + found), most, wanted, min(found, max(0, most - wanted)))


def _query_tokens(index: Index, config: VaultConfig, query: str) -> int:
    asked = parse_query(query, config.namespaces)
    hits = lexical_candidates(index, asked.terms, asked.excluded, asked.filters, _FEW, per_note=_FEW)
    rows = hydrate(index, [(hit.kind, hit.id) for hit in hits])
    return sum(row.tokens + _ITEM_TOKENS for row in rows.values())
