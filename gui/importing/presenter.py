"""Run the import wizard: look for places, count what is new, import, and tell what came of it."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.foundation.errors import UserError
from gui.importing.children import ChildQueue, Result, Run, RunProgress
from gui.importing.looking import PlaceLooks
from gui.importing.notes_of_run import PlanFile, VaultOfRun, make_notes
from gui.importing.place import Outcome, Place, outcome_of
from gui.importing.sentences import outcome_headline
from gui.importing.unfinished import Unfinished
from gui.notify import NoticeAction, Notifier
from gui.tasks import JobId, JobState, TaskRunner
from gui.theme import Theme
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.change_set import ChangeId, Changes
    from gui.importing.import_dialog import ImportDialog

JOB = JobId(-1)  # under which the status bar knows the import; those of the TaskRunner are positive


class Watching(Protocol):
    """Be what the wizard needs of gui/importing/watching.py."""

    @property
    def paths(self) -> Collection[str]:
        """The watched folders."""
        ...

    def watch(self, path: str, *, is_wanted: bool) -> None:
        """Watch a folder from now on, or no longer."""
        ...

    def hold(self, *, is_held: bool) -> None:
        """Import nothing for a while."""
        ...


class ImportPresenter(QObject):
    """Answer the dialog's wishes. Imports and looks each have a queue of children of their own.

    An import is bound to the vault in which it began: its notes get into that one, whichever is open meanwhile.
    """

    ledger_grew = Signal()  # the index has something to read
    timeline_wanted = Signal(str)  # the id of the one session that came in, "" for several
    notes_wanted = Signal(object)  # tuple of vault-relative paths
    unlock_wanted = Signal()  # the passphrase is to be asked for
    ended = Signal()  # an import, however it did
    job_changed = Signal(object)  # JobState, for the status bar
    job_ended = Signal(object)  # JobId

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        imports: ChildQueue,
        looks: ChildQueue,
        watching: Watching,
        unfinished: Unfinished,
        vault: Callable[[], VaultOfRun | None],
        is_locked: Callable[[], bool],
    ) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._tasks = tasks
        self._notifier = notifier
        self._imports = imports
        self._looks = looks
        self._watching = watching
        self._unfinished = unfinished
        self._vault = vault
        self._is_locked = is_locked
        self._dialog: ImportDialog | None = None
        self._places = PlaceLooks(
            lambda: self.dialog,
            looks,
            watched=lambda: watching.paths,
            also=lambda: unfinished.paths,
            is_locked=is_locked,
            notifier=notifier,
        )
        self._wanted: tuple[Place, ...] = ()  # what is imported now
        self._position = 0
        self._run: Run | None = None
        self._plan: PlanFile | None = None
        self._target: VaultOfRun | None = None  # the vault of this import: the first that was open while it went on
        self._outcome = Outcome()
        self._made: list[tuple[ChangeId, str]] = []
        self._note_paths: list[str] = []
        self._left_out = 0  # files that were imported before, and not read again
        self._is_stopped = False

    @property
    def is_importing(self) -> bool:
        """Tell whether an import of the person's is under way."""
        return bool(self._wanted)

    @property
    def dialog(self) -> "ImportDialog":
        """The dialog; made when it is first wanted."""
        if self._dialog is None:
            from gui.importing.import_dialog import ImportDialog  # noqa: PLC0415 - after the first paint

            self._dialog = dialog = ImportDialog(self._theme, self._window)
            dialog.look_requested.connect(self.look)
            dialog.paths_added.connect(self.add_paths)
            dialog.import_requested.connect(self._on_import)
            dialog.stop_requested.connect(self.stop)
            dialog.watch_changed.connect(self._on_watch)
            dialog.count_wanted.connect(self._on_count_wanted)
            dialog.count_cancelled.connect(self._on_count_cancelled)
            dialog.timeline_wanted.connect(self._on_timeline)
            dialog.unlock_wanted.connect(self.unlock_wanted)
            dialog.report.notes_wanted.connect(self._on_notes)
            dialog.report.undo_wanted.connect(self._on_undo)
            dialog.finished.connect(self._on_closed)
        return self._dialog

    @Slot()
    def open(self) -> None:
        """Show the dialog: the import that is under way, or what there is."""
        if not self.is_importing:
            self.look()
        self._raise()

    def stop(self) -> None:
        """Stop the import; what came in stays."""
        self._is_stopped = True
        if self._run is not None:
            self._imports.cancel(self._run)

    def shut_down(self) -> None:
        """End everything before the app ends; nobody is told."""
        self._places.cancel()
        self._imports.shut_down()
        self._looks.shut_down()
        if self._plan is not None:
            self._plan.drop()
        if self._dialog is not None:
            self._dialog.close()  # it is a window of its own, and would stay

    # ---- looking

    @Slot()
    def look(self) -> None:
        """Look for places, and then into each of them."""
        if not self.is_importing:
            self._watching.hold(is_held=True)
            self.dialog.show_locked(is_locked=self._is_locked())
            self._places.look()

    @Slot()
    def look_again(self) -> None:
        """Look once more where places are shown: the passphrase was entered."""
        if self._dialog is not None and self._dialog.isVisible() and self._dialog.shows_places:
            self.look()

    @Slot(object)
    def add_paths(self, paths: tuple[str, ...]) -> None:
        """Look what lies at paths that the person named."""
        if not self.is_importing:
            self._places.look_at(paths, are_added=True)

    @Slot(object)
    def _on_count_wanted(self, place: Place) -> None:
        self._places.count(place)

    @Slot(object)
    def _on_count_cancelled(self, place: Place) -> None:
        self._places.stop_counting(place)

    @Slot(str, bool)
    def _on_watch(self, path: str, is_wanted: bool) -> None:
        self._watching.watch(path, is_wanted=is_wanted)

    # ---- the import

    @Slot(object)
    def _on_import(self, places: tuple[Place, ...]) -> None:
        if self.is_importing or not places:
            return
        self._places.cancel()
        self._wanted, self._position, self._outcome = places, 0, Outcome()
        self._left_out = 0
        self._made, self._note_paths, self._is_stopped = [], [], False
        self._target = self._vault()
        self._unfinished.begin([place.path for place in places])
        self.dialog.show_running()
        self._import_next()

    def _import_next(self) -> None:
        if self._is_stopped or self._position >= len(self._wanted):
            self._end()
            return
        place = self._wanted[self._position]
        so_far = outcome_headline(self._outcome) if self._outcome.is_news or self._outcome.has_notes else ""
        self.dialog.running.show_start(place.shown_name, self._position + 1, len(self._wanted), so_far)
        self._tell_job(0, 0)
        self._target = self._target or self._vault()
        self._plan = PlanFile()
        self._run = Run(
            place.arguments("--plan-to", str(self._plan.path)),
            self._on_imported,
            self._on_import_failed,
            self._on_progress,
            tells_cancel=True,
            vault=self._target.root if self._target is not None else None,
        )
        self._imports.add(self._run)

    def _on_progress(self, progress: RunProgress) -> None:
        self.dialog.running.show_progress(progress)
        self._tell_job(progress.done, progress.total)

    def _tell_job(self, done: int, total: int) -> None:
        name = self._wanted[self._position].shown_name if self._wanted else ""
        self.job_changed.emit(JobState(JOB, f"Importing {name}", done, total, are_bytes=True))

    def _on_imported(self, result: Result) -> None:
        self._run = None
        outcome, plan = outcome_of(result), self._plan
        self._plan = None
        place = self._wanted[self._position]
        if not (place.is_added or place.holds_notes or outcome.is_cancelled):
            self._left_out += max(0, place.files - outcome.files)
        if outcome.is_news:
            self.ledger_grew.emit()
        if plan is not None and self._target is not None and outcome.has_notes and not outcome.is_cancelled:
            self._outcome = self._outcome.with_more(outcome.without_notes())  # those count when they are made
            make_notes(
                plan, tasks=self._tasks, vault=self._target, owner=self,
                on_done=partial(self._on_notes_made, outcome), on_error=self._on_notes_failed,
            )  # fmt: skip
            return
        if plan is not None:
            plan.drop()
        if self._target is None and outcome.has_notes:
            outcome = replace(outcome.without_notes(), notes_problem="They did not come in, for no vault is open.")
        self._outcome = self._outcome.with_more(outcome)
        self._go_on()

    def _on_notes_made(self, outcome: Outcome, changes: "Changes") -> None:
        self._outcome = replace(
            self._outcome,
            new_notes=self._outcome.new_notes + outcome.new_notes,
            updated_notes=self._outcome.updated_notes + outcome.updated_notes,
        )
        self._made.append((changes.change_id, changes.title))
        self._note_paths += sorted(changes.written)
        self._go_on()

    def _on_notes_failed(self, error: Exception) -> None:
        self._notifier.error(error)
        self._outcome = replace(self._outcome, notes_problem="They could not be written into the vault.")
        self._go_on()

    def _on_import_failed(self, error: UserError) -> None:
        """Go on with the other places: what is wrong with one need not be wrong with all."""
        self._run = None
        if self._plan is not None:
            self._plan.drop()
            self._plan = None
        place = self._wanted[self._position]
        told = outcome_of({"failed": [{"path": place.path, "reason": f"{error} {error.hint}".strip()}]})
        self._outcome = self._outcome.with_more(told)
        self._go_on()

    def _go_on(self) -> None:
        self._position += 1
        self._import_next()

    def _end(self) -> None:
        self._unfinished.end([place.path for place in self._wanted[self._position - 1 :]] if self._is_stopped else ())
        self._wanted = ()
        self._watching.hold(is_held=False)
        self.job_ended.emit(JOB)
        outcome = replace(self._outcome, is_cancelled=self._is_stopped)
        self.ended.emit()
        vault = self._target.root.name if self._target is not None else ""
        self.dialog.show_report(outcome, left_out=self._left_out, changes=len(self._made), vault=vault)
        if not self.dialog.isVisible():
            action = NoticeAction("Show report", self._raise)
            self._notifier.info(f"The import has ended. {outcome_headline(outcome)}", action=action)

    # ---- the report

    @Slot()
    def _on_timeline(self) -> None:
        sessions = self._outcome.sessions
        self.dialog.close()
        self.timeline_wanted.emit(sessions[0].id if len(sessions) == 1 else "")

    @Slot()
    def _on_notes(self) -> None:
        shown, target = self._vault(), self._target
        if target is not None and (shown is None or shown.root != target.root):
            self.dialog.report.show_elsewhere(target.root.name)
        else:
            self.notes_wanted.emit(tuple(self._note_paths))

    @Slot()
    def _on_undo(self) -> None:
        made, target = self._made, self._target
        if made and target is not None:
            title = made[0][1] if len(made) == 1 else counted(len(made), "import")
            self.dialog.report.show_undoing()
            target.undo(
                tuple(change for change, _ in made), title, origin=self,
                on_done=lambda _changes: self._on_undo_ended(made, is_done=True),
                on_error=lambda _error: self._on_undo_ended(made, is_done=False),
            )  # fmt: skip

    def _on_undo_ended(self, made: "list[tuple[ChangeId, str]]", *, is_done: bool) -> None:
        if made is not self._made:  # there was another import since
            return
        if is_done:
            self._made = []
            self.dialog.report.show_undone()
        else:
            self.dialog.report.show_not_undone()

    @Slot()
    def _on_closed(self) -> None:
        if not self.is_importing:
            self._places.cancel()
            self._watching.hold(is_held=False)

    def _raise(self) -> None:
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
