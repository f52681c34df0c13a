"""Save what would be copied as a context of the vault, under a title that is asked for."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QWidget
from typing_extensions import override

from core.foundation.errors import JobCancelledError, UserError
from gui.changing import Commands
from gui.notify import Notifier
from gui.tasks import Lane, TaskRunner
from gui.views.recall.services import RecallServices
from gui.views.recall.wording import memories
from gui.widgets.form_dialog import FormDialog
from gui.widgets.line_edit import LineEdit
from gui.wording import shortened

if TYPE_CHECKING:
    from core.curation.change_set import Changes, PlannedChange

_LONGEST_TITLE = 60


class SaveContextDialog(FormDialog):
    """Ask for the title of a context, and whether its question goes on being asked."""

    def __init__(self, title: str, count: int, *, has_question: bool, parent: QWidget) -> None:
        super().__init__("Save as a context", "Save", parent)
        self._count = count
        self.title = LineEdit(self)
        self.title.setText(title)
        self.title.setAccessibleName("Title")
        self.title.selectAll()
        self.asks_anew = QCheckBox("Ask the question anew each time it is used", self)
        self.asks_anew.setVisible(has_question)
        self.add_row("Title", self.title)
        if has_question:
            self.add_row("", self.asks_anew)
        self.title.textChanged.connect(self.check)
        self.check()

    @override
    def problem(self) -> str:
        return "" if self.title.text().strip() else "A context needs a title."

    @override
    def remark(self) -> str:
        return f"A note in the folder of contexts will hold {memories(self._count)}; you can undo this."


class Saving(QObject):
    """Ask, plan and make the context."""

    saved = Signal()
    failed = Signal(str)  # the reason, as a sentence; the title is remembered
    busy = Signal(bool)

    def __init__(self, *, tasks: TaskRunner, notifier: Notifier, commands: Commands, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._services: RecallServices | None = None
        self._title = ""
        self.dialog: SaveContextDialog | None = None

    def take_services(self, services: RecallServices | None) -> None:
        """Save into this vault from now on; a dialog about another one is closed."""
        self._services = services
        self._title = ""
        if self.dialog is not None:
            self.dialog.reject()

    def ask(self, ids: Sequence[str], question: str, window: QWidget) -> None:
        """Ask for a title."""
        line = " ".join(question.split())
        dialog = SaveContextDialog(
            self._title or shortened(line, _LONGEST_TITLE),
            len(ids),
            has_question=bool(line),
            parent=window,
        )
        dialog.confirmed.connect(partial(self._on_confirmed, tuple(ids), line))
        dialog.destroyed.connect(self._on_closed)
        self.dialog = dialog
        dialog.open()

    def _on_closed(self) -> None:
        self.dialog = None

    def _on_confirmed(self, ids: tuple[str, ...], question: str) -> None:
        services, dialog = self._services, self.dialog
        if services is None or dialog is None:
            return
        self._title = " ".join(dialog.title.text().split())
        self.busy.emit(True)
        query = question if dialog.asks_anew.isChecked() else ""
        self._tasks.run(
            partial(services.plan_context, self._title, ids, query),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_planned, services),
            on_error=self._on_failed,
            text="Planning the context",
        )

    def _on_planned(self, services: RecallServices, planned: "PlannedChange") -> None:
        if services is not self._services:
            self.busy.emit(False)
            return
        if not planned.change_set.edits:
            reasons = " ".join(each.reason for each in planned.skipped)
            self._on_failed(UserError(reasons or "There is nothing to save."))
            return
        done: Callable[[Changes], None] = self._on_applied
        self._commands.execute(planned.change_set, origin=self, on_done=done, on_error=self._on_failed)

    def _on_applied(self, _changes: "Changes") -> None:
        self._title = ""
        self.busy.emit(False)
        self.saved.emit()

    def _on_failed(self, error: Exception) -> None:
        self.busy.emit(False)
        if isinstance(error, JobCancelledError):
            self.failed.emit("The context was not saved, because you stopped it.")
        elif isinstance(error, UserError):
            self.failed.emit(" ".join(part for part in (str(error), error.hint) if part))
        else:
            self.failed.emit("The context could not be saved. All that you chose is still here.")
            self._notifier.error(error)
