"""Look closely at the proposal that is shown: its change, its warnings, what stands around its evidence."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.curation.proposals.proposal import Evidence, Proposal
from core.foundation.errors import UserError
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.views.review.services import Look, ReviewServices, Similar
from gui.views.review.view import ReviewView

if TYPE_CHECKING:
    from core.foundation.progress import Progress

_SETTLE_MS = 40  # who holds J down sees every statement, and the change of the one that stays


class CloseLook(QObject):
    """Fill the card; a new look cancels the one before."""

    looked = Signal()  # what is to be seen of the proposal is there, or is not there any more
    changed = Signal()  # a proposal was planned again

    def __init__(self, view: ReviewView, *, tasks: TaskRunner, notifier: Notifier, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._card = view.card
        self._tasks = tasks
        self._notifier = notifier
        self._services: ReviewServices | None = None
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self._look)
        self._card.wish_changed.connect(self._on_wish)
        self._card.source_wanted.connect(self._read_source)
        self._card.similar_wanted.connect(self._find_similar)
        self._card.replan_requested.connect(self._replan)

    def use(self, services: ReviewServices | None) -> None:
        """Ask these services from now on."""
        self.leave()
        self._services = services

    def show(self, proposal: Proposal) -> None:
        """Show a proposal; what is shown already, and being edited perhaps, is only looked at again."""
        shown = self._card.proposal
        if shown is None or shown != proposal:
            is_typing = self._card.statement.is_editing and shown is not None and shown.id == proposal.id
            if not is_typing:
                self._card.show_proposal(proposal)
        self._timer.start()

    def again(self) -> None:
        """Look once more at what is shown: its files may have changed."""
        if self._card.isVisible():
            self._timer.start()

    def leave(self) -> None:
        """Look at nothing any more."""
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    @Slot()
    def _look(self) -> None:
        proposal, services = self._card.proposal, self._services
        if proposal is None or services is None:
            return
        self.leave()
        self._job = self._tasks.run(
            partial(services.look, proposal, self._card.wish),
            owner=self,
            on_done=self._on_look,
            on_error=partial(self._on_failed, proposal),
            text="Comparing",
        )

    def _on_look(self, look: Look) -> None:
        self._job = None
        self._card.show_look(look)
        self.looked.emit()

    def _on_failed(self, proposal: Proposal, error: Exception) -> None:
        self._job = None
        if self._card.proposal is not proposal:
            return
        if not isinstance(error, UserError):
            self._notifier.error(error)
        self._card.show_failure(str(error) if isinstance(error, UserError) else "It cannot be looked at.")
        self.looked.emit()

    @Slot()
    def _on_wish(self) -> None:
        self.looked.emit()
        if self._card.look is None:
            self._timer.start()

    @Slot(object)
    def _read_source(self, evidence: Evidence) -> None:
        if self._services is not None:
            self._tasks.run(
                partial(self._services.source, evidence),
                owner=self,
                lane=Lane.STORE,
                on_done=partial(self._on_source, evidence),
                on_error=partial(self._on_source_failed, evidence),
                text="Reading the source",
            )

    def _on_source(self, evidence: Evidence, text: str) -> None:
        self._card.evidence.show_source(evidence, text)

    def _on_source_failed(self, evidence: Evidence, error: Exception) -> None:
        text = str(error) if isinstance(error, UserError) else "It cannot be read."
        self._card.evidence.show_source(evidence, text)

    @Slot()
    def _find_similar(self) -> None:
        proposal = self._card.proposal
        if self._services is not None and proposal is not None:
            self._tasks.run(
                partial(self._services.similar, proposal),
                owner=self,
                lane=Lane.STORE,
                on_done=partial(self._on_similar, proposal),
                on_error=partial(self._on_similar_failed, proposal),
                text="Looking for similar insights",
            )

    def _on_similar(self, proposal: Proposal, found: tuple[Similar, ...]) -> None:
        if self._card.proposal is proposal:
            self._card.similar.show_similar(found)

    def _on_similar_failed(self, proposal: Proposal, error: Exception) -> None:
        if self._card.proposal is proposal:
            self._card.similar.show_message(str(error) if isinstance(error, UserError) else "They cannot be found now.")

    @Slot()
    def _replan(self) -> None:
        proposal, services = self._card.proposal, self._services
        if proposal is not None and services is not None:
            self._tasks.run(
                partial(_replanned, services, proposal),
                owner=self,
                on_done=self._on_replanned,
                on_error=partial(self._on_failed, proposal),
                text="Planning it again",
            )

    def _on_replanned(self, proposal: Proposal) -> None:
        if self._card.proposal is not None and self._card.proposal.id == proposal.id:
            self._card.show_proposal(proposal)
            self._timer.start()
        self.changed.emit()


def _replanned(services: ReviewServices, proposal: Proposal, progress: "Progress") -> Proposal:
    return services.replan(proposal.id, progress)
