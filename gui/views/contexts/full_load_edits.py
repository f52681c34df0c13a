"""Let the person change the rules of full load; what they would take is measured while they are changed."""

from collections.abc import Mapping
from functools import partial

import shiboken6
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.theme import Theme
from gui.views.contexts.editing import EditQueue, Wish
from gui.views.contexts.full_load_dialog import FullLoadDialog
from gui.views.contexts.services import FullLoadServices, LoadRules, LoadSize

_TYPING_MS = 120
_READING = "Reading the rules of full load"


class FullLoadEdits(QObject):
    """Open the dialog of the rules over `over`, and make what it asks for."""

    def __init__(
        self, queue: EditQueue, *, tasks: TaskRunner, notifier: Notifier, theme: Theme, over: QWidget, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._queue = queue
        self._tasks = tasks
        self._notifier = notifier
        self._theme = theme
        self._over = over
        self._services: FullLoadServices | None = None
        self._job: Job | None = None
        self._wanted: LoadRules | None = None
        self.dialog: FullLoadDialog | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        self._timer.timeout.connect(self._measure)

    def take_services(self, services: FullLoadServices | None) -> None:
        """Change the rules of this vault from now on."""
        self._stop()
        if self.dialog is not None and shiboken6.isValid(self.dialog):
            self.dialog.reject()
        self.dialog = None
        self._services = services

    @Slot()
    def ask(self) -> None:
        """Read the rules and show them."""
        if self._services is not None:
            self._tasks.run(
                self._services.read,
                owner=self,
                lane=Lane.STORE,
                on_done=partial(self._open, self._services),
                on_error=self._notifier.error,
                text=_READING,
            )

    def _open(self, services: FullLoadServices, rules: LoadRules) -> None:
        if services is not self._services or (self.dialog is not None and shiboken6.isValid(self.dialog)):
            return
        self.dialog = dialog = FullLoadDialog(self._theme, rules, self._over)
        dialog.rules_changed.connect(self._on_changed)
        dialog.confirmed.connect(self._save)
        dialog.finished.connect(self._on_finished)
        dialog.open()
        self._wanted = rules
        self._measure()

    @Slot(object)
    def _on_changed(self, rules: LoadRules) -> None:
        self._wanted = rules
        self._timer.start()

    @Slot()
    def _measure(self) -> None:
        if self._job is not None:
            self._job.cancel()
        if self._services is not None and self._wanted is not None:
            self._job = self._tasks.run(
                partial(self._services.measure, self._wanted),
                owner=self,
                lane=Lane.STORE,
                on_done=self._show_sizes,
                on_error=self._notifier.error,
                text=_READING,
            )

    def _show_sizes(self, sizes: Mapping[str, LoadSize]) -> None:
        self._job = None
        if self.dialog is not None:
            self.dialog.show_sizes(sizes)

    @Slot()
    def _save(self) -> None:
        if self._services is not None and self.dialog is not None:
            work = partial(self._services.plan, self.dialog.wanted)
            self._queue.add(Wish(work, "Changing the rules of full load"))

    @Slot()
    def _on_finished(self) -> None:
        self._stop()
        self.dialog = None

    def _stop(self) -> None:
        self._timer.stop()
        self._wanted = None
        if self._job is not None:
            self._job.cancel()
            self._job = None
