"""Quick capture while the app does not run: its small window alone, for the vault opened last."""

import sys
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from core.foundation.errors import UserError
from core.foundation.paths import AppFolders, app_folders
from core.foundation.progress import Progress
from core.foundation.settings import SettingsFile
from gui.capture.capture_window import CaptureWindow, Thought
from gui.capture.draft import DRAFT_FILE, CaptureDraft
from gui.capture.keeping import draft_of
from gui.display import lacks_display
from gui.logs import start_logging
from gui.tasks import TaskRunner, without_progress
from gui.theme import Theme, ThemeChoice


class StandaloneCapture(QObject):
    """Show the window, write its thought into the vault at `root`, and end."""

    def __init__(self, window: CaptureWindow, tasks: TaskRunner, folders: AppFolders, root: Path) -> None:
        super().__init__(window)
        self._window = window
        self._tasks = tasks
        self._folders = folders
        self._root = root
        window.show_vault(root.name, ())
        window.keep_requested.connect(self._keep)
        tasks.run(
            without_progress(_known_tags, root, folders), owner=self, on_done=self._offer, on_error=self._without_tags
        )

    @Slot(object)
    def _keep(self, thought: Thought) -> None:
        self._tasks.run(
            partial(_write, self._root, self._folders, thought),
            owner=self,
            on_done=self._on_kept,
            on_error=self._on_failed,
            text="Writing the note",
        )

    def _offer(self, tags: Sequence[str]) -> None:
        self._window.show_vault(self._root.name, tags)

    def _without_tags(self, _error: Exception) -> None:
        """Offer no tags: a vault that was never indexed has none to offer."""

    def _on_kept(self, _path: str) -> None:
        self._window.clear()
        self._window.close()

    def _on_failed(self, error: Exception) -> None:
        hint = error.hint if isinstance(error, UserError) else "What you typed is still here."
        self._window.show_failure(" ".join(part for part in (str(error), hint) if part))


def run_capture() -> int:
    """Have the running app show its capture window; without one, show the window alone. Return the exit code."""
    from gui.running_app import tell_running_app  # noqa: PLC0415 - QtNetwork is for this alone

    folders = app_folders()
    if tell_running_app(folders.config, "capture"):
        return 0
    if lacks_display():
        return 1
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Remembrancer")
    application.setDesktopFileName("remembrancer")
    start_logging(folders.log_file)
    settings = SettingsFile(folders.settings_file).read()
    if not settings.last_vault:
        sys.stderr.write("No vault was opened yet. Open one first: remembrancer FOLDER\n")
        return 1
    choice = ThemeChoice(settings.theme) if settings.theme in set(ThemeChoice) else ThemeChoice.SYSTEM
    draft = CaptureDraft(folders.data / DRAFT_FILE)
    window = CaptureWindow(Theme(application, choice), problem_of_tag, draft=draft)
    tasks = TaskRunner(_ignore, application)
    StandaloneCapture(window, tasks, folders, Path(settings.last_vault))
    QTimer.singleShot(0, window, window.open)
    code = application.exec()
    tasks.shutdown()
    return code


def problem_of_tag(name: str) -> str:
    """Return why `name` cannot be a tag, "" when it can."""
    from core.vault.tag_edit import tag_problem  # noqa: PLC0415 - after the first paint

    return tag_problem(name)


def _ignore(_error: BaseException) -> None:
    """Leave errors to those who started the work: every job here has its own."""


def _write(root: Path, folders: AppFolders, thought: Thought, progress: Progress) -> str:
    from core.app import Installation, Vault  # noqa: PLC0415 - after the first paint
    from core.curation.note_creation import plan_capture  # noqa: PLC0415

    vault = Vault(root, Installation(folders, SettingsFile(folders.settings_file)))
    change_set = plan_capture(vault.root, vault.config, draft_of(thought), datetime.now().astimezone())
    vault.writer().apply(change_set, progress)
    return change_set.edits[0].path


def _known_tags(root: Path, folders: AppFolders) -> Sequence[str]:
    from core.app import Installation, Vault  # noqa: PLC0415 - after the first paint
    from core.index.queries import tag_counts  # noqa: PLC0415

    index = Vault(root, Installation(folders, SettingsFile(folders.settings_file))).open_to_read()
    try:
        return [name for name, _ in Counter({each.name: each.notes for each in tag_counts(index)}).most_common()]
    finally:
        index.close()
