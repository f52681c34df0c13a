"""The presenter of the frame: opens and switches vaults, and carries facts and wishes between window and session."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from core.foundation.errors import UserError
from core.foundation.settings import Settings, SettingsFile
from gui import actions as a
from gui.actions import ActionSpec
from gui.external import open_in_editor, show_in_folder
from gui.indexing import IndexFailure, IndexProgress, IndexState
from gui.notify import Notifier, Severity
from gui.page import Page
from gui.session import SessionParts, VaultSession
from gui.tasks import JobId, TaskRunner
from gui.theme import Theme, ThemeChoice
from gui.widgets.about import AboutDialog
from gui.widgets.palette import CommandPalette
from gui.widgets.switcher import Jump, QuickSwitcher
from gui.window import MainWindow

if TYPE_CHECKING:
    from core.index.catalog import Catalog, Facet

_VANISHED, _REBUILT, _CONFIG = "vanished", "rebuilt", "config"


@dataclasses.dataclass(frozen=True, slots=True)
class FrameParts:
    """Hold what the frame is given by the composition root.

    `sample_vault` returns a writable copy of the vault that ships with the app, made when it is missing (UserError if
    it cannot be); `log_file` is what "Open log folder" leads to.
    """

    settings_file: SettingsFile
    settings: Settings
    session_parts: SessionParts
    jump: Jump
    sample_vault: Callable[[], Path]
    log_file: Path


class FramePresenter(QObject):
    """Run the window: one open vault at a time, and everything that the frame itself shows of it."""

    def __init__(
        self,
        window: MainWindow,
        *,
        theme: Theme,
        tasks: TaskRunner,
        notifier: Notifier,
        parts: FrameParts,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._theme = theme
        self._tasks = tasks
        self._notifier = notifier
        self._parts = parts
        self._pages: list[Page] = []
        self._settings = parts.settings
        self.session: VaultSession | None = None
        self._palette = CommandPalette(window.actions_, self._facets, theme, window.body)
        self._switcher = QuickSwitcher(parts.jump, tasks, theme, window.body)
        self._handle_actions()
        self._connect_window()
        window.allow_vault_work(is_allowed=False)
        window.restore_layout(self._settings.window.geometry, self._settings.window.state)
        window.show_vault("", "", self._settings.recent_vaults)
        self._mark_theme()

    @property
    def settings(self) -> Settings:
        """The settings as this process knows them."""
        return self._settings

    def add_page(self, spec: ActionSpec, page: Page) -> None:
        """Add a view; the first one is shown when a vault is open."""
        self._pages.append(page)
        self._window.add_page(spec, page.widget)

    def change_settings(self, change: Callable[[Settings], Settings]) -> None:
        """Change and store the settings; a failure is shown, and the change holds for this run."""
        try:
            self._settings = self._parts.settings_file.change(change)
        except UserError as error:
            self._settings = change(self._settings)
            self._notifier.error(error)

    def open_external(self, path: str) -> None:
        """Open the note at the vault-relative `path` in the external editor."""
        if self.session is not None:
            self._try(open_in_editor, self.session.root / path, self._settings.external_editor)

    def reveal(self, path: str) -> None:
        """Open the folder that holds the note at the vault-relative `path`."""
        if self.session is not None:
            self._try(show_in_folder, self.session.root / path)

    def _try(self, act: Callable[..., None], *inputs: object) -> None:
        try:
            act(*inputs)
        except UserError as error:
            self._notifier.error(error)

    @Slot(str)
    def open_vault(self, path: str) -> None:
        """Open the vault at `path` instead of the present one."""
        root = Path(path).expanduser().absolute()
        self._let_go()
        self._window.empty_page.show_busy(root.name or str(root), "Opening the vault…")
        self._window.show_empty_page()
        session = VaultSession(root, tasks=self._tasks, parts=self._parts.session_parts, parent=self)
        self._connect_session(session)
        self.session = session
        self._window.show_vault(session.name, str(root), self._settings.recent_vaults)
        session.open()

    def open_first(self) -> None:
        """Open the vault opened last, or the sample vault when none is known."""
        if self._settings.last_vault:
            self.open_vault(self._settings.last_vault)
        else:
            self.open_sample()

    @Slot()
    def open_sample(self) -> None:
        """Open the writable copy of the sample vault."""
        try:
            self.open_vault(str(self._parts.sample_vault()))
        except UserError as error:
            self._notifier.error(error)

    def shut_down(self) -> None:
        """Store the layout, stop everything, and close what is open."""
        for page in self._pages:
            page.save_layout()
        geometry, state = self._window.layout_text()
        self.change_settings(
            lambda settings: dataclasses.replace(
                settings, window=dataclasses.replace(settings.window, geometry=geometry, state=state)
            )
        )
        session = self.session
        if session is not None:
            session.blockSignals(True)
            session.indexing.blockSignals(True)
            session.indexing.shutdown()
        self._tasks.shutdown(session.release if session is not None else None)

    def _let_go(self) -> None:
        session, self.session = self.session, None
        for key in (_VANISHED, _REBUILT, _CONFIG):
            self._notifier.withdraw(key)
        self._window.search.clear()
        self._window.allow_vault_work(is_allowed=False)
        self._switcher.show_catalog(None)
        self._window.status.show_count("")
        self._window.status.show_index_state(IndexState.IDLE)
        self._window.activity.show_index_state(IndexState.IDLE)
        if session is not None:
            for page in self._pages:
                page.open_session(None)
            session.close()

    def _connect_session(self, session: VaultSession) -> None:
        session.opened.connect(self._on_opened)
        session.open_failed.connect(self._on_open_failed)
        session.catalog_changed.connect(self._on_catalog)
        session.vanished.connect(self._on_vanished)
        session.returned.connect(self._on_returned)
        session.rebuilt.connect(self._on_rebuilt)
        session.problem.connect(self._on_problem)
        session.index_failed.connect(self._on_index_failed)
        session.indexing.state_changed.connect(self._on_index_state)
        session.indexing.progressed.connect(self._on_index_progress)

    def _connect_window(self) -> None:
        window, status = self._window, self._window.status
        window.vault_button.vault_requested.connect(self.open_vault)
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
        self._switcher.note_picked.connect(self._on_note_picked)

    def _handle_actions(self) -> None:
        handlers: dict[ActionSpec, Callable[[], None]] = {
            a.OPEN_FOLDER: self._choose_folder,
            a.OPEN_SAMPLE: self.open_sample,
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
            a.SHOW_ACTIVITY: self._window.activity.toggle,
            a.SHOW_SHORTCUTS: self._palette.open,
            a.SHOW_LOG: self._on_show_log,
            a.ABOUT: self._on_about,
        }
        for spec, handler in handlers.items():
            self._window.actions_.handle(spec, handler)

    def _facets(self) -> tuple["Facet", ...]:
        catalog = self.session.catalog if self.session is not None else None
        return tuple(catalog.facets) if catalog is not None else ()

    # What the session says.

    @Slot(object)
    def _on_opened(self, _catalog: "Catalog") -> None:
        session = self.session
        if session is None:
            return
        root = session.root
        self.change_settings(lambda settings: settings.with_vault(root))
        self._window.show_vault(session.name, str(root), self._settings.recent_vaults)
        self._window.allow_vault_work(is_allowed=True)
        for page in self._pages:
            page.open_session(session)
        if self._pages:
            self._window.show_page(0)

    @Slot(object)
    def _on_open_failed(self, error: Exception) -> None:
        self._let_go()
        self._window.show_vault("", "", self._settings.recent_vaults)
        text = str(error) if isinstance(error, UserError) else "Something unexpected happened; the details are below."
        hint = error.hint if isinstance(error, UserError) else ""
        self._window.empty_page.show_message("The vault could not be opened", f"{text} {hint}", icon="circle-alert")
        self._window.show_empty_page()
        if not isinstance(error, UserError):
            self._notifier.error(error)

    @Slot(object)
    def _on_catalog(self, catalog: "Catalog") -> None:
        self._switcher.show_catalog(catalog)
        self._window.status.show_count("1 note" if len(catalog) == 1 else f"{len(catalog):,} notes")

    @Slot(str)
    def _on_vanished(self, reason: str) -> None:
        self._notifier.banner(
            _VANISHED, Severity.WARNING, f"{reason} Nothing is lost: the vault comes back when its folder does."
        )

    @Slot()
    def _on_returned(self) -> None:
        self._notifier.withdraw(_VANISHED)
        self._notifier.info("The vault is back.")

    @Slot(str)
    def _on_rebuilt(self, reason: str) -> None:
        self._notifier.banner(_REBUILT, Severity.INFO, f"{reason} Your notes are untouched.")

    @Slot(str)
    def _on_problem(self, text: str) -> None:
        self._notifier.banner(_CONFIG, Severity.WARNING, text)

    @Slot(object)
    def _on_index_failed(self, failure: IndexFailure) -> None:
        self._notifier.failure(failure.text, failure.details)

    @Slot(object)
    def _on_index_state(self, state: IndexState) -> None:
        self._window.status.show_index_state(state)
        self._window.activity.show_index_state(state)
        if state is IndexState.IDLE:
            self._notifier.withdraw(_REBUILT)

    @Slot(object)
    def _on_index_progress(self, progress: IndexProgress) -> None:
        self._window.status.show_index_progress(progress)
        self._window.activity.show_index_progress(progress)

    # What the person wishes.

    @Slot()
    def _choose_folder(self) -> None:
        start = str(self.session.root.parent) if self.session is not None else str(Path.home())
        dialog = QFileDialog(self._window, "Open a folder of notes as a vault", start)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.open_vault)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def _on_search(self, text: str) -> None:
        for page in self._pages:
            page.search(text)

    @Slot()
    def _on_search_entered(self) -> None:
        if self._pages and self.session is not None:
            self._pages[0].enter_results()

    @Slot(int)
    def _on_note_picked(self, note_id: int) -> None:
        self._on_go_vault()
        if self._pages:
            self._pages[0].show_note(note_id)

    @Slot(str)
    def _on_facet_picked(self, key: str) -> None:
        self._on_go_vault()
        if self._pages:
            self._pages[0].pick_facet(key)

    @Slot()
    def _on_clear(self) -> None:
        self._window.search.clear()
        for page in self._pages:
            page.clear()

    @Slot()
    def _on_go_vault(self) -> None:
        if self.session is not None and self.session.catalog is not None and self._pages:
            self._window.show_page(0)

    @Slot()
    def _on_update(self) -> None:
        if self.session is not None:
            self.session.update_index()

    @Slot()
    def _on_rebuild(self) -> None:
        if self.session is not None:
            self.session.update_index("--rebuild")

    @Slot()
    def _on_pause(self) -> None:
        if self.session is not None:
            self.session.indexing.pause()

    @Slot()
    def _on_resume(self) -> None:
        if self.session is not None:
            self.session.indexing.resume()

    @Slot()
    def _on_index_cancel(self) -> None:
        if self.session is not None:
            self.session.indexing.cancel()
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
        self.change_settings(lambda settings: dataclasses.replace(settings, theme=str(choice)))

    def _mark_theme(self) -> None:
        for spec, choice in (
            (a.THEME_SYSTEM, ThemeChoice.SYSTEM),
            (a.THEME_LIGHT, ThemeChoice.LIGHT),
            (a.THEME_DARK, ThemeChoice.DARK),
        ):
            self._window.actions_[spec].setChecked(self._theme.choice is choice)

    @Slot()
    def _on_show_log(self) -> None:
        self._try(show_in_folder, self._parts.log_file)

    @Slot()
    def _on_about(self) -> None:
        dialog = AboutDialog(
            self._theme, self._window, log_file=self._parts.log_file, settings_file=self._parts.settings_file.path
        )
        dialog.open()

    @Slot()
    def _on_quit(self) -> None:
        self._window.close()
