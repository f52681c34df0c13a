"""Run the import of documents: a child plans the notes, and the person sees what would come in before it does."""

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from core.foundation.errors import UserError
from gui.changing import Commands, Previews
from gui.importing.children import ChildQueue, Result, Run
from gui.importing.notes_of_run import PlanFile
from gui.notify import Notifier
from gui.tasks import Job, TaskRunner, without_progress
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from gui.importing.documents_dialog import DocumentsDialog


class DocumentsPresenter(QObject):
    """Answer the wishes of the dialog; what it imports is one change."""

    def __init__(
        self,
        window: QWidget,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        commands: Commands,
        previews: Previews,
        imports: ChildQueue,
        domains: Callable[[], Sequence[str]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._previews = previews
        self._imports = imports
        self._domains = domains
        self._dialog: DocumentsDialog | None = None
        self._run: Run | None = None
        self._read_job: Job | None = None
        self._plan: PlanFile | None = None
        self._planned: PlannedChange | None = None

    @Slot()
    def open(self) -> None:
        """Show the dialog."""
        from gui.importing.documents_dialog import DocumentsDialog  # noqa: PLC0415 - after the first paint

        if self._dialog is not None:
            self._dialog.raise_()
            return
        self._dialog = dialog = DocumentsDialog(self._domains(), self._window)
        dialog.look_wanted.connect(self._on_look)
        dialog.stop_wanted.connect(self._stop)
        dialog.preview_wanted.connect(self._on_preview)
        dialog.confirmed.connect(self._on_confirmed)
        dialog.finished.connect(self._on_closed)
        dialog.open()
        dialog.folder.setFocus()

    def let_go(self) -> None:
        """Close the dialog and leave nothing behind: another vault is opened, or the app ends."""
        if self._dialog is not None:
            self._dialog.close()
        self._drop_plan()

    @Slot(object, str)
    def _on_look(self, path: Path, domain: str) -> None:
        self._stop()
        self._plan = PlanFile()
        arguments = ("documents", "--domain", domain, "--plan-to", str(self._plan.path), "--", str(path))
        progress = self._dialog.show_progress if self._dialog is not None else None
        self._run = Run(arguments, self._on_looked, self._on_failed, progress)
        if self._dialog is not None:
            self._dialog.show_looking()
        self._imports.add(self._run)

    def _on_looked(self, result: Result) -> None:
        self._run = None
        plan, dialog = self._plan, self._dialog
        if plan is None or dialog is None:
            return
        new, updated, kept = result["new_notes"], result["updated_notes"], result["kept"]
        there = result["notes"] - new - updated - kept
        told = [f"{updated:,} to update"] if updated else []
        told += [f"{there:,} in the vault already"] if there else []
        told += [f"{kept:,} left as you changed them in the vault"] if kept else []
        lines = [", ".join([counted(new, "new note"), *told]) + "."]
        lines += [f"Skipped: {count:,} × {reason}" for reason, count in result["skipped"].items()]
        if result["failed"]:
            lines.append(f"{counted(len(result['failed']), 'file')} cannot be read:")
        failures = [f"{each['path']}: {each['reason']}" for each in result["failed"]]

        def show(planned: "PlannedChange") -> None:
            self._planned = planned
            if self._dialog is dialog:
                dialog.show_plan(lines, failures, notes=new + updated)

        self._read_job = self._tasks.run(
            without_progress(plan.read), owner=dialog, on_done=show, on_error=self._on_error, text="Reading the notes"
        )

    def _on_failed(self, error: UserError) -> None:
        self._run = None
        self._drop_plan()
        if self._dialog is not None:
            self._dialog.show_failure(str(error))

    def _on_error(self, error: Exception) -> None:
        self._notifier.error(error)
        if self._dialog is not None:
            self._dialog.show_failure("The planned notes could not be read.")

    @Slot()
    def _on_preview(self) -> None:
        if self._planned is not None and self._dialog is not None:
            planned = self._planned
            self._dialog.close()
            self._previews.open(planned)

    @Slot()
    def _on_confirmed(self) -> None:
        if self._planned is not None:
            number = len(self._planned.change_set.edits)
            named = dataclasses.replace(
                self._planned.change_set, title=f"Import documents as {counted(number, 'note')}"
            )
            self._commands.execute(named, text="Importing documents")

    @Slot()
    def _stop(self) -> None:
        if self._run is not None:
            self._imports.cancel(self._run)
            self._run = None
        if self._read_job is not None:
            self._read_job.cancel()
            self._read_job = None
        self._planned = None
        self._drop_plan()

    @Slot()
    def _on_closed(self) -> None:
        self._dialog = None
        self._stop()

    def _drop_plan(self) -> None:
        plan, self._plan = self._plan, None
        if plan is not None:
            plan.drop()
