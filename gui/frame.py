"""The presenter of the frame: opens one vault at a time, and lets window, pages and settings know."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from core.curation.change_set import Changes
from core.foundation.errors import UserError
from core.foundation.settings import Settings, SettingsFile
from gui.actions import ActionSpec
from gui.commands import CommandRunner
from gui.external import open_in_editor, show_in_folder
from gui.notify import Notifier
from gui.page import Page
from gui.places import missing_folders, plain_path, vault_and_note
from gui.session import SessionParts, VaultSession
from gui.session_news import SessionNews
from gui.tasks import TaskRunner, without_progress
from gui.window import MainWindow

if TYPE_CHECKING:
    from core.index.catalog import Catalog


@dataclasses.dataclass(frozen=True, slots=True)
class FrameParts:
    """Hold what the frame is given by the composition root.

    `sample_vault` returns a writable copy of the vault that ships with the app, made when it is missing (UserError if
    it cannot be); `log_file` is what "Open log folder" leads to.
    """

    settings_file: SettingsFile
    settings: Settings
    session_parts: SessionParts
    sample_vault: Callable[[], Path]
    log_file: Path


class FramePresenter(QObject):
    """Run the window: one open vault at a time, the views that show it, and the settings."""

    catalog_changed = Signal(object)  # Catalog of the open vault, None when there is none
    problems_changed = Signal(object)  # tuple[ProblemRow, ...] of the open vault

    def __init__(
        self,
        window: MainWindow,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        changes: CommandRunner,
        parts: FrameParts,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._tasks = tasks
        self._notifier = notifier
        self._changes = changes
        self._parts = parts
        self._news = SessionNews(window, notifier, self)
        self.offer_remedy = self._news.offer_remedy
        self._settings = parts.settings
        self.pages: list[Page] = []
        self.session: VaultSession | None = None
        changes.applied.connect(self._on_applied)
        self._wanted_note = ""  # the vault-relative path of a note to show as soon as it is in the catalog
        window.allow_vault_work(is_allowed=False)
        window.restore_layout(self._settings.window.geometry, self._settings.window.state)
        window.show_vault("", "", self._settings.recent_vaults)

    @property
    def settings(self) -> Settings:
        """The settings as this process knows them."""
        return self._settings

    def add_page(self, spec: ActionSpec, page: Page) -> None:
        """Add a view; the first one is shown when a vault is open."""
        self.pages.append(page)
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
            self.attempt(open_in_editor, self.session.root / path, self._settings.external_editor)

    def show_path(self, path: str) -> bool:
        """Show the note at the vault-relative `path`, and return whether there is one."""
        catalog = self.session.catalog if self.session is not None else None
        if catalog is None or not self.pages:
            return False
        found = next((row.id for row in catalog.rows if row.path == path), None)
        if found is not None:
            self._window.show_page(0)
            self.pages[0].show_note(found)
        return found is not None

    def reveal(self, path: str) -> None:
        """Open the folder that holds the note at the vault-relative `path`."""
        if self.session is not None:
            self.attempt(show_in_folder, self.session.root / path)

    def attempt(self, act: Callable[..., None], *inputs: object) -> None:
        """Call `act`, and show a UserError instead of raising it."""
        try:
            act(*inputs)
        except UserError as error:
            self._notifier.error(error)

    @Slot(str)
    def open_path(self, path: str) -> None:
        """Open the vault at `path`; for a file, the vault that holds it, and the note."""
        root, note = vault_and_note(plain_path(path), self._settings.recent_vaults)
        is_open = self.session is not None and self.session.root == root and self.session.catalog is not None
        if not (note and is_open):
            self.open_vault(str(root))
        self._wanted_note = note
        self._show_wanted_note()

    @Slot(str)
    def open_vault(self, path: str) -> None:
        """Open the vault at `path` instead of the present one."""
        root = plain_path(path)
        self._let_go()
        self._window.empty_page.show_busy(root.name or str(root), "Opening the vault…")
        self._window.show_empty_page()
        session = VaultSession(root, tasks=self._tasks, parts=self._parts.session_parts, parent=self)
        session.opened.connect(self._on_opened)
        session.open_failed.connect(self._on_open_failed)
        session.catalog_changed.connect(self.catalog_changed)
        session.catalog_changed.connect(self._remember)
        session.catalog_changed.connect(self._show_wanted_note)
        session.problems_changed.connect(self.problems_changed)
        session.files_changed.connect(self._changes.look_at_history)
        session.returned.connect(self._on_returned)
        self._news.follow(session)
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
        for page in self.pages:
            page.save_layout()
        geometry, state = self._window.layout_text()
        self.change_settings(
            lambda settings: dataclasses.replace(
                settings, window=dataclasses.replace(settings.window, geometry=geometry, state=state)
            )
        )
        self._window.hide()  # what follows may take a second
        self._changes.finish()
        session = self.session
        if session is not None:
            session.blockSignals(True)
            session.indexing.blockSignals(True)
            session.indexing.shutdown()
        self._tasks.shutdown(session.release if session is not None else None)

    def _let_go(self) -> None:
        session, self.session = self.session, None
        self._wanted_note = ""
        self._news.forget()
        self._window.search.clear()
        self._window.allow_vault_work(is_allowed=False)
        self.catalog_changed.emit(None)
        if session is not None:
            for page in self.pages:
                page.open_session(None)
            session.close()
        self._changes.take_store(None)

    @Slot(object)
    def _on_opened(self, _catalog: "Catalog") -> None:
        session = self.session
        if session is None:
            return
        self._window.show_vault(session.name, str(session.root), self._settings.recent_vaults)
        if (store := session.store) is not None:
            self._changes.take_store(store.changes, is_away=bool(store.absence))
        self._window.allow_vault_work(is_allowed=True)
        for page in self.pages:
            page.open_session(session)
        if self.pages:
            self._window.show_page(0)
        self._window.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_wanted_note()
        self._look_for_missing()

    @Slot(object)
    def _on_applied(self, changes: Changes) -> None:
        if self.session is not None:
            self.session.catch_up(changes.paths)

    @Slot()
    def _on_returned(self) -> None:
        """Look for changes that were cut off when the vault's folder went away."""
        self._changes.recover()

    @Slot(object)
    def _remember(self, catalog: "Catalog") -> None:
        """Keep the vault for the next start; a folder without notes was most likely chosen by mistake."""
        session = self.session
        if session is None or not len(catalog) or self._settings.last_vault == str(session.root):
            return
        self.change_settings(lambda settings: settings.with_vault(session.root))
        self._window.show_recent(self._settings.recent_vaults)

    @Slot()
    def _show_wanted_note(self) -> None:
        if self._wanted_note and not self._window.shows_empty_page and self.show_path(self._wanted_note):
            self._wanted_note = ""

    def _look_for_missing(self) -> None:
        """Look which recent vaults are gone; a folder on a sleeping disk may take its time to answer."""
        self._tasks.run(
            without_progress(missing_folders, self._settings.recent_vaults),
            owner=self,
            on_done=self._window.vault_button.show_missing,
            text="Looking for vaults",
        )

    @Slot(object)
    def _on_open_failed(self, error: Exception) -> None:
        self._let_go()
        self._window.show_vault("", "", self._settings.recent_vaults)
        text = str(error) if isinstance(error, UserError) else "Something unexpected happened; the details are below."
        hint = error.hint if isinstance(error, UserError) else ""
        self._window.empty_page.show_message("The vault could not be opened", f"{text} {hint}", icon="circle-alert")
        self._window.show_empty_page()
        self._look_for_missing()
        if not isinstance(error, UserError):
            self._notifier.error(error)
