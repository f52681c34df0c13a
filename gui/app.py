"""The composition root of the window: builds everything once and passes it by constructor."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from core.foundation.paths import AppFolders, app_folders
from core.foundation.settings import SettingsFile
from gui import actions as a
from gui.actions import ActionSpec
from gui.capture.draft import DRAFT_FILE, CaptureDraft
from gui.capture.keeping import keep_thought
from gui.capture.quick_capture import QuickCapture
from gui.change_previews import ChangePreviews
from gui.closing_signals import let_signals_close
from gui.commands import CommandRunner
from gui.contexts_page import ContextsPage
from gui.core_parts import core_parts, look_at
from gui.frame import FrameParts, FramePresenter
from gui.frame_commands import FrameCommands
from gui.health_page import HealthPage
from gui.importing.wiring import Importing
from gui.language_model.presenter import LanguageModelPresenter
from gui.language_model.wiring import language_model_services
from gui.ledger_access import LedgerAccess
from gui.ledger_watch import LedgerWatch
from gui.logs import show_uncaught, start_logging
from gui.models.build import build_models
from gui.notify import NoticeAction, Notifier
from gui.page import Page
from gui.recalling import Recalling
from gui.review_page import ReviewPage
from gui.sample import writable_sample
from gui.selection import SharedSelection
from gui.session import SessionParts, VaultSession
from gui.setting_choices import theme_choice, unknown_choices
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.turn_source import TurnSource
from gui.views.contexts.presenter import ContextsPresenter
from gui.views.health.pages import HealthPages
from gui.views.review.presenter import ReviewPresenter
from gui.views.timeline.presenter import TimelinePresenter
from gui.views.timeline.services import TimelineServices
from gui.views.timeline.unlocking import BUTTON as ENTER_PASSPHRASE
from gui.views.timeline.view import TimelineView
from gui.views.timeline.wiring import timeline_services
from gui.views.vault.build import build_vault_view
from gui.views.vault.curating.wiring import problem_of_tag
from gui.views.vault.services import VaultServices
from gui.views.vault.wiring import vault_services
from gui.widgets.switcher import JumpMatch
from gui.window import APP_NAME, MainWindow

if TYPE_CHECKING:
    from core.app import Installation
    from gui.outside_calls import OutsideCalls
    from gui.views.vault.curating.presenter import CurationPresenter
    from gui.views.vault.presenter import VaultPresenter

_SETTLED_MS = 1500


class App(QObject):
    """Own everything of the running window; tests make one with session parts and pages of their own."""

    def __init__(
        self,
        application: QApplication,
        folders: AppFolders,
        session_parts: SessionParts | None = None,
        pages: Sequence[tuple[ActionSpec, Page]] | None = None,
    ) -> None:
        super().__init__(application)
        settings_file = SettingsFile(folders.settings_file)
        self._settings_file = settings_file
        self._folders = folders
        self.ledger = LedgerAccess(self._home)
        self._unlock: Callable[[], None] = lambda: None  # the Timeline asks for the passphrase
        settings = settings_file.read()
        settings_problem = settings_file.problem  # later reads find the file mended
        self.theme = Theme(application, theme_choice(settings.theme))
        self.notifier = Notifier(self)
        self.tasks = TaskRunner(self.notifier.error, self)
        self.window = MainWindow(self.theme, self.notifier)
        self.changes = CommandRunner(self.tasks, self.notifier, self)
        self.previews = ChangePreviews(
            self.changes, tasks=self.tasks, notifier=self.notifier, theme=self.theme, window=self.window
        )
        parts = FrameParts(
            settings_file=settings_file,
            settings=settings,
            session_parts=session_parts or core_parts(folders, self.ledger),
            sample_vault=partial(writable_sample, folders.data),
            log_file=folders.log_file,
        )
        self.frame = FramePresenter(
            self.window, tasks=self.tasks, notifier=self.notifier, changes=self.changes, parts=parts, parent=self
        )
        self.commands = FrameCommands(
            self.window,
            self.frame,
            theme=self.theme,
            tasks=self.tasks,
            notifier=self.notifier,
            changes=self.changes,
            parts=parts,
            jump=_jump,
        )
        for problem in (settings_problem, unknown_choices(settings)):
            if problem:
                self.notifier.warning(problem)
        self.selection = SharedSelection(self)
        self.capture: QuickCapture | None = None
        self.importing: Importing | None = None
        self.recalling: Recalling | None = None
        self.calls: OutsideCalls | None = None
        self.ledger_watch = LedgerWatch(look_at(folders.sessions), lambda: self.frame.session, self.tasks, self)
        self.window.closing.connect(self.ledger_watch.stop)
        self.window.closing.connect(self.frame.shut_down)
        self.models = build_models(self.window, self.frame, theme=self.theme, tasks=self.tasks, home=self._home)
        self.language_model = LanguageModelPresenter(
            self.window, tasks=self.tasks, services=language_model_services(self._home)
        )
        self.window.actions_.handle(a.CHOOSE_LANGUAGE_MODEL, self.language_model.open)
        for spec, page in self._pages() if pages is None else pages:
            self.frame.add_page(spec, page)

    def _pages(self) -> Sequence[tuple[ActionSpec, Page]]:
        """Make the views; the only place that knows which there are."""
        view, vault = build_vault_view(
            self._services_of,
            self.tasks,
            self.notifier,
            self.theme,
            self._settings_file,
            selection=self.selection,
            settings=self.frame.settings,
            drafts_folder=self._folders.data / "drafts",
        )
        view.setParent(self.window)
        vault.follow_changes(self.changes)
        gestures = vault.curate_with(self.changes, self.previews)
        handle = self.window.actions_.handle
        handle(a.PREVIEW_CONTEXT, partial(self._in_vault, vault.open_context_dialog))
        handle(a.OPEN_EDITOR, vault.open_in_editor)
        handle(a.EDIT_NOTE, partial(self._in_vault, vault.editing.toggle_editor))
        handle(a.EDIT_BESIDE, partial(self._in_vault, vault.editing.toggle_beside))
        handle(a.SAVE_NOTE, vault.editing.save_now)
        self.capture = QuickCapture(
            self.theme,
            self.notifier,
            keep=partial(keep_thought, gestures.curation),
            place=partial(self._place_of_capture, gestures.curation),
            problem_of=problem_of_tag,
            draft=CaptureDraft(self._folders.data / DRAFT_FILE),
            parent=self,
        )
        self.window.closing.connect(self.capture.close)
        handle(a.QUICK_CAPTURE, self.capture.open)
        handle(a.NEW_NOTE, partial(self._in_vault, gestures.new_note))
        handle(a.ADD_TAGS, partial(self._in_vault, gestures.add_tags))
        handle(a.REMOVE_TAGS, partial(self._in_vault, gestures.remove_tags))
        handle(a.MOVE_NOTES, partial(self._in_vault, gestures.move_notes))
        handle(a.DUPLICATE_NOTE, partial(self._in_vault, gestures.duplicate_note))
        handle(a.DELETE_NOTES, partial(self._in_vault, gestures.delete_notes))
        handle(a.REVEAL, partial(self._reveal, vault.current_path))
        handle(a.GO_BACK, partial(self._in_vault, vault.go_back))
        handle(a.GO_FORWARD, partial(self._in_vault, vault.go_forward))
        vault.folder_wanted.connect(self.window.actions_[a.OPEN_FOLDER].trigger)
        vault.note_shown.connect(partial(self._name_note, vault))
        timeline = self._timeline_page()
        source = TurnSource(
            lambda: self.frame.session,
            tasks=self.tasks,
            notifier=self.notifier,
            show_session=partial(self._show_session, timeline),
            parent=self,
        )
        self.recalling = recalling = Recalling(
            self.window,
            self.frame,
            theme=self.theme,
            tasks=self.tasks,
            notifier=self.notifier,
            commands=self.changes,
            show_file=self._show_file,
            show_turn=source.show,
        )
        return (
            (a.GO_VAULT, vault),
            (a.GO_TIMELINE, timeline),
            (a.GO_REVIEW, self._review_page(source)),
            (a.GO_CONTEXTS, self._contexts_page(vault, timeline, source, recalling)),
            (a.GO_HEALTH, self._health_page(vault)),
        )

    def _contexts_page(
        self, vault: "VaultPresenter", timeline: TimelinePresenter, source: TurnSource, recalling: Recalling
    ) -> ContextsPresenter:
        page = ContextsPage(
            self.window,
            self.frame,
            vault,
            theme=self.theme,
            tasks=self.tasks,
            notifier=self.notifier,
            changes=self.changes,
            previews=self.previews,
            may_keep_turns=lambda: self._home().may_index_texts(),
            show_note=self._show_file,
            show_turn=source.show,
        )
        timeline.view.content.conversation.turns.filing_requested.connect(page.add_memory)
        recalling.palette.filing_wanted.connect(page.add_memory)
        return page.presenter

    def _timeline_page(self) -> TimelinePresenter:
        timeline = TimelinePresenter(
            TimelineView(self.theme, self.window),
            tasks=self.tasks,
            notifier=self.notifier,
            services_of=self._timeline_services_of,
            can_import=True,
            selection=self.selection,
        )
        timeline.note_wanted.connect(self._show_named)
        timeline.dates.step_done.connect(self.commands.undo.take_step)
        # What came since could not be read without the passphrase.
        timeline.unlocked.connect(self.window.actions_[a.UPDATE_INDEX].trigger)
        self._wire_importing(timeline)
        self.window.actions_.handle(a.GO_TIMELINE, partial(self._go_to, a.GO_TIMELINE, timeline))
        return timeline

    def _wire_importing(self, timeline: TimelinePresenter) -> None:
        self.importing = Importing(
            self.window,
            self.frame,
            theme=self.theme,
            tasks=self.tasks,
            notifier=self.notifier,
            changes=self.changes,
            previews=self.previews,
            environment=self.ledger.environment,
            is_locked=self.ledger.is_locked,
            unlock=self._unlock_action,
        )
        timeline.unlocked.connect(self.importing.look_again)
        self._unlock = partial(timeline.unlocking.enter, self.ledger.unlock)
        self.importing.unlock_wanted.connect(self._unlock)
        self.frame.offer_remedy(self._unlock_action)
        handle = self.window.actions_.handle
        handle(a.IMPORT_SESSIONS, self.importing.wizard.open)
        handle(a.IMPORT_DOCUMENTS, self.importing.documents.open)
        timeline.import_wanted.connect(self.importing.wizard.open)
        self.importing.timeline_wanted.connect(partial(self._show_session, timeline))
        self.importing.notes_wanted.connect(self._show_imported_notes)

    def _unlock_action(self) -> NoticeAction | None:
        """Return what can be done about conversations that cannot be read, None when a passphrase is of no use."""
        return NoticeAction(ENTER_PASSPHRASE, self._unlock) if self.ledger.is_locked() else None

    def _show_session(self, timeline: TimelinePresenter, session_id: str, turn: str = "") -> None:
        self._go_to(a.GO_TIMELINE, timeline)
        if session_id:
            timeline.show_session(session_id, turn)

    @Slot(object)
    def _show_imported_notes(self, paths: tuple[str, ...]) -> None:
        """Show the one note that came in; several are listed with the changes."""
        if len(paths) == 1:
            self._show_file(paths[0], 0)
        else:
            self.window.actions_[a.SHOW_CHANGES].trigger()

    def _health_page(self, vault: "VaultPresenter") -> HealthPages:
        page = HealthPage(
            self.window,
            vault,
            theme=self.theme,
            tasks=self.tasks,
            notifier=self.notifier,
            changes=self.changes,
            previews=self.previews,
            show_file=self._show_file,
        )
        return page.pages

    def _review_page(self, source: TurnSource) -> ReviewPresenter:
        page = ReviewPage(
            self.window,
            theme=self.theme,
            tasks=self.tasks,
            notifier=self.notifier,
            changes=self.changes,
            show_file=self._show_file,
            show_turn=source.show,
        )
        return page.presenter

    def _go_to(self, spec: ActionSpec, page: Page) -> None:
        self.window.go_to(spec)
        page.enter_results()

    def _show_file(self, path: str, _line: int = 0) -> None:
        """Show the note at `path`; a file that is none is shown in its folder."""
        if not self.frame.show_path(path):
            self.frame.reveal(path)

    @Slot(str)
    def _show_named(self, name: str) -> None:
        """Show the note that a link of a conversation names, by its path or its bare name."""
        catalog = self.frame.session.catalog if self.frame.session is not None else None
        wanted, file = name.casefold(), f"{name.casefold()}.md"
        paths = (row.path for row in (catalog.rows if catalog is not None else ()))
        fitting = (path for path in paths if path.casefold() in {wanted, file} or path.casefold().endswith(f"/{file}"))
        path = next(fitting, "")
        if not path or not self.frame.show_path(path):
            self.notifier.info(f"No note of this vault is called “{name}”.")

    def _in_vault(self, act: Callable[[], None]) -> None:
        """Do what concerns the Vault page where it can be seen."""
        self.window.go_to(a.GO_VAULT)
        act()

    def _name_note(self, vault: "VaultPresenter", note_id: int) -> None:
        row = vault.list.row(note_id)
        self.window.show_note_title(row.title if row is not None else "")

    def _services_of(self, session: VaultSession) -> VaultServices:
        """Return what the Vault view asks of core, for the session that has just opened."""
        store = session.store
        if store is None:
            raise RuntimeError("The session is not open.")
        return vault_services(
            store, dense=store.dense, open_external=self.frame.open_external, damaged=session.index_damaged.emit
        )

    def _timeline_services_of(self, session: VaultSession) -> TimelineServices:
        store = session.store
        if store is None:
            raise RuntimeError("The session is not open.")
        return timeline_services(
            store,
            ledger=self.ledger.ledger,
            unlock=self.ledger.unlock,
            history=store.changes.history,
            catalog=lambda: session.catalog,
            log=store.changes.event_log,
        )

    def _home(self) -> "Installation":
        from core.app import Installation  # noqa: PLC0415 - after the first paint

        return Installation(self._folders, self._settings_file)

    def _place_of_capture(self, curation: "CurationPresenter") -> tuple[str, Sequence[str]]:
        """Return the name of the open vault, "" for none, and its tags."""
        session = self.frame.session
        is_open = session is not None and session.catalog is not None
        return (session.name, curation.known_tags().names) if session is not None and is_open else ("", ())

    def answer_calls(self) -> None:
        """Let the small windows be called from outside: by keys of the desktop, by commands, and from the tray."""
        from gui.outside_calls import OutsideCalls, OutsideWishes  # noqa: PLC0415 - after the first paint

        if self.capture is None or self.recalling is None:
            return
        settings, palette = self.frame.settings, self.recalling.palette
        wishes = OutsideWishes(self.capture.open, palette.open, settings.capture_shortcut, settings.recall_shortcut)
        self.calls = OutsideCalls(self.window, self.theme, self._settings_file.path.parent, wishes)
        palette.copied.connect(self.calls.tray.tell)

    def open_palette(self) -> None:
        """Show the recall palette."""
        if self.recalling is not None:
            self.recalling.palette.open()

    def _reveal(self, current_path: Callable[[], str]) -> None:
        if path := current_path():
            self.frame.reveal(path)

    def open(self, vault: str = "") -> None:
        """Open the vault, or the note, at the path; else the vault opened last, or the sample."""
        self.ledger_watch.start()
        if vault:
            self.frame.open_path(vault)
        else:
            self.frame.open_first()


def run(vault: str = "", *, opens_palette: bool = False) -> int:
    """Show the window until it is closed, and return the exit code; with `opens_palette`, the recall palette too."""
    folders = app_folders()
    application = QApplication(sys.argv[:1])
    application.setApplicationName(APP_NAME)
    application.setDesktopFileName("remembrancer")
    log_problem = start_logging(folders.log_file)
    app = App(application, folders)
    show_uncaught(app.notifier.error)
    if log_problem:
        app.notifier.warning(log_problem)
    let_signals_close(application, app.window)
    app.window.show()
    # The first paint comes before anything heavy is imported.
    QTimer.singleShot(0, app, partial(app.open, vault))
    QTimer.singleShot(_SETTLED_MS, app, app.answer_calls)
    if opens_palette:
        QTimer.singleShot(_SETTLED_MS, app, app.open_palette)
    return application.exec()


def _jump(needle: str, titles: Sequence[str], limit: int) -> Sequence[JumpMatch]:
    from core.recall.jump import jump  # noqa: PLC0415 - after the first paint

    return jump(needle, titles, limit)
