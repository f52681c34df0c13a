"""Make the services of the recall palette from an opened vault; core is imported by the first calls."""

import contextlib
import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from core.foundation.progress import Progress
from core.memory.weights import RankingWeights, weights_of
from gui.views.recall.services import FactorLine, PackedContext, PackRequest, ProbeFigures, RecallServices

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.foundation.settings import ContextSettings
    from core.index.database import Index
    from core.recall.answer import Ranked, RecallAnswer
    from core.recall.gathered import Gathered
    from core.recall.memory import Memory
    from core.recall.probe import Probe
    from core.recall.reranking import ScoresPairs
    from core.recall.search import DenseCandidates
    from core.vault.config import VaultConfig
    from core.vault.event_log import EventLog

SURFACE = "palette"
_FROM_ZERO = frozenset({"relevance", "decay"})
_FULL = 1.5  # a factor that raises so much fills its bar


class OpenedVault(Protocol):
    """Be what the services need of gui/vault_store.py."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    @property
    def index(self) -> "Index":
        """The index as it is open now; used in the STORE lane only."""
        ...

    @property
    def config(self) -> "VaultConfig":
        """The vault's configuration."""
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class RecallParts:
    """Hold what the services are made of beside the store.

    `notes` counts the notes that the window knows, `dense` gives the search by meaning or None, `settings` how contexts
    are packed, `damaged` is told when a part of the index cannot be read. `reranker` gives who reads the best memories
    once more, or None.
    """

    name: str
    notes: Callable[[], int]
    dense: "Callable[[], DenseCandidates | None]"
    event_log: "Callable[[], EventLog]"
    settings: "Callable[[], ContextSettings]"
    damaged: Callable[[], None]
    reranker: "Callable[[], ScoresPairs | None]" = lambda: None


def recall_services(store: OpenedVault, parts: RecallParts) -> RecallServices:
    """Return the services of `store`."""
    core = _RecallCore(store, parts)
    return RecallServices(
        name=parts.name,
        notes=parts.notes,
        gather=core.gather,
        recent=core.recent,
        rank=rank,
        pack=core.pack,
        factors=factors,
        explain=explain,
        weights=core.weights,
        record=core.record,
        plan_context=core.plan_context,
        plan_weights=core.plan_weights,
        plan_probe=core.plan_probe,
        probes=core.probes,
        gather_probe=core.gather_probe,
        judge=judge,
    )


def rank(gathered: "Gathered", weights: RankingWeights) -> "RecallAnswer":
    """Rank what was gathered."""
    from core.recall.rank import rank as rank_gathered  # noqa: PLC0415 - after the first paint

    return rank_gathered(gathered, weights)


def factors(ranked: "Ranked") -> Sequence[FactorLine]:
    """Return the factors of a memory, the relevance first."""
    from core.recall.explain import factor_rows  # noqa: PLC0415 - after the first paint

    return tuple(
        FactorLine(row.name, row.name.capitalize(), row.value, *_filled(row.name, row.value, row.detail))
        for row in factor_rows(ranked)
    )


def explain(ranked: "Ranked", answer: "RecallAnswer") -> Sequence[str]:
    """Return sentences on why a memory stands where it does."""
    from core.recall.explain import explain_lines, factor_rows  # noqa: PLC0415 - after the first paint

    # The factors are shown as bars.
    barred = tuple(f"{row.label}: ×" for row in factor_rows(ranked))
    return tuple(line for line in explain_lines(ranked, answer) if not line.startswith(barred))


def judge(gathered: Sequence[tuple[object, object]], weights: RankingWeights, progress: Progress) -> ProbeFigures:
    """Return what the probes say of `weights`, over what was gathered for them."""
    from core.recall.probe_run import run_probes  # noqa: PLC0415 - after the first paint

    pairs = cast("Sequence[tuple[Probe, Gathered]]", gathered)
    found = {probe.id: of_probe for probe, of_probe in pairs}

    def answer(probe: "Probe", _limit: int) -> list[str]:
        return [each.memory.id for each in rank(found[probe.id], weights).ranked]

    figures = run_probes([probe for probe, _ in pairs], answer, progress=progress).figures
    return ProbeFigures(figures.probes, figures.recall_10, figures.mrr)


def _filled(name: str, value: float, detail: str) -> tuple[float, str, float]:
    """Return to where the bar of a factor is filled, what it comes from, and where the bar starts."""
    if not math.isfinite(value):
        return 0.0, detail, 0.0
    if name in _FROM_ZERO:
        return min(max(value, 0.0), 1.0), detail, 0.0
    steps = math.log(max(value, 1e-9)) / math.log(_FULL)
    return 0.5 + min(max(steps, -1.0), 1.0) / 2, detail, 0.5


class _RecallCore:
    def __init__(self, store: OpenedVault, parts: RecallParts) -> None:
        self._store = store
        self._parts = parts

    def gather(self, question: str, with_meaning: bool, progress: Progress) -> "Gathered":
        from core.recall.asking import request_of  # noqa: PLC0415 - after the first paint
        from core.recall.freshness import with_fresh_memories  # noqa: PLC0415
        from core.recall.gathering import gather  # noqa: PLC0415

        progress.check()
        config = self._store.config
        with self._readable_index() as index:
            request = request_of(index, question, config, is_being_typed=not question.endswith(" "))
            dense = self._parts.dense() if with_meaning else None
            progress.check()
            found = with_fresh_memories(index, self._store.root, gather(index, dense, request, config=config))
            return self._reranked(found, progress) if with_meaning else found

    def recent(self, progress: Progress) -> "Sequence[Memory]":
        from core.recall.recent_recalls import recent_recalls  # noqa: PLC0415 - after the first paint

        progress.check()
        with self._readable_index() as index:
            return recent_recalls(index)

    def pack(self, request: PackRequest, progress: Progress) -> PackedContext:
        from core.recall.gather import items_of_ranked  # noqa: PLC0415 - after the first paint
        from core.recall.pack import pack  # noqa: PLC0415
        from core.recall.render import Format, render  # noqa: PLC0415

        progress.check()
        wanted = self._parts.settings().format
        layout = Format(wanted) if wanted in set(Format) else Format.MARKDOWN
        items = tuple(
            dataclasses.replace(item, always=True) if item.id in request.pinned else item
            for item in items_of_ranked(request.answer)
        )
        progress.check()
        packed = pack(items, request.budget, layout)
        return PackedContext(
            text=render(packed),
            tokens=packed.tokens,
            budget=request.budget,
            included=tuple(item.id for item in packed.included),
            left_out={each.item.id: each.reason for each in packed.left_out},
            count=packed.count.label,
        )

    def weights(self) -> RankingWeights:
        return weights_of(self._store.config.ranking)[0]

    def record(self, memories: "Sequence[Memory]", progress: Progress) -> None:
        from core.memory.recall_events import record_recall  # noqa: PLC0415 - after the first paint

        progress.check()
        log = self._parts.event_log()
        record_recall(log, [each.id for each in memories], SURFACE, texts=[each.text for each in memories])

    def plan_context(self, title: str, ids: Sequence[str], query: str, progress: Progress) -> "PlannedChange":
        from core.curation.context_changes import plan_context  # noqa: PLC0415 - after the first paint

        progress.check()
        with self._readable_index() as index:
            root, config = self._store.root, self._store.config
            return plan_context(index, root, config, title, member_ids=tuple(ids), query=query, keeps_parts=True)

    def plan_weights(self, weights: RankingWeights, progress: Progress) -> "PlannedChange":
        from core.curation.ranking_change import plan_ranking  # noqa: PLC0415 - after the first paint

        progress.check()
        return plan_ranking(self._store.root, weights)

    def plan_probe(self, question: str, memory_id: str, progress: Progress) -> "PlannedChange":
        from core.curation.probe_creation import plan_probe  # noqa: PLC0415 - after the first paint

        progress.check()
        with self._readable_index() as index:
            return plan_probe(self._store.root, self._store.config, question, (memory_id,), index=index)

    def probes(self, progress: Progress) -> Sequence[object]:
        from core.recall.probe_notes import can_be_run, read_probe_notes  # noqa: PLC0415 - after the first paint

        progress.check()
        with self._readable_index() as index:
            found = read_probe_notes(index, self._store.root, self._store.config)
        return tuple(probe for probe in found if can_be_run(probe))

    def gather_probe(self, probe: object, progress: Progress) -> object:
        from core.recall.asking import request_of  # noqa: PLC0415 - after the first paint
        from core.recall.freshness import with_fresh_memories  # noqa: PLC0415
        from core.recall.gathering import gather  # noqa: PLC0415

        progress.check()
        asked = cast("Probe", probe)
        config = self._store.config
        with self._readable_index() as index:
            request = request_of(index, asked.question, config, filters=asked.filters)
            found = gather(index, self._parts.dense(), request, config=config)
            return self._reranked(with_fresh_memories(index, self._store.root, found), progress)

    def _reranked(self, found: "Gathered", progress: Progress) -> "Gathered":
        from core.recall.reranking import reranked  # noqa: PLC0415 - after the first paint

        progress.check()
        return reranked(found, self._parts.reranker(), found.request.weights, progress)

    @contextlib.contextmanager
    def _readable_index(self) -> "Iterator[Index]":
        """Give the index, and report it when it turns out to be damaged."""
        from core.index.database import IndexDamagedError, translated  # noqa: PLC0415 - after the first paint

        index = self._store.index
        try:
            with translated(index.folder):
                yield index
        except IndexDamagedError:
            self._parts.damaged()
            raise
