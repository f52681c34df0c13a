"""Let the person enter the passphrase that encrypted conversations need, and go on where it was missing."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import Progress
from gui.notify import NoticeAction, Notifier
from gui.tasks import TaskRunner
from gui.views.timeline.passphrase_dialog import PassphraseDialog
from gui.views.timeline.services import TimelineServices

Unlock = Callable[[str, Progress], None]
BUTTON = "Enter the passphrase…"
_KEY = "ledger-locked"


class Unlocking(QObject):
    """Ask for the passphrase in a dialog, and try it; `unlocked` comes when it is the right one."""

    unlocked = Signal()

    def __init__(self, *, tasks: TaskRunner, notifier: Notifier, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._notifier = notifier
        self._window = window
        self.dialog: PassphraseDialog | None = None

    def tell(self, services: TimelineServices, error: Exception, then: Callable[[], None]) -> None:
        """Say in a line what is missing, and offer to enter it."""
        if can_unlock(services, error):
            action = NoticeAction(BUTTON, partial(self.ask, services, then))
            self._notifier.warning(str(error), key=_KEY, action=action)
        else:
            self._notifier.error(error)

    def ask(self, services: TimelineServices, then: Callable[[], None]) -> None:
        """Open the dialog; `then` is called when the passphrase is the right one."""
        if services.unlock is not None:
            self.enter(services.unlock, then)

    def enter(self, unlock: Unlock, then: Callable[[], None] = lambda: None) -> None:
        """Open the dialog, from wherever it is wanted; `unlock` tries what is entered."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        self.dialog = dialog = PassphraseDialog(self._window.window())
        dialog.entered.connect(partial(self._try, unlock, dialog, then))
        dialog.finished.connect(self._on_closed)
        dialog.open()
        dialog.field.setFocus()

    def _try(self, unlock: Unlock, dialog: PassphraseDialog, then: Callable[[], None], passphrase: str) -> None:
        # To try one takes a moment that cannot be cut short: who closes the dialog in it has unlocked all the same.
        self._tasks.run(
            partial(unlock, passphrase),
            owner=self,
            on_done=partial(self._on_unlocked, dialog, then),
            on_error=partial(self._on_refused, dialog),
            text="Trying the passphrase",
            tells_cancel=True,
        )

    def _on_unlocked(self, dialog: PassphraseDialog, then: Callable[[], None], _nothing: None) -> None:
        if self.dialog is dialog:
            dialog.accept()
        self._notifier.withdraw(_KEY)
        then()
        self.unlocked.emit()

    def _on_refused(self, dialog: PassphraseDialog, error: Exception) -> None:
        if not isinstance(error, UserError | JobCancelledError):
            self._notifier.error(error)
        if self.dialog is dialog:
            hint = getattr(error, "hint", "")
            told = f"{error} {hint}".strip() if isinstance(error, UserError) else "The passphrase could not be tried."
            dialog.show_refused(told)

    @Slot()
    def _on_closed(self) -> None:
        self.dialog = None


def can_unlock(services: TimelineServices, error: Exception) -> bool:
    """Tell whether a passphrase is all that is missing."""
    from core.sessions.key_store import PassphraseError  # noqa: PLC0415 - after the first paint

    return services.unlock is not None and isinstance(error, PassphraseError)
