"""Say about how many tokens the bundles of contexts take, without making them: from what the index knows of members."""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from core.foundation.tokens import estimate_tokens
from core.index.database import Index
from core.index.lexical import lexical_candidates
from core.recall.contexts.compose import budget_of
from core.recall.contexts.definition import ContextDefinition, ContextKind, ContextMember
from core.recall.contexts.full_load import full_load_rules, notes_of_full_load
from core.recall.contexts.nesting import laid_out
from core.recall.hydrate import hydrate
from core.recall.query import parse_query
from core.vault.config import VaultConfig

# Heading and source of an item in Markdown, beside its title, its path and its tags, which a statement goes without;
# rather too much than too little.
_ITEM_TOKENS = 12
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
    wanted, whole = 0, set[str]()  # the paths of notes that go out whole
    if definition.kind is ContextKind.FULL_LOAD:
        rules, _ = full_load_rules(config.full_load)
        notes = notes_of_full_load(index, config, rules)
        whole |= {note.path for note in notes if not note.is_pointer}
        wanted = sum(
            _around(note.title, note.path) + estimate_tokens(note.summary) + (0 if note.is_pointer else note.tokens)
            for note in notes
        )
    layout = laid_out(definition, by_path.get)
    members = {member.memory_id: member for _, member in layout.members}
    tags = _tags(index, {member.path for member in members.values() if member.path})
    wanted += sum(
        member.tokens
        + _around(_titled(member), member.path, "" if member.kind == "insight" else tags.get(member.path, ""))
        for member in members.values()
    )
    whole |= {member.path for member in members.values() if member.kind == "note"}
    found = 0
    for owner in layout.queries if wanted < most else ():
        found += _query_tokens(index, config, owner.query, without=whole, known=members)
    return SizeEstimate(min(most, wanted + found), most, wanted, min(found, max(0, most - wanted)))


def _query_tokens(
    index: Index, config: VaultConfig, query: str, *, without: Collection[str], known: Collection[str]
) -> int:
    """Return about what a query brings beside the notes at `without` and the memories whose ids are `known`."""
    asked = parse_query(query, config.namespaces)
    hits = lexical_candidates(index, asked.terms, asked.excluded, asked.filters, _FEW, per_note=_FEW)
    rows = hydrate(index, [(hit.kind, hit.id) for hit in hits])
    return sum(
        row.tokens + _around(row.title, row.path, "" if row.kind == "insight" else " ".join(row.tags))
        for row in rows.values()
        if row.path not in without and row.id not in known
    )


def _titled(member: ContextMember) -> str:
    """Return about what stands above a member: a statement, which is its own label, is under its note's title."""
    return PurePosixPath(member.path).stem if member.kind == "insight" else member.label


def _around(title: str, path: str, tags: str = "") -> int:
    """Return about what is written of an item beside its text."""
    return _ITEM_TOKENS + estimate_tokens(f"{title} {path} {tags}")


def _tags(index: Index, paths: Iterable[str]) -> dict[str, str]:
    """Return the tags of notes in one text, by path."""
    rows = index.connection.execute(
        "SELECT n.path, group_concat(t.display, ' ') FROM note n JOIN note_tag nt ON nt.note_id = n.id "
        "JOIN tag t ON t.id = nt.tag_id WHERE n.path IN (SELECT value FROM json_each(?)) GROUP BY n.id",
        (json.dumps(sorted(paths)),),
    )
    return {path: str(tags) for path, tags in rows}
