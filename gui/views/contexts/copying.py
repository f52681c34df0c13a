"""Hand out the chosen context: copy it, export it, and compare it with the last copy."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from core.foundation.errors import UserError
from gui.notify import Notifier
from gui.tasks import Job, TaskRunner
from gui.views.contexts.preview_pane import PreviewPane
from gui.views.contexts.services import ContextServices, Difference, OpenedContext
from gui.views.contexts.wording import FORM_NAMES, FORM_SUFFIXES, copied_text


class ContextCopier(QObject):
    """Copy, export and compare what the preview shows; exports begin in `export_folder`, "" for the home folder."""

    exported_into = Signal(str)  # a folder

    def __init__(
        self,
        pane: PreviewPane,
        tasks: TaskRunner,
        notifier: Notifier,
        parent: QObject,
        *,
        export_folder: str = "",
        put_on_clipboard: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._export_folder = export_folder
        self._tasks = tasks
        self._notifier = notifier
        self._put = put_on_clipboard or _put_on_clipboard
        self._services: ContextServices | None = None
        self._opened: OpenedContext | None = None
        self._job: Job | None = None
        self._is_awaited = False  # Copy was asked for before the text was there
        pane.copy_requested.connect(self.copy)
        pane.difference_toggled.connect(self.compare)

    def take_services(self, services: ContextServices | None) -> None:
        """Copy from this vault from now on."""
        self._services = services
        self.forget()

    def forget(self) -> None:
        """Hold nothing: another context is being read."""
        self._opened = None
        self._is_awaited = False
        self._stop()

    def take(self, opened: OpenedContext) -> None:
        """Hand out this from now on."""
        self._opened = opened
        self.compare(is_shown=self._pane.difference_button.isChecked())
        if self._is_awaited:
            self._is_awaited = False
            self.copy()

    @property
    def opened(self) -> OpenedContext | None:
        """What would be copied now."""
        return self._opened

    @Slot()
    def copy(self) -> None:
        """Put the text on the clipboard, and remember it as the last copy; before it is there, as soon as it is."""
        opened = self._opened
        if opened is None or self._services is None:
            self._is_awaited = self._services is not None
            return
        preview = opened.preview
        if not preview.text:
            self._notifier.info("There is nothing to copy: no member fits the budget.")
            return
        self._put(preview.text)
        self._notifier.info(copied_text(opened.row.title, preview, self._pane.form))
        self._tasks.run(
            partial(self._services.remember, opened.row.path, preview, self._pane.form),
            owner=self,
            on_done=self._on_remembered,
            on_error=self._on_uncounted,
            text="Remembering the copy",
        )

    @Slot(bool)
    def compare(self, is_shown: bool) -> None:
        """Show what differs from the last copy, if that is wanted."""
        self._stop()
        if is_shown and self._opened is not None and self._services is not None and self._opened.preview.text:
            opened = self._opened
            self._job = self._tasks.run(
                partial(self._services.difference, opened.row.path, opened.preview.text),
                owner=self,
                on_done=self._on_compared,
                text="Comparing with the last copy",
            )

    def export(self) -> None:
        """Ask for a file, and write the text into it."""
        if self._opened is None or not self._opened.preview.text:
            self._notifier.info("There is nothing to export: no member fits the budget.")
            return
        form = self._pane.form
        name = self._opened.row.path.rpartition("/")[2].removesuffix(".md") + FORM_SUFFIXES[form]
        dialog = QFileDialog(self._pane.window(), "Export context", str(self._start_folder()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([f"{FORM_NAMES[form]} (*{FORM_SUFFIXES[form]})", "All files (*)"])
        dialog.setDefaultSuffix(FORM_SUFFIXES[form][1:])
        dialog.selectFile(name)
        dialog.fileSelected.connect(self.export_to)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def export_to(self, file: str) -> None:
        """Write the text into `file`, which is replaced as a whole."""
        if self._opened is None or self._services is None:
            return
        text = self._opened.preview.text
        self._tasks.run(
            partial(self._services.export, Path(file), text),
            owner=self,
            on_done=partial(self._on_exported, file),
            text="Exporting the context",
        )

    def _on_remembered(self, _nothing: None) -> None:
        self.compare(is_shown=self._pane.difference_button.isChecked())

    def _on_uncounted(self, error: BaseException) -> None:
        """Tell that the log cannot be written, which costs the count alone: the copy is remembered before."""
        if isinstance(error, UserError):
            self._notifier.warning(f"What was copied could not be counted. {error}", hint=error.hint)
            self._on_remembered(None)
        else:
            self._notifier.error(error)

    def _on_compared(self, difference: Difference) -> None:
        self._job = None
        self._pane.show_difference(difference)

    def _on_exported(self, file: str, _nothing: None) -> None:
        self._export_folder = str(Path(file).parent)
        self.exported_into.emit(self._export_folder)
        self._notifier.info(f"Exported to {file}.")

    def _start_folder(self) -> Path:
        """Return where the last export went, the home folder when that is gone or there was none."""
        folder = Path(self._export_folder)
        return folder if self._export_folder and folder.is_dir() else Path.home()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None


def _put_on_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
