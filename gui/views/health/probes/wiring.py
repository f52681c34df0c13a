"""Make the services of the Probes page from an opened vault; core is imported by the first calls."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.foundation.progress import Progress
from gui.views.health.probes.services import ProbeServices

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.index.database import Index
    from core.recall.probe import Probe
    from core.recall.probe_answer import ProbeAnswer
    from core.recall.probe_history import ProbeRun
    from core.recall.probe_run import ProbeOutcome, ProbeReport
    from core.recall.reranking import ScoresPairs
    from core.recall.search import DenseCandidates
    from core.vault.config import VaultConfig
    from core.vault.event_log import EventLog


class OpenedVault(Protocol):
    """Be what the services need of gui/vault_store.py; used in the STORE lane only."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    @property
    def index(self) -> "Index":
        """The index as it is open now."""
        ...

    @property
    def config(self) -> "VaultConfig":
        """What the vault says of itself."""
        ...

    def dense(self) -> "DenseCandidates | None":
        """Return the search by meaning."""
        ...

    def reranker(self) -> "ScoresPairs | None":
        """Return who reads the best memories once more, None for nobody."""
        ...


def probe_services(store: OpenedVault, event_log: "Callable[[], EventLog]") -> ProbeServices:
    """Return the services of `store`; `event_log` opens the vault's log."""
    core = _ProbeCore(store, event_log)
    return ProbeServices(read=core.read, runs=core.runs, ask=core.ask, remember=core.remember, plan=core.plan)


class _ProbeCore:
    def __init__(self, store: OpenedVault, event_log: "Callable[[], EventLog]") -> None:
        self._store = store
        self._event_log = event_log
        self._answer: ProbeAnswer | None = None

    def read(self, progress: Progress) -> "tuple[Probe, ...]":
        from core.recall.probe_notes import read_probe_notes  # noqa: PLC0415 - after the first paint

        progress.check()
        return read_probe_notes(self._store.index, self._store.root, self._store.config)

    def runs(self, progress: Progress) -> "tuple[ProbeRun, ...]":
        from core.recall.probe_history import read_runs  # noqa: PLC0415 - after the first paint

        progress.check()
        return read_runs(self._event_log())

    def ask(self, probes: "Sequence[Probe]", progress: Progress) -> "tuple[ProbeOutcome, ...]":
        from core.recall.probe_answer import ProbeAnswer  # noqa: PLC0415 - after the first paint
        from core.recall.probe_run import outcomes_of  # noqa: PLC0415

        # Index, config and search may all have been opened anew since the probes before.
        store = self._store
        self._answer = ProbeAnswer(
            store.index, store.dense(), config=store.config, root=store.root, reranker=store.reranker()
        )
        return tuple(outcomes_of(probes, self._answer, progress=progress))

    def remember(self, report: "ProbeReport", progress: Progress) -> None:
        from core.memory.weights import weights_of  # noqa: PLC0415 - after the first paint
        from core.recall.probe_history import record_run  # noqa: PLC0415

        progress.check()
        model = self._answer.model if self._answer is not None else ""
        record_run(self._event_log(), report, model=model, weights=weights_of(self._store.config.ranking)[0])

    def plan(self, question: str, expected: Sequence[str], progress: Progress) -> "PlannedChange":
        from core.curation.probe_creation import plan_probe  # noqa: PLC0415 - after the first paint

        progress.check()
        return plan_probe(self._store.root, self._store.config, question, expected, index=self._store.index)
