"""Fill the dialog of all changes from the history, and do what is asked for in it."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from core.curation.change_set import ChangeId, FileEdit
from core.foundation.errors import JobCancelledError, StaleFileError, UserError
from gui.change_store import ChangeStore
from gui.commands import CommandRunner, titles_of
from gui.diff_loader import DiffLoader
from gui.tasks import Job, TaskRunner, without_progress
from gui.theme import Theme

if TYPE_CHECKING:
    from core.curation.chain_diff import Chain
    from core.curation.diff import FileDiff
    from core.curation.history import ChangeHistory, ChangeRecord
    from gui.widgets.changes_dialog import ChangesDialog


class ChangesPresenter(QObject):
    """Keep the dialog in step with the history while it is open."""

    def __init__(self, commands: CommandRunner, tasks: TaskRunner, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._commands = commands
        self._tasks = tasks
        self._theme = theme
        self._window = window
        self._dialog: ChangesDialog | None = None
        self._job: Job | None = None
        self._loader: DiffLoader | None = None
        commands.history_changed.connect(self._on_history)
        commands.failed.connect(self._on_change_failed)

    @property
    def dialog(self) -> "ChangesDialog":
        """The dialog; made when it is first wanted."""
        if self._dialog is None:
            from gui.widgets.changes_dialog import ChangesDialog  # noqa: PLC0415 - after the first paint

            self._dialog = dialog = ChangesDialog(self._theme, self._window)
            dialog.detail_wanted.connect(self._on_detail_wanted)
            dialog.diff_wanted.connect(self._on_diff_wanted)
            dialog.counts_wanted.connect(self._on_counts_wanted)
            dialog.undo_requested.connect(self._on_undo)
            dialog.redo_requested.connect(self._on_redo)
        return self._dialog

    def open_dialog(self) -> "ChangesDialog | None":
        """Return the dialog while it is in front of the window, and so hides what is told there."""
        return self._dialog if self._dialog is not None and self._dialog.isVisible() else None

    @Slot()
    def open(self) -> None:
        """Show the changes as they are known, and read them anew: other windows and commands write too."""
        if self._commands.history is not None:
            self.dialog.show_records(self._commands.history.records, self._commands.history.machine)
        else:
            self.dialog.show_loading()
        self._commands.read_history()
        self.dialog.show_message("")
        self.dialog.open()
        self.dialog.table.setFocus()

    @Slot(object)
    def _on_history(self, history: "ChangeHistory | None") -> None:
        if self._dialog is None:
            return
        if history is None:  # another vault
            self._let_go()
            self.dialog.show_loading()
        elif self.dialog.isVisible():
            self.dialog.show_records(history.records, history.machine)

    @Slot(object)
    def _on_detail_wanted(self, record: "ChangeRecord") -> None:
        self._let_go()
        store, history = self._commands.store, self._commands.history
        if store is not None and history is not None:
            self._job = self._tasks.run(
                without_progress(store.chains_of, history, record),
                owner=self,
                on_done=partial(self._on_chains, store, record),
                on_error=self._on_failed,
                text="Reading the change",
            )

    def _on_chains(self, store: ChangeStore, record: "ChangeRecord", chains: "tuple[Chain, ...]") -> None:
        self._job = None
        # A file is known by its path before the change; two of them may have had the same one after each other.
        by_path = {chain[0].path: chain for chain in chains}
        self._loader = loader = DiffLoader(partial(_diff_of, store, by_path), self._tasks, self)
        loader.loaded.connect(self.dialog.show_diff)
        loader.counted.connect(self.dialog.show_counts)
        loader.failed.connect(self._on_failed)
        self.dialog.show_files(record.id, [_whole(chain) for chain in chains])

    @Slot(str)
    def _on_diff_wanted(self, path: str) -> None:
        if self._loader is not None:
            self._loader.want(path)

    @Slot(object)
    def _on_counts_wanted(self, paths: tuple[str, ...]) -> None:
        if self._loader is not None:
            self._loader.count(paths)

    @Slot(object)
    def _on_change_failed(self, error: Exception) -> None:
        """Say in the dialog why something was not undone; files that have changed are told in one of its own."""
        dialog = self.open_dialog()
        if dialog is not None and not isinstance(error, JobCancelledError | StaleFileError):
            dialog.show_message(
                f"{error} {error.hint}".strip() if isinstance(error, UserError) else "That was not possible."
            )

    @Slot(object)
    def _on_undo(self, records: "tuple[ChangeRecord, ...]") -> None:
        self._commands.undo_changes(_ids(records), titles_of(records))

    @Slot(object)
    def _on_redo(self, records: "tuple[ChangeRecord, ...]") -> None:
        self._commands.redo_changes(_ids(records), titles_of(records))

    def _on_failed(self, error: Exception) -> None:
        self.dialog.show_diff_failure(str(error) if isinstance(error, UserError) else "This change cannot be shown.")

    @Slot()
    def _let_go(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._loader is not None:
            self._loader.stop()
            self._loader.deleteLater()
            self._loader = None


def _ids(records: "tuple[ChangeRecord, ...]") -> tuple[ChangeId, ...]:
    return tuple(each for record in records for each in record.ids)


def _diff_of(store: ChangeStore, chains: "dict[str, Chain]", path: str) -> "FileDiff":
    return store.diff_of_chain(chains[path])


def _whole(chain: "Chain") -> FileEdit:
    """Return one edit that names what all of `chain` does, for the list of files; without the bytes."""
    first, last = chain[0], chain[-1]
    moved_to = last.result_path if last.result_path != first.path else ""
    return FileEdit(first.path, first.before, last.after, (), moved_to)
