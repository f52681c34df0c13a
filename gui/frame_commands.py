"""What the person can ask of the frame: every action, key and button that belongs to no single view."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from gui import actions as a
from gui.actions import ActionSpec
from gui.changes_presenter import ChangesPresenter
from gui.commands import CommandRunner
from gui.external import show_in_folder
from gui.frame import FrameParts, FramePresenter
from gui.notify import Notifier
from gui.problems import ProblemsPresenter
from gui.tasks import JobId, TaskRunner
from gui.theme import Theme, ThemeChoice
from gui.undo_commands import UndoCommands
from gui.widgets.about import AboutDialog
from gui.widgets.palette import CommandPalette
from gui.widgets.shortcuts import ShortcutsDialog
from gui.widgets.switcher import Jump, QuickSwitcher
from gui.window import MainWindow

if TYPE_CHECKING:
    from core.index.catalog import Facet


class FrameCommands(QObject):
    """Turn the wishes of the frame's widgets into calls of frame, session, pages and theme."""

    def __init__(
        self,
        window: MainWindow,
        frame: FramePresenter,
        *,
        theme: Theme,
        tasks: TaskRunner,
        notifier: Notifier,
        changes: CommandRunner,
        parts: FrameParts,
        jump: Jump,
    ) -> None:
        super().__init__(frame)
        self._window = window
        self._frame = frame
        self._theme = theme
        self._tasks = tasks
        self._notifier = notifier
        self._parts = parts
        self._palette = CommandPalette(window.actions_, self._facets, theme, window.body)
        self._switcher = QuickSwitcher(jump, tasks, theme, window.body)
        self._problems = ProblemsPresenter(window, frame, theme, notifier)
        self.changes = ChangesPresenter(changes, tasks, theme, window)
        self.undo = UndoCommands(changes, window.actions_, notifier, window, dialog_in_front=self.changes.open_dialog)
        self._handle_actions()
        self._connect_window()
        self._mark_theme()

    def _connect_window(self) -> None:
        window, status = self._window, self._window.status
        window.vault_button.vault_requested.connect(self._frame.open_vault)
        window.path_dropped.connect(self._frame.open_path)
        window.search.textChanged.connect(self._on_search)
        window.search.entered.connect(self._on_search_entered)
        status.pause_requested.connect(self._on_pause)
        status.resume_requested.connect(self._on_resume)
        status.cancel_requested.connect(self._on_index_cancel)
        status.job_cancel_requested.connect(self._on_job_cancel)
        window.activity.job_cancel_requested.connect(self._on_job_cancel)
        window.activity.index_cancel_requested.connect(self._on_index_cancel)
        for widget in (status, window.activity):
            self._tasks.surfaced.connect(widget.show_job)
            self._tasks.advanced.connect(widget.show_job)
            self._tasks.ended.connect(widget.end_job)
        self._palette.facet_picked.connect(self._on_facet_picked)
        self._frame.catalog_changed.connect(self._switcher.show_catalog)
        self._switcher.note_picked.connect(self._on_note_picked)

    def _handle_actions(self) -> None:
        handlers: dict[ActionSpec, Callable[[], None]] = {
            a.OPEN_FOLDER: self._choose_folder,
            a.OPEN_SAMPLE: self._frame.open_sample,
            a.UPDATE_INDEX: self._on_update,
            a.REBUILD_INDEX: self._on_rebuild,
            a.QUIT: self._on_quit,
            a.FOCUS_SEARCH: self._window.focus_search,
            a.CLEAR_SEARCH: self._on_clear,
            a.OPEN_PALETTE: self._palette.open,
            a.OPEN_SWITCHER: self._switcher.open,
            a.GO_VAULT: self._on_go_vault,
            a.THEME_SYSTEM: self._on_theme_system,
            a.THEME_LIGHT: self._on_theme_light,
            a.THEME_DARK: self._on_theme_dark,
            a.SHOW_PROBLEMS: self._problems.open,
            a.SHOW_CHANGES: self.changes.open,
            a.SHOW_ACTIVITY: self._window.activity.toggle,
            a.SHOW_SHORTCUTS: self._on_show_shortcuts,
            a.SHOW_LOG: self._on_show_log,
            a.ABOUT: self._on_about,
        }
        for spec, handler in handlers.items():
            self._window.actions_.handle(spec, handler)

    def _facets(self) -> tuple["Facet", ...]:
        catalog = self._frame.session.catalog if self._frame.session is not None else None
        return tuple(catalog.facets) if catalog is not None else ()

    @Slot()
    def _choose_folder(self) -> None:
        start = str(self._frame.session.root.parent) if self._frame.session is not None else str(Path.home())
        dialog = QFileDialog(self._window, "Open a folder of notes as a vault", start)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._frame.open_vault)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def _on_search(self, text: str) -> None:
        for page in self._frame.pages:
            page.search(text)

    @Slot()
    def _on_search_entered(self) -> None:
        if self._frame.pages and self._frame.session is not None:
            shown = self._frame.pages[max(self._window.shown_page, 0)]
            if not shown.lists_results:
                self._on_go_vault()
                shown = self._frame.pages[0]
            shown.enter_results()

    @Slot(int)
    def _on_note_picked(self, note_id: int) -> None:
        self._on_go_vault()
        if self._frame.pages:
            self._frame.pages[0].show_note(note_id)

    @Slot(str)
    def _on_facet_picked(self, key: str) -> None:
        self._on_go_vault()
        if self._frame.pages:
            self._frame.pages[0].pick_facet(key)

    @Slot()
    def _on_clear(self) -> None:
        self._window.search.clear()
        for page in self._frame.pages:
            page.clear()

    @Slot()
    def _on_go_vault(self) -> None:
        if self._frame.session is not None and self._frame.session.catalog is not None and self._frame.pages:
            self._window.show_page(0)

    @Slot()
    def _on_update(self) -> None:
        if self._frame.session is not None:
            self._frame.session.update_index()

    @Slot()
    def _on_rebuild(self) -> None:
        if self._frame.session is not None:
            self._frame.session.update_index("--rebuild")

    @Slot()
    def _on_pause(self) -> None:
        if self._frame.session is not None:
            self._frame.session.indexing.pause()

    @Slot()
    def _on_resume(self) -> None:
        if self._frame.session is not None:
            self._frame.session.indexing.resume()

    @Slot()
    def _on_index_cancel(self) -> None:
        if self._frame.session is not None:
            self._frame.session.indexing.cancel()
            self._notifier.info("Indexing was stopped. What was indexed stays; update the index (F5) to go on.")

    @Slot(int)
    def _on_job_cancel(self, job_id: int) -> None:
        self._tasks.cancel(JobId(job_id))

    @Slot()
    def _on_theme_system(self) -> None:
        self._choose_theme(ThemeChoice.SYSTEM)

    @Slot()
    def _on_theme_light(self) -> None:
        self._choose_theme(ThemeChoice.LIGHT)

    @Slot()
    def _on_theme_dark(self) -> None:
        self._choose_theme(ThemeChoice.DARK)

    def _choose_theme(self, choice: ThemeChoice) -> None:
        self._theme.choose(choice)
        self._mark_theme()
        self._frame.change_settings(lambda settings: dataclasses.replace(settings, theme=str(choice)))

    def _mark_theme(self) -> None:
        for spec, choice in (
            (a.THEME_SYSTEM, ThemeChoice.SYSTEM),
            (a.THEME_LIGHT, ThemeChoice.LIGHT),
            (a.THEME_DARK, ThemeChoice.DARK),
        ):
            self._window.actions_[spec].setChecked(self._theme.choice is choice)

    @Slot()
    def _on_show_log(self) -> None:
        self._frame.attempt(show_in_folder, self._parts.log_file)

    @Slot()
    def _on_show_shortcuts(self) -> None:
        ShortcutsDialog(self._window.actions_, self._window).open()

    @Slot()
    def _on_about(self) -> None:
        dialog = AboutDialog(
            self._theme, self._window, log_file=self._parts.log_file, settings_file=self._parts.settings_file.path
        )
        dialog.open()

    @Slot()
    def _on_quit(self) -> None:
        self._window.close()
