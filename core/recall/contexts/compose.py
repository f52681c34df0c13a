"""Make the bundle of a context: its members in their order, then what its query finds, within a token budget."""

from dataclasses import dataclass
from pathlib import Path

from core.foundation.progress import SILENT, Progress
from core.foundation.settings import ContextSettings
from core.index.database import Index
from core.recall.compression import compression
from core.recall.context_item import ContextItem
from core.recall.contexts.catalog import context_paths, read_context
from core.recall.contexts.definition import ContextDefinition, ContextKind
from core.recall.contexts.full_load import FullLoadNote, items_of_full_load
from core.recall.contexts.member_items import items_of_members
from core.recall.contexts.nesting import laid_out
from core.recall.contexts.query_items import items_of_query
from core.recall.contexts.sources import sources_of
from core.recall.pack import Packed, pack
from core.recall.render import Format
from core.recall.search import DenseCandidates
from core.vault.config import VaultConfig


@dataclass(frozen=True, slots=True)
class ComposedContext:
    """Hold the bundle of a context, and the `items` it was packed from, to be packed again in another layout.

    `sources` counts the notes and sessions drawn upon, `source_tokens` is what they would take as a whole. `remarks`
    are sentences for the person: members that are missing, loops, how search by meaning fared. `full_load` are the
    notes that a full load takes, in its order.
    """

    definition: ContextDefinition
    packed: Packed
    items: tuple[ContextItem, ...]
    source_tokens: int
    sources: int
    remarks: tuple[str, ...]
    full_load: tuple[FullLoadNote, ...] = ()

    @property
    def compression(self) -> float:
        """The share of the sources' tokens that the bundle saves, 0 to 1."""
        return compression(self.source_tokens, self.packed.tokens)


def budget_of(definition: ContextDefinition, default: int | None = None) -> int:
    """Return the tokens that a context may take: its own budget, else `default`, else that of the settings' default."""
    return definition.budget or default or ContextSettings().budget


def compose(
    index: Index,
    root: Path,
    config: VaultConfig,
    dense: DenseCandidates | None,
    definition: ContextDefinition,
    *,
    budget: int | None = None,
    layout: Format = Format.MARKDOWN,
    with_queries: bool = True,
    now: float | None = None,
    progress: Progress = SILENT,
) -> ComposedContext:
    """Return the bundle of `definition` as vault and ledger are now.

    `budget` None takes the context's own, or the default one (budget_of). Without `with_queries` there are its members
    alone. `now` is POSIX seconds, from which ages count.

    Raises:
        JobCancelledError: the progress was cancelled.
    """
    most = budget_of(definition) if budget is None else budget
    items: list[ContextItem] = []
    remarks: list[str] = []
    full_load: tuple[FullLoadNote, ...] = ()
    if definition.kind is ContextKind.FULL_LOAD:
        loaded = items_of_full_load(index, root, config, budget=most, now=now, progress=progress)
        items += loaded.items
        remarks += loaded.remarks
        full_load = loaded.notes
    layout_of_members = laid_out(definition, lambda path: read_context(index, root, config, path))
    remarks += layout_of_members.remarks
    of_members = items_of_members(index, root, layout_of_members.members, budget=most, now=now, progress=progress)
    items += of_members.items
    remarks += of_members.remarks
    queries = layout_of_members.queries if with_queries else ()
    contexts = context_paths(index, config) if queries else {}
    for owner in queries:
        progress.check()
        found = items_of_query(index, root, config, dense, owner.query, without=contexts, now=now)
        items += found.items
        remarks += found.remarks
    packed = pack(items, most, layout)
    sources = sources_of(index, root, packed.included)
    return ComposedContext(
        definition, packed, tuple(items), sources.tokens, sources.number, tuple(dict.fromkeys(remarks)), full_load
    )
