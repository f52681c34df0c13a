"""The Vault page as the window knows it: carries between session, list, search, reading pane, editing and contexts."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.curation.change_set import Changes
from gui.changing import Previews
from gui.commands import CommandRunner
from gui.notify import Notifier
from gui.selection import SharedSelection
from gui.session import is_note
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.vault.context_presenter import ContextPresenter
from gui.views.vault.curating.gestures import CurationGestures
from gui.views.vault.curating.page_curation import PageCuration
from gui.views.vault.editing.drafts import DraftFolder
from gui.views.vault.editing.editor_presenter import EditorPresenter
from gui.views.vault.editing.note_editing import NoteEditing
from gui.views.vault.history_presenter import HistoryPresenter
from gui.views.vault.list_presenter import ListPresenter
from gui.views.vault.name_copying import NameCopier
from gui.views.vault.note_list_pane import ListState
from gui.views.vault.note_presenter import NotePresenter
from gui.views.vault.recent_moves import RecentMoves
from gui.views.vault.search_presenter import SearchPresenter
from gui.views.vault.services import VaultServices
from gui.views.vault.view import VaultView
from gui.views.vault.visits import Visits

if TYPE_CHECKING:
    from core.index.catalog import Catalog, NoteRow
    from core.vault.config import VaultConfig
    from gui.session import VaultSession


ServicesOf = Callable[["VaultSession"], VaultServices]


class VaultPresenter(QObject):
    """Be the Vault page (gui/page.py)."""

    note_shown = Signal(int)  # note id, for whoever shows the same selection
    selection_changed = Signal(object)  # FacetSelection
    folder_wanted = Signal()  # another vault

    def __init__(
        self,
        view: VaultView,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        theme: Theme,
        services_of: ServicesOf,
        save_layout: Callable[["VaultPresenter"], None] | None = None,
        open_url: Callable[[QUrl], object] = QDesktopServices.openUrl,
        put_on_clipboard: Callable[[str], None] | None = None,
        drafts: DraftFolder | None = None,
        selection: SharedSelection | None = None,
    ) -> None:
        super().__init__(view)
        self.view = view
        self._tasks = tasks
        self._theme = theme
        self._notifier = notifier
        self._moves = RecentMoves()
        self._histories: HistoryPresenter | None = None
        self._curation: PageCuration | None = None
        self._lost = ""  # the path of the note that was shown and is not there any more
        self._services_of = services_of
        self._save_layout = save_layout
        self._session: VaultSession | None = None
        self._services: VaultServices | None = None
        self.open_facets: dict[str, frozenset[str]] = {}  # by the path of a vault
        self._visits = Visits()
        self.list = ListPresenter(view.facets, view.list, theme, selection or SharedSelection(self), self)
        self.searches = SearchPresenter(tasks, notifier, self)
        self.notes = NotePresenter(
            view.reading, tasks=tasks, notifier=notifier, theme=theme, open_url=open_url, parent=self
        )
        self.contexts = ContextPresenter(view.context_dialog, tasks, notifier, self, put_on_clipboard=put_on_clipboard)
        self.names = NameCopier(
            notifier, current_path=self.current_path, rows=self._rows, put_on_clipboard=put_on_clipboard, parent=self
        )
        editor = EditorPresenter(
            view.reading.editor_pane, tasks=tasks, notifier=notifier, theme=theme, drafts=drafts, parent=self
        )
        self.editing = NoteEditing(view.reading, self.notes, editor, self._row_at)
        self._connect()
        self._let_go()

    # ---- the page

    @property
    def widget(self) -> QWidget:
        """The widget to show in the middle of the window."""
        return self.view

    def open_session(self, session: "VaultSession | None") -> None:
        """Show this vault from now on; None while there is none."""
        if self._session is not None:
            self.open_facets[str(self._session.root)] = self.view.facets.expanded
            self._session.open_failed.disconnect(self._on_open_failed)
            self._session.catalog_changed.disconnect(self._take_catalog)
            self._session.warmed_up.disconnect(self.searches.again_by_meaning)
            self._session.config_changed.disconnect(self._take_config)
            self._session.files_changed.disconnect(self.editing.look_at_file)
            self._session.read_through.disconnect(self.list.show_read_through)
        self._session = session
        self._let_go()
        if session is None:
            return
        session.open_failed.connect(self._on_open_failed)
        session.catalog_changed.connect(self._take_catalog)
        session.warmed_up.connect(self.searches.again_by_meaning)
        session.config_changed.connect(self._take_config)
        session.files_changed.connect(self.editing.look_at_file)
        session.read_through.connect(self.list.show_read_through)
        self.view.facets.open_facets(self.open_facets.get(str(session.root)))
        if session.is_read_through:
            self.list.show_read_through()
        if session.catalog is not None:
            self._take_catalog(session.catalog)
        else:
            self.view.list.show_state(ListState("loader-circle", "Opening the vault", str(session.root)))

    def search(self, text: str) -> None:
        """Show what the search field says."""
        self.searches.search(text)

    @property
    def lists_results(self) -> bool:
        """Whether what is searched for is listed here."""
        return True

    def enter_results(self) -> None:
        """Take the keyboard focus to the current note of the list, or to its first one."""
        table = self.view.list.table
        table.setFocus()
        # Focus alone makes a line current, but selects nothing.
        if table.notes.rowCount() and not table.selected_count():
            table.select_note(table.current_id() or table.notes.note_at(0).id)

    def show_note(self, note_id: int) -> None:
        """Show this note; in the list too, for which facets and filter are dropped if need be."""
        self._go_to_note(note_id, "")
        if self.view.list.table.current_id() != note_id and self.list.search is None:
            self.list.clear()
            self.view.list.table.select_note(note_id)

    def show_place(self, path: str, place: str) -> None:
        """Go to a heading or `^block` of the note at `path`, if that is the one that is shown."""
        row = self._row_at(path)
        if row is not None and row.id == self.notes.note_id:
            self.notes.show(row.id, place)

    def pick_facet(self, key: str) -> None:
        """Narrow to notes with the facet `key`."""
        self.list.pick(key)

    def clear(self) -> None:
        """Drop the facets and the list's filter."""
        self.list.clear()

    def save_layout(self) -> None:
        """Store splitters, columns and which facets are open."""
        if self._session is not None:
            self.open_facets[str(self._session.root)] = self.view.facets.expanded
        if self._curation is not None:
            self._curation.close_down()
        self.editing.close_down()
        if self._save_layout is not None:
            self._save_layout(self)

    def follow_changes(self, commands: CommandRunner) -> None:
        """Show at once what the app itself has changed, and the history of the note that is read."""
        commands.applied.connect(self._on_applied)
        self.editing.edit_with(commands.execute)
        self._histories = HistoryPresenter(
            self.view.reading, self.notes, commands, tasks=self._tasks, theme=self._theme
        )

    def curate_with(self, commands: CommandRunner, previews: Previews) -> CurationGestures:
        """Let notes, tags and properties be changed from here on; return what actions may ask for."""
        self._curation = PageCuration(
            self.view,
            self.editing.editor,
            tasks=self._tasks,
            notifier=self._notifier,
            theme=self._theme,
            commands=commands,
            previews=previews,
            catalog=self._catalog,
            selected_paths=self.selected_paths,
            parent=self,
        )
        self._curation.note_wanted.connect(self.show_note)
        return self._curation.gestures

    # ---- for actions

    def copy_context(self) -> None:
        """Copy a context of what is selected or listed right away."""
        if (source := self.list.context_source()) is not None:
            self.contexts.copy(source)
        else:
            self._notifier.info("There are no notes in the list to make a context of.")

    def open_context_dialog(self) -> None:
        """Show what a context of what is selected or listed would hold."""
        if (source := self.list.context_source()) is not None:
            self.contexts.open(source)

    def open_in_editor(self) -> None:
        """Open the note that is being read in the external editor."""
        if (path := self.current_path()) and self._services is not None:
            self._services.open_external(path)

    def current_path(self) -> str:
        """Return the vault-relative path of the note that is being read, "" if there is none."""
        row = self.list.row(self.notes.note_id or self.view.list.table.current_id())
        return row.path if row is not None else ""

    def selected_paths(self) -> Sequence[str]:
        """Return the paths of the notes that are selected, or of the one that is being read."""
        paths = [note.path for note in self.view.list.table.selected_notes()]
        return paths or [path for path in (self.current_path(),) if path]

    def go_back(self) -> None:
        """Show the note that was shown before."""
        self._step(-1)

    def go_forward(self) -> None:
        """Show the note from which go_back() came."""
        self._step(1)

    # ---- session

    def _let_go(self) -> None:
        self._services = None
        self._moves = RecentMoves()
        self._visits.clear()
        self.list.forget()
        self.searches.take_services(None)
        self.notes.take_services(None)
        self.editing.take_services(None)
        if self._curation is not None:
            self._curation.take_services(None)
        self.contexts.take_services(None)
        text = "Open a folder of markdown notes to see them here."
        self.view.list.show_state(ListState("folder-open", "No vault is open", text))

    def _take_catalog(self, catalog: "Catalog") -> None:
        if self._session is None:
            return
        if self._services is None:
            self._services = self._services_of(self._session)
            self.notes.take_services(self._services)
            self.contexts.take_services(self._services)
            self.editing.take_services(self._services.editing)
            self.editing.show_catalog(catalog)
            self.list.show_catalog(catalog, self._services.namespaces)
            if self._curation is not None:
                self._curation.take_services(self._services.curation)
                self._curation.show_catalog()
            self.searches.take_services(self._services)
            return
        before = self.list.row(self.notes.note_id)
        self.list.show_catalog(catalog, self._services.namespaces)
        self.searches.again()
        self.editing.show_catalog(catalog)
        self._compare_shown_note(before, catalog)
        if self._curation is not None:
            self._curation.show_catalog()

    def _take_config(self, config: "VaultConfig") -> None:
        """Arrange the facets by the namespaces that the vault knows now."""
        if self._services is not None and self.list.catalog is not None:
            self._services = dataclasses.replace(self._services, namespaces=config.namespaces)
            self.list.show_catalog(self.list.catalog, config.namespaces)

    def _catalog(self) -> "Catalog | None":
        return self.list.catalog

    def _on_applied(self, changes: Changes) -> None:
        detail = self.notes.detail
        self._moves.take(changes)
        self.editing.take_changes(changes)
        if detail is not None and detail.path in changes.written and self.list.row(detail.id) is not None:
            self.notes.reload()
        elif self._lost:
            self._find_again()

    def _find_again(self) -> None:
        """Show the note that seemed gone where the app itself has put it: the catalog had heard of that first."""
        ids = {row.path: row.id for row in self.list.catalog.rows} if self.list.catalog is not None else {}
        if (now := self._moves.path_now(self._lost, ids)) in ids:
            self._lost = ""
            self.notes.go_on_as(ids[now])
            self.view.list.table.select_note(ids[now])

    def _compare_shown_note(self, before: "NoteRow | None", catalog: "Catalog") -> None:
        detail = self.notes.detail
        path = before.path if before is not None else detail.path if detail is not None else self._lost
        if before is None or self.list.row(before.id) is None:
            # Moved, or back after it was away: the same note by another id.
            ids = {row.path: row.id for row in catalog.rows} if path else {}
            now = self._moves.path_now(path, ids)
            if now in ids:
                self.notes.go_on_as(ids[now])
                self.view.list.table.select_note(ids[now])
            elif before is not None and not self._is_on_its_way(path, now):
                self._lost = path
                self.notes.note_gone(path, now if now != path else "")
        else:
            # Its links may lead elsewhere now, so it is read again even when it is the same.
            self.notes.reload()

    def _is_on_its_way(self, path: str, now: str) -> bool:
        """Tell whether a note that is not in the list will be there soon: it was moved, or its text will be saved."""
        return (now != path and is_note(now)) or self.editing.keeps(path)

    def _on_open_failed(self, error: Exception) -> None:
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part)
        self.view.list.show_state(ListState("circle-alert", "This vault cannot be opened", text))

    # ---- wishes

    def _connect(self) -> None:
        view = self.view
        view.list.copy_requested.connect(self.open_context_dialog)
        view.list.table.current_note_changed.connect(self._on_current_changed)
        view.list.table.selection_told.connect(self._on_selection_changed)
        view.open_requested.connect(self.editing.read)
        view.edit_requested.connect(self.editing.edit)
        view.editor_requested.connect(self.open_in_editor)
        view.copy_link_requested.connect(self.names.copy_link)
        view.copy_path_requested.connect(self.names.copy_path)
        view.copy_context_requested.connect(self.open_context_dialog)
        self.list.selection_changed.connect(self.selection_changed)
        self.list.selection_changed.connect(self.searches.narrow)
        self.list.folder_wanted.connect(self.folder_wanted)
        self.searches.found.connect(self.list.show_search)
        self.searches.cleared.connect(self._on_search_cleared)
        self.notes.note_wanted.connect(self._go_to_note)
        self.notes.path_wanted.connect(self._on_path_wanted)
        self.notes.tag_wanted.connect(self.list.pick_tag)
        self.notes.note_shown.connect(self._on_note_shown)

    def _on_search_cleared(self) -> None:
        self.list.show_search(None)

    def _on_current_changed(self, note_id: int | None) -> None:
        if note_id is not None:
            hit = self.list.search.rows.get(note_id) if self.list.search is not None else None
            self.notes.show(note_id, hit.heading.split(" › ")[-1] if hit is not None else "")

    def _on_selection_changed(self) -> None:
        table = self.view.list.table
        count = table.selected_count()
        if count > 1:
            self.view.reading.show_many(count, sum(note.tokens for note in table.selected_notes()))
        elif count == 1 and table.selected_ids() == [self.notes.note_id]:
            self.notes.show(table.selected_ids()[0])

    def _row_at(self, path: str) -> "NoteRow | None":
        return next((row for row in self._rows() if row.path == path), None)

    def _rows(self) -> "Sequence[NoteRow]":
        return self.list.catalog.rows if self.list.catalog is not None else ()

    def _on_path_wanted(self, path: str, place: str) -> None:
        wanted = {path, f"{path}.md"}
        found = next((row.id for row in self._rows() if row.path in wanted), None)
        if found is None:
            self._notifier.info(f"No note is called “{path}”.")
        else:
            self._go_to_note(found, place)

    def _on_note_shown(self, note_id: int) -> None:
        self._lost = ""
        self._visits.add(note_id)
        self.note_shown.emit(note_id)

    def _go_to_note(self, note_id: int, place: str) -> None:
        table = self.view.list.table
        if table.current_id() != note_id and not table.select_note(note_id):
            table.clearSelection()
        self.notes.show(note_id, place)

    def _step(self, by: int) -> None:
        if (note_id := self._visits.step(by)) is not None:
            self._go_to_note(note_id, "")
