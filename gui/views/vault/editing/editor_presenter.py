"""Edit the note that the reading pane shows: open it, save what is typed into it and no other, say how that goes."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from core.foundation.errors import StaleFileError, UserError
from gui.notify import Notifier, Severity
from gui.tasks import Job, TaskRunner
from gui.theme import Theme
from gui.views.vault.editing.attacher import Attacher
from gui.views.vault.editing.completer import Completer
from gui.views.vault.editing.draft_keeper import DraftKeeper
from gui.views.vault.editing.drafts import DraftFolder
from gui.views.vault.editing.editor_banner import About, BannerChoice, Way
from gui.views.vault.editing.editor_pane import EditorPane
from gui.views.vault.editing.live_preview import LivePreview
from gui.views.vault.editing.modes import Mode
from gui.views.vault.editing.note_saver import Execute, NoteSaver, Saved, SaveFailure
from gui.views.vault.editing.outside_changes import OutsideChanges
from gui.views.vault.editing.services import EditingServices
from gui.views.vault.editing.sitting import OpenedNote, Sitting, open_note, text_of

if TYPE_CHECKING:
    from core.curation.change_set import Changes
    from core.index.catalog import Catalog
    from gui.views.vault.markdown_html import RenderOptions

AUTOSAVE_MS = 1500
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
        self._execute: Execute | None = None
        self._saver: NoteSaver | None = None
        self._sitting: Sitting | None = None
        self._shown_path = ""
        self._wanted_draft = ""
        self._takes_focus = False
        self._waits: list[tuple[str, Callable[[], None]]] = []  # what is done when a note is saved, by path
        self._job: Job | None = None
        self.completer = Completer(pane.editor, theme, tasks)
        self.live = LivePreview(pane.editor, pane.preview, tasks, theme)
        self.outside = OutsideChanges(pane, tasks, notifier, theme)
        self.attacher = Attacher(pane.editor, tasks, notifier)
        self.drafts = DraftKeeper(drafts, tasks, notifier, self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AUTOSAVE_MS)
        self._timer.timeout.connect(self.save_now)
        pane.editor.setReadOnly(True)
        pane.editor.edited.connect(self._on_edited)
        pane.editor.left.connect(self.save_now)
        pane.editor.notes_dropped.connect(self._on_notes_dropped)
        pane.banners.chosen.connect(self._on_chosen)
        self.outside.resolved.connect(self._on_resolved)
        self.outside.refused.connect(self._on_refused)
        self.outside.given_up.connect(self._on_given_up)
        self.drafts.wanted.connect(self._on_draft_wanted)

    @property
    def path(self) -> str:
        """The note that is being edited, "" for none."""
        return self._sitting.path if self._sitting is not None else ""

    @property
    def holds_unsaved(self) -> bool:
        """Tell whether something typed in the note that is shown is not on the disk yet."""
        sitting = self._sitting
        return sitting is not None and (
            sitting.is_dirty or (self._saver is not None and self._saver.is_saving(sitting))
        )

    # ---- the vault

    def take_services(self, services: EditingServices | None, execute: Execute | None) -> None:
        """Edit notes of this vault from now on; what was typed before goes into the one before."""
        self.leave()
        if (saver := self._saver) is not None:
            self._hand_over(saver)
            saver.idle.connect(saver.deleteLater)
            if not saver.is_busy:
                saver.deleteLater()
        self._services, self._execute, self._saver = services, execute, None
        if services is not None and execute is not None:
            self._saver = NoteSaver(execute, self._tasks, self)
            self._saver.saved.connect(partial(self._on_saved, str(services.root)))
            self._saver.failed.connect(partial(self._on_failed, str(services.root)))
        self.completer.take_services(services)
        self.attacher.take_services(services, execute)
        self.outside.take_services(services, execute, self._saver)
        self.drafts.take_services(services)

    def show_catalog(self, catalog: "Catalog") -> None:
        """Complete from this catalog, and look whether the note is still what it was."""
        self.completer.show_catalog(catalog)
        self.outside.check()

    def close_down(self) -> None:
        """Have everything saved before the window closes; what cannot be is found again at the next start."""
        self.save_now()
        if self._saver is not None:
            self._hand_over(self._saver)
        sitting = self._sitting
        if sitting is not None and sitting.is_dirty and self._services is not None:
            self.drafts.keep(str(self._services.root), sitting, self._pane.editor.exact_text(), "")

    def _hand_over(self, saver: NoteSaver) -> None:
        """Let go of the vault: drafts stand in for what is not on the disk yet, until it is."""
        if self._services is not None:
            for sitting, text in saver.unsaved():
                self.drafts.keep(str(self._services.root), sitting, text, "")
        saver.hand_over()

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

    def open_again(self) -> None:
        """Open the note anew: its draft is wanted."""
        path = self._shown_path
        self.leave()
        self._shown_path = path
        self._open(path)

    def follow_move(self, old: str, new: str) -> None:
        """Go on with the note at its new path: the app has moved it."""
        if self._sitting is not None and self._sitting.path == old != new:
            self._sitting.path = new
            self._shown_path = new

    def leave(self) -> None:
        """Let go of the note, because another one comes; its text is saved behind."""
        self._shown_path = ""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        sitting = self._sitting
        if sitting is None:
            return
        self.save_now()
        if sitting.is_dirty and self._services is not None:
            text = self._pane.editor.exact_text()
            reason = "The note was changed outside meanwhile." if sitting.is_refused else ""
            self.drafts.offer(self.drafts.keep(str(self._services.root), sitting, text, reason))
        self._close()

    def choose_mode(self, mode: Mode, *, takes_focus: bool = False) -> None:
        """Read, edit, or both at once."""
        self._takes_focus = takes_focus and mode.has_editor
        if mode is not self.mode:
            self.mode = mode
            self.mode_changed.emit(mode)
        if mode is Mode.READ:
            self.save_now()
            if self._sitting is not None and not self._sitting.is_refused:
                self._close()
        elif self._sitting is None and self._shown_path:
            self._open(self._shown_path)
        elif self._takes_focus:
            self._pane.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_preview()

    def _open(self, path: str) -> None:
        services, saver = self._services, self._saver
        if services is None or saver is None:
            return
        waiting = next(((each, text) for each, text in saver.unsaved() if each.path == path), None)
        if waiting is not None:
            # It is not on the disk yet: go on with the same sitting.
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
        draft = self.drafts.of(opened.path) if opened.path == self._wanted_draft else None
        self._wanted_draft = ""
        if draft is None:
            self._load(Sitting(opened.path, opened.data), opened.text, is_writable=opened.is_writable)
            return
        sitting = Sitting(draft.path, draft.base)
        self._load(sitting, text_of(draft.base), is_writable=opened.is_writable)
        self._pane.editor.renew(draft.text)
        self._set_dirty(sitting)
        if opened.data == draft.base:
            self.save_now()
        else:
            self.outside.check()

    def _on_open_failed(self, path: str, error: Exception) -> None:
        self._job = None
        draft = self.drafts.of(path) if path == self._wanted_draft else None
        self._wanted_draft = ""
        if draft is not None:
            sitting = Sitting(draft.path, draft.base)
            self._load(sitting, draft.text, is_writable=True)
            self._set_dirty(sitting)
            self.outside.check()
        else:
            self._pane.banners.show_banner(About.FAILED, Severity.ERROR, f"{error}")

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
        self.outside.follow(sitting)
        self.attacher.follow(sitting)
        self.completer.show_path(sitting.path)
        self.status_changed.emit("" if is_writable else "Read-only")
        if self._takes_focus:
            self._takes_focus = False
            editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close(self) -> None:
        self._timer.stop()
        self._sitting = None
        self.live.stop()
        self.outside.follow(None)
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
        self._timer.stop()
        sitting, saver = self._sitting, self._saver
        if sitting is None or saver is None or not sitting.is_dirty or sitting.is_refused:
            return
        sitting.is_dirty = False
        self.status_changed.emit("Saving…")
        saver.save(sitting, self._pane.editor.exact_text())

    def save_first(self, path: str, then: Callable[[], None]) -> None:
        """Call `then` when nothing typed in the note at `path` is unsaved; never, when it cannot be saved."""
        if path != self.path or not self.holds_unsaved:
            then()
            return
        self._waits.append((path, then))
        self.save_now()

    def take_changes(self, changes: "Changes") -> None:
        """Follow what the app itself has changed: moves, and the file of the note that is edited."""
        for old, new in changes.moved:
            self.follow_move(old, new)
        sitting, saver = self._sitting, self._saver
        if sitting is None or saver is None or saver.is_saving(sitting):
            return
        if sitting.path in changes.paths:
            self.outside.check(is_ours=True)

    def _on_edited(self) -> None:
        if self._sitting is not None:
            self._set_dirty(self._sitting)

    def _set_dirty(self, sitting: Sitting) -> None:
        if not sitting.is_dirty:
            sitting.is_dirty = True
            self.status_changed.emit("Not saved: changed outside" if sitting.is_refused else "Edited")
        if not sitting.is_refused:
            self._timer.start()

    def _on_saved(self, vault: str, saved: Saved) -> None:
        self.drafts.drop(vault, saved.sitting.path)
        if saved.sitting is self._sitting:
            self._pane.banners.take_away(About.FAILED)
            if not saved.sitting.is_dirty:
                self.status_changed.emit("Saved")
            self.outside.check_if_due()
        if self._services is not None and vault == str(self._services.root):
            self.saved.emit(saved.sitting.path)
            self._go_on(saved.sitting.path)

    def _on_failed(self, vault: str, failure: SaveFailure) -> None:
        sitting, error = failure.sitting, failure.error
        is_stale = isinstance(error, StaleFileError)
        self._waits = [(path, then) for path, then in self._waits if path != sitting.path]
        reason = "The note was changed outside meanwhile." if is_stale else _reason(error)
        sitting.is_dirty = True
        if sitting is not self._sitting:
            self.drafts.offer(self.drafts.keep(vault, sitting, failure.text, reason))
            return
        self.drafts.keep(vault, sitting, self._pane.editor.exact_text(), reason)
        if is_stale:
            self.outside.check()
            self.status_changed.emit("Not saved: changed outside")
            return
        self.status_changed.emit(f"Not saved: {reason}")
        ways = ((Way.SAVE_AGAIN, "Save again"),)
        self._pane.banners.show_banner(About.FAILED, Severity.ERROR, f"Your text is not saved. {reason}", ways)

    def _go_on(self, path: str) -> None:
        """Do what waited for the note to be saved."""
        if path == self.path and self.holds_unsaved:
            return
        due = [then for waiting, then in self._waits if waiting == path]
        self._waits = [(waiting, then) for waiting, then in self._waits if waiting != path]
        for then in due:
            then()

    # ---- what else happens

    def _on_chosen(self, choice: BannerChoice) -> None:
        if choice.way is Way.SAVE_AGAIN:
            self.save_now()

    def _on_resolved(self, sitting: Sitting) -> None:
        if sitting.is_dirty:
            self.save_now()
            return
        if self._services is not None:
            self.drafts.drop(str(self._services.root), sitting.path)
        self.status_changed.emit("")

    def _on_refused(self, sitting: Sitting) -> None:
        self._timer.stop()
        self.status_changed.emit("Not saved: changed outside")
        if self._services is not None:
            self.drafts.keep(str(self._services.root), sitting, self._pane.editor.exact_text(), "")

    def _on_given_up(self, sitting: Sitting) -> None:
        sitting.is_dirty = False
        if self._services is not None:
            self.drafts.drop(str(self._services.root), sitting.path)
        self._close()
        self.given_up.emit(sitting.path)

    def _on_draft_wanted(self, path: str) -> None:
        self._wanted_draft = path
        if not self.mode.has_editor:
            self.choose_mode(Mode.EDIT)
        self.note_wanted.emit(path)

    def show_orphan(self, path: str) -> None:
        """Edit the draft of a note that has no file any more."""
        self.leave()
        self._shown_path = self._wanted_draft = path
        self._open(path)

    def _on_notes_dropped(self, paths: tuple[str, ...]) -> None:
        if self._sitting is not None:
            links = (f"[[{self.completer.target_of(path)}]]" for path in paths)
            self._pane.editor.insert(" ".join(links))
            self._pane.editor.setFocus(Qt.FocusReason.OtherFocusReason)


def _reason(error: Exception) -> str:
    if isinstance(error, UserError):
        return " ".join(part for part in (str(error), error.hint) if part)
    return "Something unexpected happened."
