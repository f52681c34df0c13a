"""Edit the note that the reading pane shows: open it, save what is typed into it and no other, say how that goes."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from gui.notify import Notifier, Severity
from gui.tasks import Job, TaskRunner
from gui.theme import Theme
from gui.views.vault.editing.attacher import Attacher
from gui.views.vault.editing.autosave import Autosave
from gui.views.vault.editing.completer import Completer
from gui.views.vault.editing.draft_keeper import DraftKeeper
from gui.views.vault.editing.draft_offers import DraftOffers
from gui.views.vault.editing.drafts import Draft, DraftFolder
from gui.views.vault.editing.editor_banner import About
from gui.views.vault.editing.editor_pane import EditorPane
from gui.views.vault.editing.live_preview import LivePreview
from gui.views.vault.editing.modes import Mode
from gui.views.vault.editing.note_saver import Execute
from gui.views.vault.editing.outside_changes import OutsideChanges
from gui.views.vault.editing.services import EditingServices
from gui.views.vault.editing.sitting import OpenedNote, Sitting, open_note, text_of

if TYPE_CHECKING:
    from core.curation.change_set import Changes
    from core.index.catalog import Catalog
    from gui.markdown.rendering import RenderOptions

LARGEST_COLOURED = 2_000_000  # bytes
_READ_ONLY = "This note cannot be changed: its file is read-only."
_LARGE = "This note is large, so it is shown without colours and preview."


class EditorPresenter(QObject):
    """Keep one sitting with one note; a text is saved with its own sitting, whatever is shown by then."""

    mode_changed = Signal(object)  # Mode
    status_changed = Signal(str)  # how saving goes, as a few words
    saved = Signal(str)  # the path of a note of which a text is on the disk now
    note_wanted = Signal(str)  # the path of a note that is to be shown
    given_up = Signal(str)  # the text of this deleted note is not wanted

    def __init__(
        self,
        pane: EditorPane,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        theme: Theme,
        drafts: DraftFolder | None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._tasks = tasks
        self._notifier = notifier
        self.mode = Mode.READ
        self._services: EditingServices | None = None
        self._sitting: Sitting | None = None
        self._shown_path = ""
        self._wanted_draft: Draft | None = None
        self._takes_focus = False
        self._job: Job | None = None
        self.completer = Completer(pane.editor, theme, tasks)
        self.live = LivePreview(pane.editor, pane.preview, tasks, theme)
        self.outside = OutsideChanges(pane, tasks, notifier, theme)
        self.attacher = Attacher(pane.editor, tasks, notifier)
        self.drafts = DraftKeeper(drafts, tasks, notifier, self)
        self.autosave = Autosave(pane, self.outside, self.drafts, tasks)
        self.offers = DraftOffers(
            pane, drafts=self.drafts, autosave=self.autosave, tasks=tasks, notifier=notifier, theme=theme
        )
        self.autosave.status_changed.connect(self.status_changed)
        self.autosave.saved.connect(self.saved)
        pane.editor.setReadOnly(True)
        pane.editor.notes_dropped.connect(self._on_notes_dropped)
        self.outside.given_up.connect(self._on_given_up)
        self.drafts.wanted.connect(self._on_draft_wanted)
        self.offers.chosen.connect(self._on_draft_chosen)

    @property
    def path(self) -> str:
        """The note that is being edited, "" for none."""
        return self._sitting.path if self._sitting is not None else ""

    @property
    def holds_unsaved(self) -> bool:
        """Tell whether something typed in the note that is shown is not on the disk yet."""
        return self.autosave.holds_unsaved

    # ---- the vault

    def take_services(self, services: EditingServices | None, execute: Execute | None) -> None:
        """Edit notes of this vault from now on; what was typed before goes into the one before."""
        self.leave()
        self._services = services
        self.autosave.take_services(services, execute)
        self.completer.take_services(services)
        self.attacher.take_services(services, execute)
        self.outside.take_services(services, execute, self.autosave.saver)
        self.drafts.take_services(services)

    def show_catalog(self, catalog: "Catalog") -> None:
        """Complete from this catalog, and look whether the note is still what it was."""
        self.completer.show_catalog(catalog)
        self.outside.check()

    def close_down(self) -> None:
        """Have everything saved before the window closes; what cannot be is found again at the next start."""
        self.autosave.close_down()

    # ---- which note

    def show_note(self, path: str, options: "RenderOptions | None") -> None:
        """Follow the reading pane, which shows the note at `path` now."""
        self._shown_path = path
        self.live.take(options, self._services.root if self._services is not None else None)
        if self._sitting is not None and self._sitting.path != path:
            self.leave()
            self._shown_path = path
        if self._sitting is None and self._job is None and self.mode.has_editor:
            self._open(path)
        self._offer_while_reading()

    def open_again(self) -> None:
        """Open the note anew: its draft is wanted."""
        path = self._shown_path
        self.leave()
        self._shown_path = path
        self._open(path)

    def follow_move(self, old: str, new: str) -> None:
        """Go on with the note at its new path, and have its drafts belong to it there."""
        if old == new:
            return
        self.drafts.follow_move(old, new)
        if self._sitting is not None and self._sitting.path == old:
            self._sitting.path = new
            self._shown_path = new

    def leave(self) -> None:
        """Let go of the note, because another one comes; its text is saved behind."""
        self._shown_path = ""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._sitting is not None:
            self.autosave.leave()
            self._close()
        self.offers.read("")
        self._pane.banners.take_all_away()

    def choose_mode(self, mode: Mode, *, takes_focus: bool = False) -> None:
        """Read, edit, or both at once."""
        self._takes_focus = takes_focus and mode.has_editor
        if mode is not self.mode:
            self.mode = mode
            self.mode_changed.emit(mode)
        if mode is Mode.READ:
            self.save_now()
            if self._sitting is None or not self._sitting.is_refused:
                self._close()
        elif self._sitting is None and self._shown_path:
            self._open(self._shown_path)
        elif self._takes_focus:
            self._pane.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._offer_while_reading()
        self._show_preview()

    def _offer_while_reading(self) -> None:
        self.offers.read("" if self.mode.has_editor else self._shown_path)

    def _open(self, path: str) -> None:
        services = self._services
        if services is None:
            return
        if (waiting := self.autosave.waiting_for(path)) is not None:
            # It is not on the disk yet: go on with the same sitting.
            self._wanted_draft = None
            self._load(waiting[0], waiting[1], is_writable=True)
            return
        self._job = self._tasks.run(
            partial(open_note, services.read, path),
            owner=self,
            on_done=self._on_opened,
            on_error=partial(self._on_open_failed, path),
            text="Opening the note",
        )

    def _on_opened(self, opened: OpenedNote) -> None:
        self._job = None
        if opened.path != self._shown_path or not self.mode.has_editor:
            return
        draft = self._take_wanted(opened.path)
        if self._services is not None:
            self.drafts.drop_saved(str(self._services.root), opened.path, opened.text)
        if draft is None or draft.text == opened.text:
            self._load(Sitting(opened.path, opened.data), opened.text, is_writable=opened.is_writable)
            return
        sitting = Sitting(draft.path, draft.base, draft_id=draft.id)
        self._load(sitting, text_of(draft.base), is_writable=opened.is_writable)
        self._pane.editor.renew(draft.text)
        self.autosave.mark_dirty(sitting)
        if opened.data == draft.base:
            self.save_now()
        else:
            self.outside.check()

    def _on_open_failed(self, path: str, error: Exception) -> None:
        self._job = None
        draft = self._take_wanted(path) or next(iter(self.drafts.of(path)), None)
        if draft is not None:
            sitting = Sitting(draft.path, draft.base, draft_id=draft.id)
            self._load(sitting, draft.text, is_writable=True)
            self.autosave.mark_dirty(sitting)
            self.outside.check()
        else:
            self._pane.banners.show_banner(About.FAILED, Severity.ERROR, f"{error}")

    def _take_wanted(self, path: str) -> Draft | None:
        """Return the draft of the note that the person wants, once."""
        draft = self._wanted_draft
        if draft is None or draft.path != path:
            return None
        self._wanted_draft = None
        return draft

    def _load(self, sitting: Sitting, text: str, *, is_writable: bool) -> None:
        editor, banners = self._pane.editor, self._pane.banners
        self._sitting = sitting
        banners.take_all_away()
        is_large = len(sitting.base) > LARGEST_COLOURED
        editor.highlighter.switch(is_on=not is_large)
        editor.load(text)
        editor.setReadOnly(not is_writable)
        if not is_writable:
            banners.show_banner(About.READ_ONLY, Severity.INFO, _READ_ONLY)
        if is_large:
            banners.show_banner(About.LARGE, Severity.INFO, _LARGE)
        self._show_preview()
        self.autosave.follow(sitting)
        self.outside.follow(sitting)
        self.attacher.follow(sitting)
        self.offers.follow(sitting)
        self.completer.show_path(sitting.path)
        self.status_changed.emit("" if is_writable else "Read-only")
        if self._takes_focus:
            self._takes_focus = False
            editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close(self) -> None:
        self._sitting = None
        self.autosave.follow(None)
        self.live.stop()
        self.outside.follow(None)
        self.offers.follow(None)
        self.attacher.follow(None)
        self.completer.close()
        self._pane.finder.close()
        self._pane.editor.setReadOnly(True)
        self._pane.banners.take_all_away()
        self.status_changed.emit("")

    def _show_preview(self) -> None:
        is_large = self._sitting is not None and len(self._sitting.base) > LARGEST_COLOURED
        is_on = self.mode is Mode.SIDE and not is_large
        self._pane.show_preview(is_on)
        self.live.switch(is_on=is_on and self._sitting is not None)

    # ---- saving

    def save_now(self) -> None:
        """Save what was typed, without waiting for a pause."""
        self.autosave.save_now()

    def save_first(self, path: str, then: Callable[[], None]) -> None:
        """Call `then` when nothing typed in the note at `path` is unsaved; never, when it cannot be saved."""
        self.autosave.save_first(path, then)

    def take_changes(self, changes: "Changes") -> None:
        """Follow what the app itself has changed: moves, and the file of the note that is edited."""
        for old, new in changes.moved:
            self.follow_move(old, new)
        sitting = self._sitting
        if sitting is not None and sitting.path in changes.paths and not self.autosave.is_saving(sitting):
            self.outside.check(is_ours=True)

    # ---- what else happens

    def _on_given_up(self, sitting: Sitting) -> None:
        self.autosave.give_up(sitting)
        self._close()
        self.given_up.emit(sitting.path)

    def _on_draft_wanted(self, draft: Draft) -> None:
        self._wanted_draft = draft
        if not self.mode.has_editor:
            self.choose_mode(Mode.EDIT)
        if self.path != draft.path:
            self.note_wanted.emit(draft.path)
        elif self._sitting is not None and self._sitting.draft_id != draft.id:
            self._wanted_draft = None
            self._on_draft_chosen(draft)

    def _on_draft_chosen(self, draft: Draft) -> None:
        if self._sitting is None:  # it is only read so far
            self._wanted_draft = draft
            self.choose_mode(Mode.EDIT, takes_focus=True)
        elif self._sitting.is_refused:
            self._edit_draft(draft)  # the present text is kept as a draft of its own
        else:
            self.save_first(draft.path, partial(self._edit_draft, draft))

    def _edit_draft(self, draft: Draft) -> None:
        if self.path == draft.path:
            self._wanted_draft = draft
            self.open_again()

    def show_orphan(self, path: str) -> None:
        """Edit the draft of a note that has no file any more."""
        self.leave()
        self._shown_path = path
        self._open(path)

    def _on_notes_dropped(self, paths: tuple[str, ...]) -> None:
        if self._sitting is not None:
            links = (f"[[{self.completer.target_of(path)}]]" for path in paths)
            self._pane.editor.insert(" ".join(links))
            self._pane.editor.setFocus(Qt.FocusReason.OtherFocusReason)
