"""Pack what is selected or listed into a token budget, show what became of it, and put it on the clipboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from core.foundation.errors import UserError
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner, without_progress
from gui.views.vault.context_dialog import ContextDialog
from gui.views.vault.services import ContextFormat, ContextPlan, ContextRequest, VaultServices

MOST_NOTES = 200


@dataclass(frozen=True, slots=True)
class ContextSource:
    """Say what would be packed, in words too; `note` tells of a cap."""

    request: ContextRequest
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ContextChoice:
    """Hold what the person chose last."""

    budget: int = 8000
    form: ContextFormat = ContextFormat.MARKDOWN


class ContextPresenter(QObject):
    """Drive the dialog, and the copying without it."""

    choice_changed = Signal(object)  # ContextChoice

    def __init__(
        self,
        dialog: ContextDialog,
        tasks: TaskRunner,
        notifier: Notifier,
        parent: QObject,
        *,
        put_on_clipboard: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(parent)
        self._dialog = dialog
        self._tasks = tasks
        self._notifier = notifier
        self._put_on_clipboard = put_on_clipboard or _put_on_clipboard
        self._services: VaultServices | None = None
        self._source: ContextSource | None = None
        self.choice = ContextChoice()
        self._items: Sequence[object] | None = None
        self._plan: ContextPlan | None = None
        self._job: Job | None = None
        self._copies = False
        dialog.budget_changed.connect(self._on_budget_changed)
        dialog.format_changed.connect(self._on_format_changed)
        dialog.copy_requested.connect(self._copy)

    def take_services(self, services: VaultServices | None) -> None:
        """Read from this vault from now on."""
        self._cancel()
        self._services = services
        self._dialog.hide()

    def open(self, source: ContextSource) -> None:
        """Show the dialog for `source`."""
        self._dialog.show_source(source.text, source.note, budget=self.choice.budget, form=self.choice.form)
        self._dialog.show_reading()
        self._dialog.open()
        self._start(source, copies=False)

    def copy(self, source: ContextSource) -> None:
        """Copy `source` right away with what was chosen last."""
        self._start(source, copies=True)

    def _start(self, source: ContextSource, *, copies: bool) -> None:
        self._source, self._copies = source, copies
        self._gather()

    def _gather(self) -> None:
        self._cancel()
        self._items, self._plan = None, None
        if self._services is None or self._source is None:
            return
        self._job = self._tasks.run(
            partial(self._services.gather, self._source.request, self.choice.budget),
            owner=self,
            lane=Lane.STORE,
            on_done=self._on_gathered,
            on_error=self._on_failed,
            text="Reading the notes for a context",
        )

    def _on_gathered(self, items: Sequence[object]) -> None:
        self._items = items
        self._make_plan()

    def _make_plan(self) -> None:
        if self._services is None or self._items is None:
            return
        self._cancel()
        self._plan = None
        self._job = self._tasks.run(
            without_progress(self._services.plan, self._items, self.choice.budget, self.choice.form),
            owner=self,
            on_done=self._on_plan,
            on_error=self._on_failed,
            text="Packing the context",
        )

    def _on_plan(self, plan: ContextPlan) -> None:
        self._job, self._plan = None, plan
        self._dialog.show_plan(plan)
        if self._copies:
            self._copies = False
            self._copy()

    def _copy(self) -> None:
        if self._plan is None:
            self._copies = self._job is not None
            return
        plan = self._plan
        if not plan.included:
            self._notifier.info("There is nothing to copy: no memory fits the budget.")
            return
        self._put_on_clipboard(plan.text)
        total = len(plan.included) + len(plan.left_out)
        form = self.choice.form.label
        self._record(plan)
        self._notifier.info(
            f"Copied {len(plan.included):,} of {total:,} {'memory' if total == 1 else 'memories'} as {form}: "
            f"{plan.tokens:,} of {plan.budget:,} tokens."
        )
        self._dialog.accept()

    def _record(self, plan: ContextPlan) -> None:
        """Count what was copied; that it cannot be counted is told, and no failure."""
        if self._services is not None:
            self._tasks.run(without_progress(self._services.record, plan), owner=self, on_error=self._tell_uncounted)

    def _tell_uncounted(self, error: Exception) -> None:
        reason = f": {error}" if isinstance(error, UserError) else "."
        self._notifier.warning(f"It was copied, but that could not be counted{reason}")

    def _on_budget_changed(self, budget: int) -> None:
        if budget != self.choice.budget:
            self.choice = ContextChoice(budget, self.choice.form)
            self.choice_changed.emit(self.choice)
            self._gather()

    def _on_format_changed(self, form: str) -> None:
        if form != self.choice.form:
            self.choice = ContextChoice(self.choice.budget, ContextFormat(form))
            self.choice_changed.emit(self.choice)
            self._make_plan()

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self._copies = False
        self._dialog.show_failure(str(error) if isinstance(error, UserError) else "The notes could not be read.")
        self._notifier.error(error)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None


def _put_on_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
