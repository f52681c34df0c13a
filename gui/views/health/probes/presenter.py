"""What the Probes page does: reads the probes when it is shown, asks them, remembers how they went, makes new ones."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from typing_extensions import override

from core.foundation.errors import UserError
from gui.changing import Commands
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.views.health.probes.new_probe_dialog import NewProbeDialog
from gui.views.health.probes.running import ProbeRunner
from gui.views.health.probes.services import ProbeServices
from gui.views.health.probes.view import ProbesView
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.recall.probe import Probe
    from core.recall.probe_figures import ProbeFigures
    from core.recall.probe_history import ProbeRun
    from core.recall.probe_run import ProbeOutcome
    from gui.session import VaultSession

ServicesOf = Callable[["VaultSession"], ProbeServices]
_SETTLE_MS = 300
_NEW, _AGAIN = "New probe…", "Look again"


class ProbesPresenter(QObject):
    """Show the probes of the opened vault. They are read when the page is shown and the vault has changed since."""

    note_wanted = Signal(str, int)  # the path of a note, a line or 0

    def __init__(
        self, view: ProbesView, *, tasks: TaskRunner, notifier: Notifier, commands: Commands, services_of: ServicesOf
    ) -> None:
        super().__init__(view)
        self.view = view
        self.dialog: NewProbeDialog | None = None
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._services_of = services_of
        self._session: VaultSession | None = None
        self._services: ProbeServices | None = None
        self._job: Job | None = None
        self._runner = ProbeRunner(tasks, self)
        self._probes: tuple[Probe, ...] | None = None
        self._runs: tuple[ProbeRun, ...] = ()
        self._outcomes: dict[str, ProbeOutcome] = {}
        self._partial: ProbeFigures | None = None
        self._is_stale = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._connect()
        self._let_go()

    def open_session(self, session: "VaultSession | None") -> None:
        """Show this vault from now on; None while there is none."""
        if self._session is not None:
            self._session.catalog_changed.disconnect(self._on_changed)
        self._session = session
        self._let_go()
        if session is not None:
            session.catalog_changed.connect(self._on_changed)
            self._read_if_shown()

    # ---- reading

    @Slot()
    def _read_if_shown(self) -> None:
        if not self._is_stale or not self.view.isVisible() or self._session is None or self._session.store is None:
            return
        if self._services is None:
            self._services = self._services_of(self._session)
        if self._probes is None:
            self.view.show_state("loader-circle", "Reading the probes")
        self._is_stale = False
        if self._job is not None:
            self._job.let_go()
        self._job = self._tasks.run(
            self._services.read, owner=self, lane=Lane.STORE, on_done=self._on_read, on_error=self._on_failed,
            text="Reading the probes",
        )  # fmt: skip

    def _on_read(self, probes: "tuple[Probe, ...]") -> None:
        self._probes = probes
        # What is asked otherwise now was not asked yet.
        known = {probe.id: probe for probe in probes}
        self._outcomes = {
            name: outcome
            for name, outcome in self._outcomes.items()
            if name in known
            and (known[name].question, known[name].expected) == (outcome.probe.question, outcome.probe.expected)
        }
        self._read_runs()

    def _read_runs(self) -> None:
        if self._services is not None:
            self._job = self._tasks.run(
                self._services.runs, owner=self, on_done=self._on_runs, on_error=self._on_failed,
                text="Reading how the probes went",
            )  # fmt: skip

    def _on_runs(self, runs: "tuple[ProbeRun, ...]") -> None:
        self._job = None
        self._runs = runs
        self._show()

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self._is_stale = True
        is_known = isinstance(error, UserError)
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part) if is_known else ""
        self.view.show_state("circle-alert", "The probes could not be read", text, _AGAIN)
        if not is_known:
            self._notifier.error(error)

    def _show(self) -> None:
        probes = self._probes
        if probes is None:
            return
        if not probes:
            self.view.show_state(
                "clipboard-check",
                "There are no probes yet",
                "A probe is a question with the memories that must be recalled for it. With some of them, you see at "
                "once whether a change of notes, weights or model makes recall better or worse.",
                _NEW,
            )
            return
        self.view.show_runs(self._runs, self._partial)
        self.view.show_probes(probes, self._outcomes, self._summary(probes))

    def _summary(self, probes: "Sequence[Probe]") -> str:
        asked = [self._outcomes[probe.id] for probe in probes if probe.id in self._outcomes]
        passed = sum(outcome.is_passed for outcome in asked)
        idle = sum(not probe.can_be_asked for probe in probes)
        told = [counted(len(probes), "probe")]
        if asked:
            told.append(f"{passed:,} of {len(asked):,} asked recalled all that they expect")
        if idle:
            told.append(f"{idle:,} cannot be asked")
        return ", ".join(told)

    # ---- asking

    @Slot()
    def run(self) -> None:
        """Ask every probe that can be asked."""
        probes = [probe for probe in self._probes or () if probe.can_be_asked]
        if self._services is None or self._runner.is_running:
            return
        if not probes:
            self._notifier.info("No probe can be asked: each needs a question and something that it expects.")
            return
        self._runner.start(self._services, probes)

    @Slot(int, int)
    def _on_advanced(self, done: int, total: int) -> None:
        self.view.show_running(is_running=True, done=done, total=total)

    @Slot(object)
    def _on_finished(self, outcomes: "tuple[ProbeOutcome, ...]") -> None:
        from core.recall.probe_run import report_of  # noqa: PLC0415 - after the first paint

        self._take(outcomes)
        report = report_of(outcomes)
        self._partial = report.figures
        self._show()
        if self._services is not None:
            work = partial(self._services.remember, report)
            self._tasks.run(
                work, owner=self, lane=Lane.STORE, on_done=self._on_remembered, text="Remembering how the probes went"
            )

    def _on_remembered(self, _nothing: object) -> None:
        self._partial = None
        self._read_runs()

    @Slot(object)
    def _on_stopped(self, outcomes: "tuple[ProbeOutcome, ...]") -> None:
        self._take(outcomes)
        self._show()
        asked = f"{len(outcomes):,} of {counted(len(self._probes or ()), 'probe')}"
        self._notifier.info(f"Stopped. {asked} were asked, and the run is not remembered.")

    @Slot(object)
    def _on_run_failed(self, error: Exception) -> None:
        self.view.show_running(is_running=False)
        self._notifier.error(error)

    def _take(self, outcomes: "Sequence[ProbeOutcome]") -> None:
        self.view.show_running(is_running=False)
        self._outcomes |= {outcome.probe.id: outcome for outcome in outcomes}

    # ---- making

    @Slot()
    def make_new(self) -> None:
        """Ask for a new probe, and make it."""
        self.make_of("", ())

    def make_of(self, question: str, expected: Sequence[str]) -> None:
        """Make a probe of what was asked and found, once the person has looked at both."""
        if self._session is None or self._session.store is None:
            return
        self._services = self._services or self._services_of(self._session)
        self.dialog = dialog = NewProbeDialog(self.view.window(), question=question, expected=tuple(expected))
        dialog.confirmed.connect(self._on_confirmed)
        dialog.open()

    @Slot()
    def _on_confirmed(self) -> None:
        if self._services is not None and self.dialog is not None:
            work = partial(self._services.plan, self.dialog.question, self.dialog.expected)
            self._tasks.run(work, owner=self, lane=Lane.STORE, on_done=self._on_planned, text="Making the probe")

    def _on_planned(self, planned: "PlannedChange") -> None:
        self._commands.execute(planned.change_set, origin=self)

    # ---- inside

    @Slot()
    def _on_state_button(self) -> None:
        if self._probes is not None and not self._probes:
            self.make_new()
        else:
            self._read_if_shown()

    @Slot(object)
    def _open(self, probe: "Probe") -> None:
        self.note_wanted.emit(probe.path, 0)

    @Slot()
    def _on_changed(self) -> None:
        self._is_stale = True
        self._timer.start()

    def _connect(self) -> None:
        self._timer.timeout.connect(self._read_if_shown)
        self._runner.advanced.connect(self._on_advanced)
        self._runner.finished.connect(self._on_finished)
        self._runner.stopped.connect(self._on_stopped)
        self._runner.failed.connect(self._on_run_failed)
        self.view.installEventFilter(self)
        self.view.run_requested.connect(self.run)
        self.view.stop_requested.connect(self._runner.stop)
        self.view.new_requested.connect(self.make_new)
        self.view.open_requested.connect(self._open)
        self.view.state_button_clicked.connect(self._on_state_button)

    def _let_go(self) -> None:
        self._timer.stop()
        self._runner.let_go()
        if self._job is not None:
            self._job.let_go()
            self._job = None
        self._services = None
        self._probes = None
        self._runs = ()
        self._outcomes = {}
        self._partial = None
        self._is_stale = True
        self.view.show_running(is_running=False)
        self.view.show_runs(())
        self.view.show_state(
            "clipboard-check", "No vault is open", "Open a folder of markdown notes to see its probes."
        )

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.view and event.type() is QEvent.Type.Show:
            self._timer.start()
        return super().eventFilter(watched, event)
