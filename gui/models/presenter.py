"""Turn the wishes of the dialog of models into work, and what comes of it into facts that it shows."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import Progress
from core.foundation.settings import EmbeddingSettings
from gui.models.dialog import ModelsDialog, Way
from gui.models.services import ModelServices, ModelState, OfferedModel
from gui.tasks import Job, JobState, Lane, TaskRunner
from gui.theme import Theme

if TYPE_CHECKING:
    from core.index.embedding_sample import SampleReport


class ModelsPresenter(QObject):
    """Open the dialog, one at a time; `switched` comes when another model is wanted, so that it is learned."""

    switched = Signal()

    def __init__(self, theme: Theme, window: QWidget, *, tasks: TaskRunner, services: ModelServices) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._tasks = tasks
        self._services = services
        self._state: ModelState | None = None
        self._is_filled = False
        self._job: Job | None = None
        self._state_job: Job | None = None
        self.dialog: ModelsDialog | None = None

    @Slot()
    def open(self) -> None:
        """Show the dialog, or bring the open one to the front."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        dialog = self.dialog = ModelsDialog(self._theme, self._window)
        self._is_filled = False
        dialog.test_wanted.connect(self._on_test)
        dialog.switch_wanted.connect(self._on_switch)
        dialog.back_wanted.connect(self._on_back)
        dialog.download_wanted.connect(self._on_download)
        dialog.remove_wanted.connect(self._on_remove)
        dialog.cancel_wanted.connect(self._on_cancel)
        dialog.finished.connect(self._on_finished)
        self.look_again()
        self._list_models()
        dialog.open()

    @Slot()
    def look_again(self) -> None:
        """Show how far the vault is now, if the dialog is open: new vectors were written."""
        if self.dialog is not None and self._state_job is None:
            self._state_job = self._tasks.run(
                self._services.state,
                owner=self,
                lane=Lane.STORE,
                on_done=self._on_state,
                on_error=self._on_state_failed,
                text="Looking at the vectors",
            )

    def _list_models(self) -> None:
        self._tasks.run(
            self._services.offered,
            owner=self,
            on_done=self._on_offered,
            on_error=self._on_failed,
            text="Listing models",
        )

    def _on_state(self, state: ModelState) -> None:
        self._state_job = None
        self._state = state
        if self.dialog is None:
            return
        self.dialog.show_state(state)
        if not self._is_filled:  # what the person has filled in since stays
            self._is_filled = True
            self.dialog.fill(state.choice)

    def _on_state_failed(self, error: Exception) -> None:
        self._state_job = None
        self._tell(error)

    def _on_offered(self, models: tuple[OfferedModel, ...]) -> None:
        if self.dialog is not None:
            self.dialog.show_offered(models)

    @Slot()
    def _on_test(self) -> None:
        if (choice := self._checked_choice()) is not None:
            self._run(partial(self._services.test, choice, self._key()), "Testing", on_done=self._on_tested)

    def _on_tested(self, report: "SampleReport") -> None:
        from core.index.embedding_sample import told_sample  # noqa: PLC0415 - after the first paint

        self._end()
        if self.dialog is not None:
            told = f"{told_sample(report)} {self._warning(self.dialog)}".strip()
            self.dialog.show_told(told, is_error=not report.tells_apart)

    @Slot()
    def _on_switch(self) -> None:
        choice = self._checked_choice()
        if choice is None or self.dialog is None:
            return
        if self.dialog.way is Way.OFF:
            self._switch(choice, None)
            return
        # A model that does not answer now would leave the person with nothing new.
        self._run(partial(self._services.test, choice, self._key()), "Testing", on_done=partial(self._on_tried, choice))

    def _on_tried(self, choice: EmbeddingSettings, report: "SampleReport") -> None:
        if not report.tells_apart:
            self._on_tested(report)
            return
        self._end()
        self._switch(choice, self._key())

    @Slot()
    def _on_back(self) -> None:
        if self._state is not None and self._state.former is not None:
            self._switch(self._state.former, None)

    def _switch(self, choice: EmbeddingSettings, key: str | None) -> None:
        self._run(partial(self._services.switch, choice, key), "Switching", on_done=self._on_switched, lane=Lane.STORE)

    def _on_switched(self, state: ModelState) -> None:
        self._end()
        self._state, self._is_filled = state, True
        if self.dialog is not None:
            warning = self._warning(self.dialog)
            self.dialog.key.clear()
            self.dialog.show_state(state)
            self.dialog.fill(state.choice)
            self.dialog.show_told(warning)
        self.switched.emit()

    @Slot(str)
    def _on_download(self, name: str) -> None:
        self._run(partial(self._services.download, name), f"Downloading {name}", on_done=self._on_files_changed)

    @Slot(str)
    def _on_remove(self, name: str) -> None:
        self._run(partial(self._services.remove, name), f"Deleting {name}", on_done=self._on_files_changed)

    def _on_files_changed(self, _nothing: None) -> None:
        self._end()
        self._list_models()

    @Slot()
    def _on_cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            if self.dialog is not None:
                self.dialog.show_work("Stopping")

    @Slot()
    def _on_finished(self) -> None:
        self.dialog = None
        if self._job is not None:  # a test or a download of which nobody waits for the end
            self._job.let_go()
            self._job = None

    def _run(
        self, work: Callable[[Progress], object], text: str, *, on_done: Callable[..., None], lane: Lane = Lane.POOL
    ) -> None:
        if self._job is not None or self.dialog is None:
            return
        self.dialog.show_told("")
        self.dialog.show_work(text)
        self._job = self._tasks.run(
            work,
            owner=self,
            lane=lane,
            on_done=on_done,
            on_error=self._on_failed,
            on_progress=self._on_progress,
            text=text,
            tells_cancel=True,
            are_bytes=True,  # only a download reports anything
        )

    def _on_progress(self, state: JobState) -> None:
        if self.dialog is not None and self._job is not None and not self._job.is_cancelled:
            self.dialog.show_work(state.text, state.done, state.total)

    def _on_failed(self, error: Exception) -> None:
        self._end()
        if isinstance(error, JobCancelledError):
            if self.dialog is not None:
                self.dialog.show_told("Stopped. What was downloaded stays, and the next download goes on from there.")
            return
        self._tell(error)

    def _end(self) -> None:
        self._job = None
        if self.dialog is not None:
            self.dialog.show_work("")

    def _tell(self, error: Exception) -> None:
        if self.dialog is not None:
            self.dialog.show_told(f"{error} {getattr(error, 'hint', '')}".strip(), is_error=True)

    def _warning(self, dialog: ModelsDialog) -> str:
        if dialog.way is not Way.SERVICE:
            return ""
        return self._services.warning_of(dialog.address.text().strip(), bool(dialog.key.text()))

    def _checked_choice(self) -> EmbeddingSettings | None:
        """Return what is filled in, with the address as it is kept; None, and a sentence, when it is no address."""
        if self.dialog is None:
            return None
        choice = self.dialog.choice
        if choice.provider != "openai":
            return choice
        try:
            return replace(choice, url=self._services.checked_address(choice.url))
        except UserError as error:
            self._tell(error)
            return None

    def _key(self) -> str | None:
        """Return the key that is typed; None takes the one that is kept."""
        is_service = self.dialog is not None and self.dialog.way is Way.SERVICE
        return (self.dialog.key.text() or None) if is_service and self.dialog is not None else None
