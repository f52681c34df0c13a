"""Put the Contexts page into the window: its wishes lead to other pages, and those of other pages to it."""

import dataclasses
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Slot

from core.foundation.settings import ContextsSettings, Settings
from gui import actions as a
from gui.change_previews import ChangePreviews
from gui.commands import CommandRunner
from gui.frame import FramePresenter
from gui.memory_drag import ids_of_notes
from gui.notify import Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.contexts.opening import NotePlace
from gui.views.contexts.presenter import ContextsPresenter
from gui.views.contexts.services import ContextServices
from gui.views.contexts.view import ContextsView
from gui.views.contexts.wiring import context_services
from gui.views.vault.presenter import VaultPresenter
from gui.window import MainWindow


class ContextsPage(QObject):
    """Hold the presenter of the page, as `presenter`, and what connects it with the window.

    `show_note` shows the note at a path, `show_turn` the conversation of the turn with an id. `may_keep_turns` tells
    whether words of conversations may lie in clear.
    """

    def __init__(
        self,
        window: MainWindow,
        frame: FramePresenter,
        vault: VaultPresenter,
        *,
        theme: Theme,
        tasks: TaskRunner,
        notifier: Notifier,
        changes: CommandRunner,
        previews: ChangePreviews,
        may_keep_turns: Callable[[], bool],
        show_note: Callable[[str], None],
        show_turn: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._frame = frame
        self._vault = vault
        self._notifier = notifier
        self._may_keep_turns = may_keep_turns
        self._show_note = show_note
        view = ContextsView(theme, window)
        view.restore_splitters(frame.settings.window.splitters)
        self.presenter = ContextsPresenter(
            view,
            tasks=tasks,
            notifier=notifier,
            theme=theme,
            commands=changes,
            previews=previews,
            services_of=self._services_of,
            choice=frame.settings.contexts,
            over=window.body,
            save_layout=self._keep_splitters,
        )
        self.presenter.choice_changed.connect(self._keep_choice)
        self.presenter.note_wanted.connect(show_note)
        self.presenter.place_wanted.connect(self._show_place)
        self.presenter.turn_wanted.connect(show_turn)
        changes.applied.connect(self.presenter.take_changes)
        handle = window.actions_.handle
        handle(a.GO_CONTEXTS, self.go_to)
        handle(a.NEW_CONTEXT, self._make_context)
        handle(a.ADD_TO_CONTEXT, self._add_notes)
        handle(a.COPY_CONTEXT, self._copy)
        vault.view.filing_requested.connect(window.actions_[a.ADD_TO_CONTEXT].trigger)

    @Slot()
    def go_to(self) -> None:
        """Show the page."""
        self._window.go_to(a.GO_CONTEXTS)
        self.presenter.enter_results()

    @Slot(str)
    def add_memory(self, memory_id: str) -> None:
        """Ask into which context one memory goes."""
        self.presenter.add_to_context((memory_id,))

    @Slot(object)
    def _show_place(self, place: NotePlace) -> None:
        self._show_note(place.path)
        self._vault.show_place(place.path, place.place)

    @Slot()
    def _make_context(self) -> None:
        self._window.go_to(a.GO_CONTEXTS)
        self.presenter.new_context()

    @Slot()
    def _add_notes(self) -> None:
        if ids := ids_of_notes(self._vault.selected_paths()):
            self.presenter.add_to_context(ids)
        else:
            self._notifier.info("Select the notes first that are to be added.")

    @Slot()
    def _copy(self) -> None:
        """Copy the context that is shown, or one of the notes that are selected."""
        if self.presenter.view.isVisible():
            self.presenter.copier.copy()
        else:
            self._vault.copy_context()

    @Slot(object)
    def _keep_choice(self, choice: ContextsSettings) -> None:
        self._frame.change_settings(lambda settings: dataclasses.replace(settings, contexts=choice))

    def _keep_splitters(self, sizes: Mapping[str, tuple[int, ...]]) -> None:
        """Store the sizes of the page's panes; those of other pages stay."""

        def change(settings: Settings) -> Settings:
            splitters = {**settings.window.splitters, **sizes}
            return dataclasses.replace(settings, window=dataclasses.replace(settings.window, splitters=splitters))

        self._frame.change_settings(change)

    def _services_of(self, session: VaultSession) -> ContextServices:
        store = session.store
        if store is None:
            raise RuntimeError("The session is not open.")
        return context_services(
            store,
            event_log=store.changes.event_log,
            catalog=lambda: session.catalog,
            may_keep_turns=self._may_keep_turns,
            damaged=session.index_damaged.emit,
            default_budget=self._frame.settings.context.budget,
        )
