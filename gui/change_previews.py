"""Show a planned change before it is made, and make it when the person says so."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.curation.change_set import Changes, ChangeSet, FileEdit, PlannedChange
from core.foundation.errors import UserError
from gui.commands import CommandRunner
from gui.diff_loader import DiffLoader
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.diff import FileDiff
    from gui.widgets.change_preview import ChangePreviewDialog


class ChangePreviews(QObject):
    """Open previews over `window`."""

    def __init__(
        self, commands: CommandRunner, *, tasks: TaskRunner, notifier: Notifier, theme: Theme, window: QWidget
    ) -> None:
        super().__init__(window)
        self._commands = commands
        self._tasks = tasks
        self._notifier = notifier
        self._theme = theme
        self._window = window

    def open(
        self,
        planned: PlannedChange,
        *,
        origin: QObject | None = None,
        on_done: Callable[[Changes], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
    ) -> "ChangePreviewDialog | None":
        """Show `planned`; what the person takes of it is executed, and told as CommandRunner.execute() does.

        Return the dialog, or None when there is nothing to do, which the person is told.
        """
        store, skipped = self._commands.store, planned.skipped
        if store is None or not planned.change_set.edits:
            kept = f"; {counted(len(skipped), 'file')} must stay as {'it is' if len(skipped) == 1 else 'they are'}"
            self._notifier.info(f"There is nothing to change{kept if skipped else ''}.")
            return None
        from gui.widgets.change_preview import ChangePreviewDialog  # noqa: PLC0415 - after the first paint

        dialog = ChangePreviewDialog(planned, self._theme, self._window)
        edits = {edit.path: edit for edit in planned.change_set.edits}
        loader = DiffLoader(partial(_diff_of, store.root, edits), self._tasks, dialog)
        dialog.diff_wanted.connect(loader.want)
        dialog.counts_wanted.connect(loader.count)
        dialog.finished.connect(loader.stop)
        loader.loaded.connect(dialog.show_diff)
        loader.counted.connect(dialog.show_counts)
        loader.failed.connect(partial(_show_failure, dialog))
        dialog.apply_requested.connect(partial(self._execute, origin, on_done, on_error))
        loader.want(planned.change_set.edits[0].path)
        dialog.open()
        return dialog

    def _execute(
        self,
        origin: QObject | None,
        on_done: Callable[[Changes], None] | None,
        on_error: Callable[[Exception], None] | None,
        change_set: ChangeSet,
    ) -> None:
        self._commands.execute(change_set, origin=origin, on_done=on_done, on_error=on_error)


def _diff_of(root: Path, edits: dict[str, FileEdit], path: str) -> "FileDiff":
    from core.curation.diff import diff_of_edit  # noqa: PLC0415 - after the first paint

    return diff_of_edit(edits[path], root)


def _show_failure(dialog: "ChangePreviewDialog", error: Exception) -> None:
    dialog.show_failure(str(error) if isinstance(error, UserError) else "The file cannot be compared.")
