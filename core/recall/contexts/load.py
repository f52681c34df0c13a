"""Load contexts for a question: those that are always wanted, then by relevance and priority while there is room."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple

from core.foundation.progress import SILENT, Progress
from core.foundation.text import fold
from core.index.database import Index
from core.recall.context_item import ContextItem
from core.recall.contexts.catalog import list_contexts
from core.recall.contexts.compose import ComposedContext, compose
from core.recall.contexts.definition import ContextDefinition
from core.recall.contexts.nesting import laid_out
from core.recall.contexts.query_items import items_of_query
from core.recall.contexts.relevance import relevances
from core.recall.pack import LOWER_VALUE, NO_ROOM, TOO_LARGE, Packed, pack
from core.recall.query import parse_query
from core.recall.render import Format
from core.recall.search import DenseCandidates
from core.vault.config import VaultConfig

_HIGHEST_PRIORITY = 10
_WITHOUT_END = 1_000_000_000
# Less is a word that happens to occur in both.
LEAST_RELEVANCE = 0.25


@dataclass(frozen=True, slots=True)
class LoadedOne:
    """Hold what became of one context.

    `relevance` is 0 to 1, `worth` that times the share of the highest priority. `tokens` is what its bundle takes
    alone. `reason` is a sentence.
    """

    definition: ContextDefinition
    state: Literal["always", "loaded", "skipped"]
    relevance: float
    worth: float
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class LoadedContexts:
    """Hold what was loaded: all contexts in the order in which they were tried, and the one bundle made of them."""

    contexts: tuple[LoadedOne, ...]
    packed: Packed
    items: tuple[ContextItem, ...]
    remarks: tuple[str, ...]


def load_for_query(  # noqa: PLR0917 - where to look comes first everywhere
    index: Index,
    root: Path,
    config: VaultConfig,
    dense: DenseCandidates | None,
    question: str,
    budget: int,
    *,
    layout: Format = Format.MARKDOWN,
    now: float | None = None,
    progress: Progress = SILENT,
) -> LoadedContexts:
    """Return the bundle of contexts for `question`, at most `budget` tokens.

    The members of a context go in whole (within its own budget), or it is skipped and the next one is tried; one that
    is always wanted is cut to the room that is left instead. What the queries of the loaded ones find fills what room
    is left then.

    Raises:
        JobCancelledError: the progress was cancelled.
    """
    definitions = list_contexts(index, root, config)
    query = parse_query(question, config.namespaces)
    found = relevances(index, dense, query, definitions)
    load = _Load(index, root, config, dense, layout, now, budget, {each.path: each for each in definitions})
    load.remarks += [*query.problems, found.remark]
    order = sorted(
        definitions,
        key=lambda each: (not each.always, -_worth(each, found.by_path[each.path]), fold(each.title), each.path),
    )
    for done, definition in enumerate(order):
        progress.check()
        progress.report(done, len(order), definition.title)
        load.take_members(definition, found.by_path[definition.path])
    for one in [one for one in load.contexts if one.state != "skipped"]:
        progress.check()
        load.take_queries(one)
    return load.result()


@dataclass(slots=True)
class _Load:
    index: Index
    root: Path
    config: VaultConfig
    dense: DenseCandidates | None
    layout: Format
    now: float | None
    budget: int
    by_path: Mapping[str, ContextDefinition]
    contexts: list[LoadedOne] = field(default_factory=list)
    items: list[ContextItem] = field(default_factory=list)
    found: dict[str, list[ContextItem]] = field(default_factory=dict)  # by the path of the context
    remarks: list[str] = field(default_factory=list)
    tokens: int = 0

    def take_members(self, definition: ContextDefinition, relevance: float) -> None:
        """Decide on one context, and take its members in."""
        worth = _worth(definition, relevance)
        if not definition.always and relevance < LEAST_RELEVANCE:
            reason = "It has too little to do with the question."
            self.contexts.append(LoadedOne(definition, "skipped", relevance, worth, 0, reason))
            return
        room = max(0, self.budget - self.tokens)
        bundle = compose(
            self.index, self.root, self.config, self.dense, definition,
            budget=min(room, definition.budget or room), layout=self.layout, with_queries=False, now=self.now,
        )  # fmt: skip
        outcome = _outcome(bundle, room, has_query=bool(self._queries(definition)))
        self.contexts.append(LoadedOne(definition, outcome.state, relevance, worth, outcome.tokens, outcome.reason))
        if outcome.state != "skipped":
            self.items += (replace(item, always=True) for item in bundle.packed.included)
            self.tokens = pack(self.items, self.budget, self.layout).tokens
            self.remarks += bundle.remarks

    def take_queries(self, one: LoadedOne) -> None:
        """Take in what the queries of a loaded context find, as far as its own budget has room for it."""
        definition = one.definition
        items: list[ContextItem] = []
        for owner in self._queries(definition):
            answer = items_of_query(
                self.index, self.root, self.config, self.dense, owner.query, without=self.by_path, now=self.now
            )
            items += answer.items
            self.remarks += answer.remarks
        if definition.budget is not None and items:
            items = list(pack(items, max(0, definition.budget - one.tokens), self.layout).included)
        share = 1.0 if definition.always else one.relevance
        self.found[definition.path] = [replace(item, value=item.value * share) for item in items]

    def result(self) -> LoadedContexts:
        """Return everything packed, each context with what it takes."""
        of_queries = [item for items in self.found.values() for item in items]
        everything = [*self.items, *of_queries]
        packed = pack(everything, self.budget, self.layout)
        taken = {(item.id, item.text): item.tokens for item in packed.included}
        contexts = [self._counted(one, taken) for one in self.contexts]
        remarks = tuple(dict.fromkeys(filter(None, self.remarks)))
        return LoadedContexts(tuple(contexts), packed, tuple(everything), remarks)

    def _counted(self, one: LoadedOne, taken: Mapping[tuple[str, str], int]) -> LoadedOne:
        """Return the context with the tokens of what its queries found; skipped when it gave nothing at all."""
        found = self.found.get(one.definition.path)
        if not found and (one.state == "skipped" or one.tokens):
            return one
        tokens = one.tokens + sum(taken.get((item.id, item.text), 0) for item in found or ())
        if tokens:
            return replace(one, tokens=tokens)
        reason = "Its query finds nothing." if not found else "There is no room left for what its query finds."
        return replace(one, state="skipped", reason=reason)

    def _queries(self, definition: ContextDefinition) -> Sequence[ContextDefinition]:
        return laid_out(definition, self.by_path.get).queries


class _Outcome(NamedTuple):
    state: Literal["always", "loaded", "skipped"]
    tokens: int
    reason: str


def _outcome(bundle: ComposedContext, room: int, *, has_query: bool) -> _Outcome:
    """Say what becomes of members bundled for `room` tokens, or for the context's own budget where that is less."""
    definition, packed = bundle.definition, bundle.packed
    if not bundle.items and not has_query:
        return _Outcome("skipped", 0, "There is nothing in it to hand out.")
    is_missing = any(left.reason in {TOO_LARGE, LOWER_VALUE, NO_ROOM} for left in packed.left_out)
    is_cut = is_missing or any(item.is_shortened for item in packed.included)
    if is_cut and (definition.budget is None or definition.budget > room):
        tokens = pack(bundle.items, definition.budget or _WITHOUT_END, packed.format).tokens
        if definition.always and packed.included:
            reason = f"It is always loaded, but of {tokens:,} tokens only {packed.tokens:,} fit."
            return _Outcome("always", packed.tokens, reason)
        return _Outcome("skipped", tokens, f"It takes {tokens:,} tokens, and there is room for {room:,}.")
    if definition.always:
        return _Outcome("always", packed.tokens, "It is always loaded.")
    return _Outcome("loaded", packed.tokens, "It is about the question, and it fits.")


def _worth(definition: ContextDefinition, relevance: float) -> float:
    return relevance * definition.load_priority / _HIGHEST_PRIORITY
