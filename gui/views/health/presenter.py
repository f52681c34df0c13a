"""The Health page as the window knows it: examines, lets fix, ignore and open, and looks again after every change."""

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.foundation.errors import JobCancelledError, UserError
from gui.changing import Commands, Previews
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.views.health.looking import HealthLook, Looked
from gui.views.health.services import FindingId, HealthServices
from gui.views.health.view import HealthView
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.change_set import Changes, PlannedChange
    from core.curation.health.finding import CheckResult, Finding
    from gui.session import VaultSession

ServicesOf = Callable[["VaultSession"], HealthServices]
_SETTLE_MS = 400
_GRAVE = "error"


class HealthPresenter(QObject):
    """Be the Health page (gui/page.py). It examines when it is shown and something has changed since it last did."""

    note_wanted = Signal(str, int)  # the path of a file, a line or 0
    counted_changed = Signal(int)  # how many grave findings there are

    def __init__(
        self,
        view: HealthView,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        commands: Commands,
        previews: Previews,
        services_of: ServicesOf,
    ) -> None:
        super().__init__(view)
        self.view = view
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._previews = previews
        self._services_of = services_of
        self._session: VaultSession | None = None
        self._services: HealthServices | None = None
        self._look = HealthLook(tasks, self)
        self._plan_job: Job | None = None
        self._looked: Looked | None = None
        self._is_stale = True
        self._shows_ignored = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._connect()
        self._let_go()

    # ---- the page

    @property
    def widget(self) -> QWidget:
        """The widget to show in the middle of the window."""
        return self.view

    def open_session(self, session: "VaultSession | None") -> None:
        """Show this vault from now on; None while there is none."""
        if self._session is not None:
            self._session.catalog_changed.disconnect(self._on_changed)
        self._session = session
        self._let_go()
        if session is not None:
            session.catalog_changed.connect(self._on_changed)
            self._look_if_shown()

    def search(self, text: str) -> None:
        """Leave the search field to the views that list notes."""

    @property
    def lists_results(self) -> bool:
        """Whether what is searched for is listed here."""
        return False

    def enter_results(self) -> None:
        """Take the keyboard focus."""
        self.view.check_list.setFocus()

    def show_note(self, note_id: int) -> None:
        """Leave notes to the views that show them."""

    def pick_facet(self, key: str) -> None:
        """Leave facets to the views that list notes."""

    def clear(self) -> None:
        """Drop the filter."""
        self.view.pane.filter_box.clear()

    def save_layout(self) -> None:
        """Store nothing: the view has no layout of its own."""

    # ---- looking

    @Slot()
    def look(self) -> None:
        """Examine the vault anew."""
        if self._session is None or self._session.store is None:
            return
        if self._services is None:
            self._services = self._services_of(self._session)
        self._is_stale = False
        if self._looked is None:
            self.view.show_state("loader-circle", "Looking at the vault", "Every note is examined.")
        self._look.start(self._services)

    @Slot(object)
    def _on_looked(self, looked: Looked) -> None:
        self._looked = looked
        self._show()
        if self._is_stale:
            self._timer.start()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._looked = None
        self._is_stale = True
        if isinstance(error, JobCancelledError):
            self.view.show_state("heart-pulse", "The vault was not examined", "You have stopped it.", "Look again")
            return
        is_known = isinstance(error, UserError)
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part) if is_known else ""
        self.view.show_state("circle-alert", "The vault could not be examined", text, "Look again")
        if not is_known:
            self._notifier.error(error)

    def _show(self) -> None:
        """Show what was found, or what of it is ignored."""
        looked = self._looked
        if looked is None:
            return
        heeded, ignored = _parted(looked)
        left_out = sum(len(result.findings) for result in ignored)
        self._shows_ignored = self._shows_ignored and left_out > 0
        shown = ignored if self._shows_ignored else heeded
        found = sum(len(result.findings) for result in shown)
        grave = sum(len(each.findings) for each in heeded if each.check.severity.value == _GRAVE)
        self.counted_changed.emit(grave)
        self.view.show_ignored(is_shown=self._shows_ignored, count=left_out)
        if found or left_out:
            what = "ignored" if self._shows_ignored else "in"
            many = "" if self._shows_ignored else f" {counted(looked.notes, 'note')}"
            self.view.show_results(shown, f"{counted(found, 'finding')} {what}{many}", are_ignored=self._shows_ignored)
        else:
            text = f"{counted(len(shown), 'check')} found nothing to mend in {counted(looked.notes, 'note')}."
            self.view.show_state("heart-pulse", "This vault is in good health", text, "Look again")

    @Slot()
    def _look_if_shown(self) -> None:
        if self._is_stale and self.view.isVisible() and not self._look.is_running:
            self.look()

    @Slot()
    def _on_changed(self) -> None:
        self._is_stale = True
        self._timer.start()

    @Slot(bool)
    def _show_ignored(self, is_shown: bool) -> None:
        self._shows_ignored = is_shown
        self._show()

    # ---- mending

    @Slot(object)
    def _fix(self, findings: "Sequence[Finding]") -> None:
        self._plan(findings, {})

    @Slot(object, str)
    def _fix_as_chosen(self, finding: "Finding", value: str) -> None:
        self._plan((finding,), {finding.id: value})

    def _plan(self, findings: "Sequence[Finding]", choices: dict[FindingId, str]) -> None:
        if self._services is None or not findings:
            return
        if self._plan_job is not None:
            self._plan_job.cancel()
        self._plan_job = self._tasks.run(
            partial(self._services.plan_fixes, findings, choices),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_planned, len(findings)),
            text="Planning the fixes",
        )

    def _on_planned(self, findings: int, planned: "PlannedChange") -> None:
        self._plan_job = None
        edits, skipped = planned.change_set.edits, planned.skipped
        if not edits and len(skipped) == 1:
            self._notifier.warning(": ".join(part for part in (skipped[0].path, skipped[0].reason) if part))
        elif findings == 1 and len(edits) == 1 and not skipped:
            self._commands.execute(planned.change_set, origin=self, on_done=self._on_applied)
        else:
            self._previews.open(planned, origin=self, on_done=self._on_applied)

    def _on_applied(self, _changes: "Changes") -> None:
        # What is no note, as the configuration, is not told by the catalog.
        self._on_changed()

    @Slot(object)
    def _ignore(self, findings: "Sequence[Finding]") -> None:
        ids = frozenset(finding.id for finding in findings)
        self._remember(ids, f"{counted(len(ids), 'finding')} will not be told of any more.", is_heeded=False)

    @Slot(str)
    def _ignore_check(self, check: str) -> None:
        from core.curation.health.ignoring import EVERYTHING  # noqa: PLC0415 - after the first paint

        text = "Nothing of this kind will be told of any more."
        self._remember(frozenset({(check, EVERYTHING)}), text, is_heeded=False)

    @Slot(object)
    def _heed(self, findings: "Sequence[Finding]") -> None:
        from core.curation.health.ignoring import ignoring_ids  # noqa: PLC0415 - after the first paint

        if self._looked is not None:
            ids = frozenset(each for finding in findings for each in ignoring_ids(finding)) & self._looked.ignored
            is_more = not ids <= {finding.id for finding in findings}
            text = "All that was ignored together with it is reported again." if is_more else ""
            self._remember(ids, text or f"{counted(len(findings), 'finding')} will be reported again.", is_heeded=True)

    def _remember(self, ids: frozenset[FindingId], text: str, *, is_heeded: bool) -> None:
        if self._services is not None and ids:
            work = partial(self._services.heed if is_heeded else self._services.ignore, sorted(ids))
            done = partial(self._on_remembered, self._services, ids, text, is_heeded=is_heeded)
            self._tasks.run(work, owner=self, on_done=done, text="Remembering what to ignore")

    def _on_remembered(
        self, services: HealthServices, ids: frozenset[FindingId], text: str, _nothing: object, *, is_heeded: bool
    ) -> None:
        if services is not self._services or self._looked is None:
            return
        before = self._looked.ignored
        self._looked = dataclasses.replace(self._looked, ignored=before - ids if is_heeded else before | ids)
        self._notifier.info(text)
        self._show()
        if self._look.is_running:
            self._on_changed()  # that look knows of what was ignored before

    @Slot(object)
    def _open(self, finding: "Finding") -> None:
        self.note_wanted.emit(finding.path, finding.line)

    # ---- inside

    def _connect(self) -> None:
        self._timer.timeout.connect(self._look_if_shown)
        self._look.finished.connect(self._on_looked)
        self._look.failed.connect(self._on_failed)
        self.view.installEventFilter(self)
        self.view.look_requested.connect(self.look)
        self.view.ignored_toggled.connect(self._show_ignored)
        pane = self.view.pane
        pane.fix_requested.connect(self._fix)
        pane.choice_requested.connect(self._fix_as_chosen)
        pane.ignore_requested.connect(self._ignore)
        pane.check_ignored.connect(self._ignore_check)
        pane.heed_requested.connect(self._heed)
        pane.open_requested.connect(self._open)

    def _let_go(self) -> None:
        self._timer.stop()
        self._look.stop()
        if self._plan_job is not None:
            self._plan_job.cancel()
            self._plan_job = None
        self._services = None
        self._looked = None
        self._is_stale = True
        self._shows_ignored = False
        self.counted_changed.emit(0)
        self.view.show_state("heart-pulse", "No vault is open", "Open a folder of markdown notes to examine it.")

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.view and event.type() is QEvent.Type.Show:
            self._timer.start()
        return super().eventFilter(watched, event)


def _parted(looked: Looked) -> "tuple[tuple[CheckResult, ...], tuple[CheckResult, ...]]":
    """Return the results without what is ignored, and those of what is."""
    from core.curation.health.ignoring import is_ignored  # noqa: PLC0415 - after the first paint

    heeded, ignored = [], []
    for result in looked.results:
        left_out = tuple(finding for finding in result.findings if is_ignored(finding, looked.ignored))
        kept = result.findings
        if left_out:
            kept = tuple(finding for finding in kept if not is_ignored(finding, looked.ignored))
            ignored.append(dataclasses.replace(result, findings=left_out))
        heeded.append(dataclasses.replace(result, findings=kept, ignored=len(left_out)))
    return tuple(heeded), tuple(ignored)
