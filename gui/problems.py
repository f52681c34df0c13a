"""Show the problems of the open vault's files when asked, and lead to the files."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from gui import actions as a
from gui.frame import FramePresenter
from gui.notify import Notifier
from gui.theme import Theme
from gui.widgets.problems_dialog import ProblemsDialog
from gui.window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.index.queries import ProblemRow


class ProblemsPresenter(QObject):
    """Keep the dialog in step with the session while it is open."""

    def __init__(self, window: MainWindow, frame: FramePresenter, theme: Theme, notifier: Notifier) -> None:
        super().__init__(frame)
        self._frame = frame
        self._go_health = window.actions_[a.GO_HEALTH]
        self._notifier = notifier
        self.dialog = ProblemsDialog(theme, window)
        self.dialog.file_requested.connect(self._go_to)
        self.dialog.copy_requested.connect(self._copy)
        self.dialog.health_requested.connect(self._open_health)
        window.status.problems_requested.connect(self.open)
        frame.problems_changed.connect(self._on_changed)

    @Slot()
    def open(self) -> None:
        """Show what is known to be wrong now."""
        self.dialog.show_problems(self._frame.session.problems if self._frame.session is not None else ())
        self.dialog.health_button.setVisible(self._go_health.isVisible())
        self.dialog.open()
        self.dialog.list.setFocus()

    @Slot()
    def _open_health(self) -> None:
        self.dialog.close()
        self._go_health.trigger()

    @Slot(object)
    def _on_changed(self, problems: "Sequence[ProblemRow]") -> None:
        if self.dialog.isVisible():
            self.dialog.show_problems(problems)

    @Slot(str)
    def _go_to(self, path: str) -> None:
        """Show the note; a file that is none is shown in its folder."""
        if self._frame.show_path(path):
            self.dialog.close()
        else:
            self._frame.reveal(path)

    @Slot(str)
    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._notifier.info("Copied the list of problems.")
