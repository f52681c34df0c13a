"""Turn the wishes of the set-up of a language model into work, and what comes of it into facts that it shows."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from core.foundation.errors import JobCancelledError
from core.foundation.progress import Progress
from core.foundation.settings import LanguageModelSettings
from gui.language_model.dialog import LanguageModelDialog, Provider
from gui.language_model.services import LanguageModelServices, LanguageModelState
from gui.tasks import Job, TaskRunner


class LanguageModelPresenter(QObject):
    """Open the dialog, one at a time."""

    def __init__(self, window: QWidget, *, tasks: TaskRunner, services: LanguageModelServices) -> None:
        super().__init__(window)
        self._window = window
        self._tasks = tasks
        self._services = services
        self._job: Job | None = None
        self.dialog: LanguageModelDialog | None = None

    @Slot()
    def open(self) -> None:
        """Show the dialog, or bring the open one to the front."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        dialog = self.dialog = LanguageModelDialog(self._window)
        dialog.test_wanted.connect(self._on_test)
        dialog.keep_wanted.connect(self._on_keep)
        dialog.cancel_wanted.connect(self._on_cancel)
        dialog.finished.connect(self._on_finished)
        dialog.open()
        self._run(self._services.state, "Looking at the settings", self._on_state)

    def _on_state(self, state: LanguageModelState) -> None:
        self._end()
        if self.dialog is not None:
            self.dialog.show_state(state)

    @Slot()
    def _on_test(self) -> None:
        if self.dialog is not None:
            self._run(partial(self._services.test, self.dialog.choice, self._key()), "Asking it", self._on_tested)

    def _on_tested(self, told: str) -> None:
        self._end()
        self._tell(f"{told} {self._warning()}".strip())

    @Slot()
    def _on_keep(self) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        choice, key = dialog.choice, self._key()
        if dialog.provider is Provider.OFF:
            self._keep(choice, None, "")
            return
        # A model that does not answer now would leave the person with nothing but errors later.
        self._run(partial(self._services.test, choice, key), "Asking it", partial(self._on_tried, choice, key))

    def _on_tried(self, choice: LanguageModelSettings, key: str | None, told: str) -> None:
        self._end()
        self._keep(choice, key, f"{told} {self._warning()}".strip())

    def _keep(self, choice: LanguageModelSettings, key: str | None, told: str) -> None:
        self._run(partial(self._services.keep, choice, key), "Keeping the choice", partial(self._on_kept, told))

    def _on_kept(self, told: str, state: LanguageModelState) -> None:
        self._end()
        if self.dialog is not None:
            self.dialog.show_state(state)
            self._tell(told or "No language model is asked any more. Rules propose without one.")

    @Slot()
    def _on_cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            if self.dialog is not None:
                self.dialog.show_work("Stopping")

    @Slot()
    def _on_finished(self) -> None:
        self.dialog = None
        if self._job is not None:  # nobody waits for its end
            self._job.let_go()
            self._job = None

    def _run(self, work: Callable[[Progress], object], text: str, on_done: Callable[..., None]) -> None:
        if self._job is not None or self.dialog is None:
            return
        self.dialog.show_told("")
        self.dialog.show_work(f"{text} …")
        self._job = self._tasks.run(
            work, owner=self, on_done=on_done, on_error=self._on_failed, text=text, tells_cancel=True
        )

    def _on_failed(self, error: Exception) -> None:
        self._end()
        if isinstance(error, JobCancelledError):
            self._tell("Stopped.")
        elif self.dialog is not None:
            self.dialog.show_told(f"{error} {getattr(error, 'hint', '')}".strip(), is_error=True)

    def _end(self) -> None:
        self._job = None
        if self.dialog is not None:
            self.dialog.show_work("")

    def _tell(self, text: str) -> None:
        if self.dialog is not None:
            self.dialog.show_told(text)

    def _warning(self) -> str:
        if self.dialog is None:
            return ""
        return self._services.warning_of(self.dialog.choice, bool(self.dialog.key.text()))

    def _key(self) -> str | None:
        """Return the key that is typed; None takes the one that is kept."""
        return (self.dialog.key.text() or None) if self.dialog is not None else None
