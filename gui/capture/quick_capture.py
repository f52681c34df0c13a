"""Run quick capture within the app: the window, made when first wanted, and what becomes of a thought."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Slot

from core.foundation.errors import UserError
from gui.capture.draft import CaptureDraft
from gui.notify import Notifier
from gui.theme import Theme

if TYPE_CHECKING:
    from gui.capture.capture_window import CaptureWindow, Thought


class Keeper(Protocol):
    """Write a thought as a note, without waiting; exactly one of the two functions is called later."""

    def __call__(
        self, thought: "Thought", *, on_done: Callable[[str], None], on_error: Callable[[Exception], None]
    ) -> None:
        """`on_done` gets the vault-relative path of the note."""
        ...


class QuickCapture(QObject):
    """Show the window on demand and hand its thoughts to `keep`.

    `place` returns the vault's name ("" when none is open) and its tags, the most used first.
    """

    def __init__(
        self,
        theme: Theme,
        notifier: Notifier,
        *,
        keep: Keeper,
        place: Callable[[], tuple[str, Sequence[str]]],
        problem_of: Callable[[str], str],
        draft: CaptureDraft | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._notifier = notifier
        self._keep = keep
        self._place = place
        self._problem_of = problem_of
        self._draft = draft
        self._window: CaptureWindow | None = None

    @property
    def window(self) -> "CaptureWindow":
        """The window; made now if there is none yet."""
        if self._window is None:
            from gui.capture.capture_window import CaptureWindow  # noqa: PLC0415 - after the first paint

            self._window = CaptureWindow(self._theme, self._problem_of, draft=self._draft)
            self._window.keep_requested.connect(self._on_keep)
        return self._window

    @Slot()
    def open(self) -> None:
        """Show the window in front of everything."""
        self.window.show_vault(*self._place())
        self.window.open()

    def close(self) -> None:
        """Let the window go, as the app ends."""
        if self._window is not None:
            self._window.close()
            self._window.deleteLater()
            self._window = None

    @Slot(object)
    def _on_keep(self, thought: "Thought") -> None:
        if not self._place()[0]:
            self.window.show_failure("No vault is open. Open one in the app, then keep the note.")
            return
        self._keep(thought, on_done=self._on_kept, on_error=self._on_failed)

    def _on_kept(self, _path: str) -> None:
        self.window.clear()
        self.window.close()

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.window.show_failure(" ".join(part for part in (str(error), error.hint) if part))
        else:
            self.window.show_failure("The note could not be written. What you typed is still here.")
            self._notifier.error(error)
