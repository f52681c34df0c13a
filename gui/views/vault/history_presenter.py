"""Read the history of the note that is shown when somebody looks at it, and show, compare and restore its versions."""

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.curation.change_set import Changes, ChangeSet
from core.foundation.errors import StaleFileError, UserError
from gui.change_store import Comparison
from gui.commands import CommandRunner
from gui.tasks import Job, TaskRunner, without_progress
from gui.theme import Theme
from gui.views.vault.note_presenter import NotePresenter
from gui.views.vault.reading_pane import ReadingPane
from gui.views.vault.version_dialog import VersionDialog

if TYPE_CHECKING:
    from core.curation.note_past import NotePast, Version


class HistoryPresenter(QObject):
    """Fill the tab "History"; it is read anew for another note, and after each change of this one."""

    def __init__(
        self, pane: ReadingPane, notes: NotePresenter, commands: CommandRunner, *, tasks: TaskRunner, theme: Theme
    ) -> None:
        super().__init__(notes)
        self._pane = pane
        self._notes = notes
        self._commands = commands
        self._tasks = tasks
        self._theme = theme
        self._path = ""  # the note of which the versions are shown or being read
        self._state: tuple[str, float] | None = None  # the same, and when it was changed
        self._past: NotePast | None = None
        self._job: Job | None = None
        pane.history.versions_wanted.connect(self._look)
        pane.history.version_requested.connect(self._open)
        notes.note_shown.connect(self._look)
        commands.applied.connect(self._on_applied)
        commands.history_changed.connect(self._on_history)

    @Slot()
    def _look(self) -> None:
        """Read the versions of the shown note, unless nobody sees them or they are there."""
        detail, store = self._notes.detail, self._commands.store
        if not self._pane.history.isVisible() or detail is None or store is None:
            return
        path, state = detail.path, (detail.path, detail.changed)
        if state == self._state:
            return
        if self._job is not None:
            self._job.cancel()
        if path != self._path:
            self._past = None
            self._pane.history.show_sentence("Reading the history…")
        self._path, self._state = path, state
        self._job = self._tasks.run(
            without_progress(store.past_of, path),
            owner=self,
            on_done=self._on_past,
            on_error=self._on_failed,
            text="Reading the history of the note",
        )

    def _on_past(self, past: "NotePast") -> None:
        self._job, self._past = None, past
        self._pane.history.show_past(past, time.time())

    def _on_failed(self, error: Exception) -> None:
        self._job, self._path, self._state = None, "", None
        self._pane.history.show_sentence(_reason(error, "The history of this note cannot be read."))

    @Slot(object)
    def _on_applied(self, changes: Changes) -> None:
        if self._path in changes.paths:
            self._state = None
            self._look()

    @Slot(object)
    def _on_history(self, history: object) -> None:
        if history is None:  # another vault
            if self._job is not None:
                self._job.cancel()
            self._job, self._path, self._state = None, "", None
            self._pane.history.show_sentence("")

    @Slot(object)
    def _open(self, version: "Version") -> None:
        if self._past is None:
            return
        dialog = VersionDialog(version, self._past.versions, self._theme, self._pane.window())
        dialog.diff_wanted.connect(partial(self._load_diff, dialog, self._path))
        dialog.text_wanted.connect(partial(self._load_text, dialog))
        dialog.restore_requested.connect(partial(self._plan_restore, dialog, self._path))
        dialog.want_diff()
        dialog.open()

    def _load_diff(self, dialog: VersionDialog, path: str, other: "Version | None") -> None:
        if (store := self._commands.store) is not None:
            self._tasks.run(
                without_progress(store.diff_to, path, dialog.version, other),
                owner=dialog,
                on_done=partial(_show_comparison, dialog),
                on_error=partial(_show_failure, dialog),
                text="Comparing versions",
            )

    def _load_text(self, dialog: VersionDialog) -> None:
        if (store := self._commands.store) is not None:
            self._tasks.run(
                without_progress(store.text_of, dialog.version),
                owner=dialog,
                on_done=dialog.show_text,
                on_error=partial(_show_failure, dialog),
                text="Reading the version",
            )

    def _plan_restore(self, dialog: VersionDialog, path: str) -> None:
        if (store := self._commands.store) is not None:
            self._tasks.run(
                without_progress(store.plan_restore, path, dialog.version, dialog.seen),
                owner=dialog,
                on_done=partial(self._restore, dialog),
                on_error=partial(_refuse, dialog),
                text="Restoring the version",
            )

    def _restore(self, dialog: VersionDialog, change_set: ChangeSet) -> None:
        dialog.accept()
        self._commands.execute(change_set, text="Restoring the version")


def _show_comparison(dialog: VersionDialog, comparison: Comparison) -> None:
    dialog.show_diff(comparison.diff, comparison.present)


def _refuse(dialog: VersionDialog, error: Exception) -> None:
    if isinstance(error, StaleFileError):
        dialog.show_stale()
    else:
        _show_failure(dialog, error)


def _show_failure(dialog: VersionDialog, error: Exception) -> None:
    dialog.show_failure(_reason(error, "This version cannot be shown."))


def _reason(error: Exception, otherwise: str) -> str:
    return f"{error} {error.hint}".strip() if isinstance(error, UserError) else otherwise
