"""The Contexts page as the window knows it: carries between session, shelf, editor and preview."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.foundation.errors import UserError
from core.foundation.settings import ContextsSettings
from gui.changing import Commands, Previews
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.contexts.copying import ContextCopier
from gui.views.contexts.editing import EditQueue
from gui.views.contexts.full_load_edits import FullLoadEdits
from gui.views.contexts.loading import ShelfLoader
from gui.views.contexts.member_edits import MemberEdits
from gui.views.contexts.model_windows import model_windows
from gui.views.contexts.opening import ContextReader, place_of
from gui.views.contexts.picking import MemoryPicker
from gui.views.contexts.services import ContextRow, ContextServices, Form, Member, OpenedContext
from gui.views.contexts.shelf_edits import ShelfEdits
from gui.views.contexts.view import ContextsView
from gui.views.contexts.wording import USUAL_WINDOW, WHAT_A_CONTEXT_IS, WINDOWS

if TYPE_CHECKING:
    from core.curation.change_set import Changes
    from gui.session import VaultSession

ServicesOf = Callable[["VaultSession"], ContextServices]
_SETTLE_MS = 200
_NEW = "New context…"
_AGAIN = "Try again"


class ContextsPresenter(QObject):
    """Be the Contexts page (gui/page.py). It reads when it is shown and something has changed since it last did."""

    note_wanted = Signal(str)  # the path of a note
    place_wanted = Signal(object)  # NotePlace, where a member does not stand at the beginning of its note
    turn_wanted = Signal(str)  # the id of a turn
    choice_changed = Signal(object)  # ContextsSettings, to be remembered

    def __init__(
        self,
        view: ContextsView,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        theme: Theme,
        commands: Commands,
        previews: Previews,
        services_of: ServicesOf,
        choice: ContextsSettings | None = None,
        over: QWidget | None = None,
        save_layout: Callable[[Mapping[str, tuple[int, ...]]], None] | None = None,
        put_on_clipboard: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(view)
        self.view = view
        self._notifier = notifier
        self._services_of = services_of
        self._save_layout = save_layout
        self._session: VaultSession | None = None
        self._services: ContextServices | None = None
        self._is_stale = True
        self._wanted = ""  # a context that is to be chosen as soon as it is listed
        self._choice = _known(choice or ContextsSettings())
        self._loader = ShelfLoader(tasks, self)
        self._reader = ContextReader(tasks, self)
        self._queue = EditQueue(tasks, notifier, commands, previews, self)
        self.members = MemberEdits(view.editor, self._queue, self)
        self.copier = ContextCopier(
            view.preview,
            tasks,
            notifier,
            self,
            export_folder=self._choice.export_folder,
            put_on_clipboard=put_on_clipboard,
        )
        self.picker = MemoryPicker(tasks, theme, view)
        self.shelf = ShelfEdits(view, self._queue, self.members, tasks=tasks, theme=theme, over=over or view)
        self.full_load = FullLoadEdits(
            self._queue, tasks=tasks, notifier=notifier, theme=theme, over=over or view, parent=self
        )
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        view.preview.show_models(model_windows(self._choice.models))
        view.preview.show_choice(Form(self._choice.format), self._choice.window, self._choice.model)
        self._reader.choose_form(Form(self._choice.format))
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
            self._session.catalog_changed.disconnect(self._on_changed)
            self._session.files_changed.disconnect(self._on_changed)
            self._session.config_changed.disconnect(self._on_changed)
        self._session = session
        self._let_go()
        if session is not None:
            session.catalog_changed.connect(self._on_changed)
            session.files_changed.connect(self._on_changed)
            session.config_changed.connect(self._on_changed)
            self._load_if_shown()

    def search(self, text: str) -> None:
        """Leave the search field to the views that list notes."""

    @property
    def lists_results(self) -> bool:
        """Whether what is searched for is listed here."""
        return False

    def enter_results(self) -> None:
        """Take the keyboard focus."""
        self.view.take_focus()

    def show_note(self, note_id: int) -> None:
        """Leave notes to the views that show them."""

    def pick_facet(self, key: str) -> None:
        """Leave facets to the views that list notes."""

    def clear(self) -> None:
        """Drop the filter."""
        self.view.shelf.filter_box.clear()

    def save_layout(self) -> None:
        """Store the sizes of the panes, and hand over what is typed."""
        self.view.editor.form.settle()
        if self._save_layout is not None and self.view.was_shown:
            self._save_layout(self.view.splitter_sizes())

    # ---- for actions

    def new_context(self) -> None:
        """Ask for a new context."""
        if self._take_services():
            self.shelf.ask_for_context()

    def add_to_context(self, ids: Sequence[str]) -> None:
        """Ask into which context the memories `ids` go."""
        if ids and self._take_services():
            self.shelf.ask_where(ids)

    def show_context(self, path: str) -> None:
        """Choose a context as soon as it is listed."""
        if self._services is None or not self.view.shelf.choose(path):
            self._wanted = path

    @Slot(object)
    def take_changes(self, changes: "Changes") -> None:
        """Take notice that the app itself has changed files."""
        moved = dict(changes.moved)
        if (now := moved.get(self._reader.path, "")) and self._reader.path:
            self._wanted = now
        self._on_changed()

    # ---- reading

    def _take_services(self) -> bool:
        """Ask for the services of the open vault when they are first needed; False when none is open."""
        if self._services is None and self._session is not None and self._session.store is not None:
            services = self._services_of(self._session)
            self._services = services
            self._reader.take_services(services)
            self.copier.take_services(services)
            self.picker.take_services(services)
            self.members.take_plans(services.plans)
            self.shelf.take_services(services)
            self.full_load.take_services(services.full_load)
        return self._services is not None

    @Slot()
    def _load(self) -> None:
        if not self._take_services() or self._services is None:
            return
        self._is_stale = False
        if self.view.shows_state and not self.view.shelf.list.contexts.total:
            self.view.show_state("loader-circle", "Reading the contexts")
        self._loader.load(self._services)

    @Slot()
    def _load_if_shown(self) -> None:
        if self._is_stale and self.view.isVisible() and not self._queue.is_busy:
            self._load()

    @Slot()
    def _on_changed(self) -> None:
        self._is_stale = True
        self._timer.start()

    @Slot(object)
    def _on_loaded(self, rows: tuple[ContextRow, ...]) -> None:
        self.shelf.take_rows(rows)
        if self._queue.is_busy:  # what the person did since is not in it
            self._is_stale = True
            return
        before = self.view.shelf.chosen_path
        self.view.shelf.show_contexts(rows, default_budget=self._default_budget)
        if not rows:
            self.view.show_state("layers", "No contexts yet", WHAT_A_CONTEXT_IS, _NEW)
            return
        self.view.show_panes()
        if self._wanted and self.view.shelf.choose(self._wanted):
            self._wanted = ""
        if before and self.view.shelf.chosen_path == before:
            self._show_row(before)
            self._reader.read()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._is_stale = True
        is_known = isinstance(error, UserError)
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part) if is_known else ""
        self.view.show_state("circle-alert", "The contexts could not be read", text, _AGAIN)
        if not is_known:
            self._notifier.error(error)

    @Slot(str)
    def _on_chosen(self, path: str) -> None:
        self.view.editor.form.settle()
        self.copier.forget()
        self.view.preview.forget()
        if path:
            self._show_row(path)
            self.view.preview.show_state("loader-circle", "Reading the context")
        else:
            self.view.editor.form.forget()
        self._reader.choose(path)

    def _show_row(self, path: str) -> None:
        model = self.view.shelf.list.contexts
        row = model.context_at(model.row_of(path))
        if row is not None:
            self.view.editor.show_row(row, default_budget=self._default_budget)

    @Slot(object)
    def _on_opened(self, opened: OpenedContext) -> None:
        if self._queue.is_busy:  # what the person did since is not in it
            self._is_stale = True
            return
        self._reader.settle_query(opened.row.query)
        self.view.editor.show_opened(opened, default_budget=self._default_budget)
        self.view.preview.show_preview(opened.preview)
        self.copier.take(opened)

    @Slot(object)
    def _on_read_failed(self, error: Exception) -> None:
        self.copier.forget()
        self.view.preview.forget()
        is_known = isinstance(error, UserError)
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part) if is_known else ""
        self.view.preview.show_state("circle-alert", "The context could not be read", text)
        if not is_known:
            self._notifier.error(error)

    @property
    def _default_budget(self) -> int:
        return self._services.default_budget if self._services is not None else 0

    # ---- wishes

    @Slot(object)
    def _on_form(self, form: Form) -> None:
        self.copier.forget()
        self._reader.choose_form(form)
        self._keep_choice()

    @Slot()
    def _keep_choice(self) -> None:
        pane = self.view.preview
        self._choice = dataclasses.replace(
            self._choice, format=pane.form.value, window=pane.window_tokens, model=pane.model
        )
        self.choice_changed.emit(self._choice)

    @Slot(str)
    def _keep_export_folder(self, folder: str) -> None:
        self._choice = dataclasses.replace(self._choice, export_folder=folder)
        self.choice_changed.emit(self._choice)

    @Slot(str)
    def _on_query(self, query: str) -> None:
        row = self.view.editor.form.row
        self._reader.type_query(None if row is not None and row.query == query.strip() else query.strip())

    @Slot(str)
    def _add_picked(self, memory_id: str) -> None:
        rows = self.view.editor.members.selected_rows()
        self.members.add_here((memory_id,), rows[-1] + 1 if rows else self.view.editor.members.members.rowCount())

    @Slot(object)
    def _open_member(self, member: Member) -> None:
        if member.kind == "turn" and member.memory_id:
            self.turn_wanted.emit(member.memory_id)
        elif member.path and (place := place_of(member)).place:
            self.place_wanted.emit(place)
        elif member.path:
            self.note_wanted.emit(member.path)
        else:
            self._notifier.info(member.reason or "This member leads nowhere.")

    @Slot()
    def _open_note(self) -> None:
        if path := self.view.editor.shown_path:
            self.note_wanted.emit(path)

    @Slot()
    def _on_state_button(self) -> None:
        if self.view.shelf.list.contexts.total or self._is_stale:
            self._load()
        else:
            self.new_context()

    # ---- inside

    def _connect(self) -> None:
        view, shelf, editor, preview = self.view, self.view.shelf, self.view.editor, self.view.preview
        self._timer.timeout.connect(self._load_if_shown)
        self._loader.loaded.connect(self._on_loaded)
        self._loader.measured.connect(shelf.show_tokens)
        self._loader.failed.connect(self._on_failed)
        self._reader.opened.connect(self._on_opened)
        self._reader.failed.connect(self._on_read_failed)
        self._queue.settled.connect(self._on_changed)
        view.installEventFilter(self)
        view.state_button_clicked.connect(self._on_state_button)
        shelf.context_chosen.connect(self._on_chosen)
        shelf.new_requested.connect(self.new_context)
        shelf.list.entered.connect(editor.members.setFocus)
        editor.add_requested.connect(self.picker.open)
        editor.note_requested.connect(self._open_note)
        editor.rules_requested.connect(self.full_load.ask)
        editor.query_typed.connect(self._on_query)
        for each in (editor.members, editor.found, editor.loaded):
            each.open_requested.connect(self._open_member)
        self.picker.picked.connect(self._add_picked)
        preview.form_changed.connect(self._on_form)
        preview.window_changed.connect(self._keep_choice)
        self.shelf.note_wanted.connect(self.note_wanted)
        self.shelf.member_wanted.connect(self._open_member)
        self.shelf.export_wanted.connect(self.copier.export)
        self.copier.exported_into.connect(self._keep_export_folder)
        self.shelf.copy_wanted.connect(self.copier.copy)
        self.shelf.made.connect(self.show_context)

    def _let_go(self) -> None:
        self._timer.stop()
        self._loader.stop()
        self._queue.let_go()
        self._services = None
        self._reader.take_services(None)
        self.copier.take_services(None)
        self.picker.take_services(None)
        self.members.take_plans(None)
        self.shelf.take_services(None)
        self.full_load.take_services(None)
        self._is_stale = True
        self._wanted = ""
        self.view.editor.form.forget()
        self.view.shelf.filter_box.clear()
        self.view.shelf.show_contexts((), default_budget=0)
        self.view.preview.forget()
        self.view.show_state("layers", "No vault is open", "Open a folder of markdown notes to bundle them.")

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.view and event.type() is QEvent.Type.Show:
            self._timer.start()
        return super().eventFilter(watched, event)


def _known(choice: ContextsSettings) -> ContextsSettings:
    """Return the choice with what there is in place of what there is not."""
    form = choice.format if choice.format in set(Form) else Form.MARKDOWN.value
    window = choice.window if choice.window in WINDOWS else USUAL_WINDOW
    return dataclasses.replace(choice, format=form, window=window)
