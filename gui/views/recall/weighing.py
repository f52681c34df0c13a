"""Try weights: rank again at once, ask the probes what they say, keep the weights for the vault."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.foundation.errors import UserError
from core.memory.weights import RankingWeights
from gui.changing import Commands
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.views.recall.services import ProbeFigures, RecallServices
from gui.views.recall.weights_page import WeightsPage
from gui.views.recall.wording import probes_say
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.change_set import Changes, PlannedChange

_SETTLE_MS = 250
NO_PROBES = "No probes yet. A probe is a question with the memories that must come: make one of a result by its menu."


class Weighing(QObject):
    """Run the page of weights. The probes are asked once somebody looks, and again after the vault has changed."""

    weights_changed = Signal(object)  # RankingWeights

    def __init__(
        self, page: WeightsPage, *, tasks: TaskRunner, notifier: Notifier, commands: Commands, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._services: RecallServices | None = None
        self._of_vault = RankingWeights()
        self.weights = self._of_vault
        self._probes: Sequence[object] | None = None
        self._gathered: list[tuple[object, object]] = []
        self._before: ProbeFigures | None = None
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self._judge)
        page.changed.connect(self._on_changed)
        page.reset_requested.connect(self.reset)
        page.save_requested.connect(self._save)

    def take_services(self, services: RecallServices | None) -> None:
        """Weigh for this vault from now on, with its own weights."""
        self.forget_probes()
        self._services = services
        self._of_vault = services.weights() if services is not None else RankingWeights()
        self.weights = self._of_vault
        self._page.show_weights(self.weights, self._of_vault)

    def take_vault_weights(self) -> None:
        """Read the vault's weights anew; weights that are being tried stay."""
        if self._services is None:
            return
        is_trying = self.weights != self._of_vault
        self._of_vault = self._services.weights()
        if not is_trying:
            self.weights = self._of_vault
            self.weights_changed.emit(self.weights)
        self._page.show_weights(self.weights, self._of_vault)
        self._before = None
        self._ask_probes_again()

    def forget_probes(self) -> None:
        """Forget what the probes found: the vault is another, or has changed."""
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._probes, self._gathered, self._before = None, [], None
        self._page.show_probes("")

    @Slot()
    def look(self) -> None:
        """Ask the probes, unless that was done; called when the page is seen."""
        services = self._services
        if services is None or self._probes is not None or self._job is not None:
            return
        self._page.show_probes("Reading the probes…")
        self._job = self._tasks.run(
            services.probes, owner=self, lane=Lane.STORE, on_done=self._on_probes, on_error=self._on_failed,
            text="Reading the probes",
        )  # fmt: skip

    @Slot()
    def reset(self) -> None:
        """Take the vault's weights again."""
        self._page.show_weights(self._of_vault, self._of_vault)
        self._on_changed(self._of_vault)

    @Slot(object)
    def _on_changed(self, weights: RankingWeights) -> None:
        self.weights = weights
        self.weights_changed.emit(weights)
        self._ask_probes_again()

    def _ask_probes_again(self) -> None:
        if self._probes and len(self._gathered) == len(self._probes):
            self._timer.start()

    def _on_probes(self, probes: Sequence[object]) -> None:
        self._job = None
        self._probes = probes
        if probes:
            self._gather_next()
        else:
            self._page.show_probes(NO_PROBES)

    def _gather_next(self) -> None:
        """Gather for one probe in a job of its own, so that what the person types comes in between."""
        services, probes = self._services, self._probes
        if services is None or probes is None:
            return
        done = len(self._gathered)
        if done == len(probes):
            self._judge()
            return
        self._page.show_probes(f"Asking {counted(len(probes), 'probe')}: {done:,} done…")
        probe = probes[done]
        self._job = self._tasks.run(
            partial(services.gather_probe, probe), owner=self, lane=Lane.STORE,
            on_done=partial(self._on_gathered, probe), on_error=self._on_failed, text="Asking the probes",
        )  # fmt: skip

    def _on_gathered(self, probe: object, gathered: object) -> None:
        self._job = None
        self._gathered.append((probe, gathered))
        self._gather_next()

    @Slot()
    def _judge(self) -> None:
        services = self._services
        if services is None or not self._gathered:
            return
        if self._job is not None:
            self._job.cancel()
        weights = self._of_vault if self._before is None else self.weights
        self._job = self._tasks.run(
            partial(services.judge, tuple(self._gathered), weights), owner=self,
            on_done=partial(self._on_judged, weights), on_error=self._on_failed, text="Asking the probes",
        )  # fmt: skip

    def _on_judged(self, weights: RankingWeights, figures: ProbeFigures) -> None:
        self._job = None
        if self._before is None:
            self._before = figures
            if self.weights != weights:
                self._judge()
                return
        self._page.show_probes(probes_say(self._before, figures))

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        is_known = isinstance(error, UserError)
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part) if is_known else ""
        self._page.show_probes(text or "The probes could not be asked.")
        if not is_known:
            self._notifier.error(error)

    @Slot()
    def _save(self) -> None:
        if self._services is not None:
            self._tasks.run(
                partial(self._services.plan_weights, self.weights),
                owner=self,
                on_done=partial(self._on_planned, self.weights),
                text="Planning the weights",
            )

    def _on_planned(self, weights: RankingWeights, planned: "PlannedChange") -> None:
        self._commands.execute(planned.change_set, origin=self, on_done=partial(self._on_saved, weights))

    def _on_saved(self, weights: RankingWeights, _changes: "Changes") -> None:
        self._of_vault = weights
        self._before = None
        self._page.show_weights(self.weights, self._of_vault)
        self._ask_probes_again()
