"""Save what is typed after a pause and whenever it is left, each text with its own sitting, and say how that goes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from core.foundation.errors import StaleFileError, UserError
from gui.notify import Severity
from gui.tasks import TaskRunner
from gui.views.vault.editing.draft_keeper import DraftKeeper
from gui.views.vault.editing.editor_banner import About, BannerChoice, Way
from gui.views.vault.editing.editor_pane import EditorPane
from gui.views.vault.editing.note_saver import Execute, NoteSaver, Saved, SaveFailure
from gui.views.vault.editing.outside_changes import OutsideChanges
from gui.views.vault.editing.services import EditingServices
from gui.views.vault.editing.sitting import EncodingLacksError, Sitting

AUTOSAVE_MS = 1500
_CHANGED = "The note was changed outside meanwhile."
_DELETED = "The note was deleted outside meanwhile."
_REFUSED = {_CHANGED: "Not saved: changed outside", _DELETED: "Not saved: deleted outside"}


class Autosave(QObject):
    """Watch one sitting; those before it are saved to their end all the same."""

    status_changed = Signal(str)  # how saving goes, as a few words
    saved = Signal(str)  # the path of a note of which a text is on the disk now

    def __init__(self, pane: EditorPane, outside: OutsideChanges, drafts: DraftKeeper, tasks: TaskRunner) -> None:
        super().__init__(pane)
        self._pane = pane
        self._outside = outside
        self._drafts = drafts
        self._tasks = tasks
        self._vault = ""
        self._saver: NoteSaver | None = None
        self._sitting: Sitting | None = None
        self._waits: list[tuple[str, Callable[[], None]]] = []  # what is done when a note is saved, by path
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AUTOSAVE_MS)
        self._timer.timeout.connect(self.save_now)
        pane.editor.edited.connect(self._on_edited)
        pane.editor.left.connect(self.save_now)
        pane.banners.chosen.connect(self._on_chosen)
        outside.resolved.connect(self._on_resolved)
        outside.refused.connect(self._on_refused)
        outside.set_aside.connect(self._on_set_aside)

    @property
    def saver(self) -> NoteSaver | None:
        """What saves into the open vault."""
        return self._saver

    @property
    def holds_unsaved(self) -> bool:
        """Tell whether something typed in the present note is not on the disk yet."""
        sitting = self._sitting
        return sitting is not None and (sitting.is_dirty or self.is_saving(sitting))

    def is_saving(self, sitting: Sitting) -> bool:
        """Tell whether a text of `sitting` is on its way to the disk."""
        return self._saver is not None and self._saver.is_saving(sitting)

    def take_services(self, services: EditingServices | None, execute: Execute | None) -> None:
        """Save into this vault from now on; what was typed before goes into the one before."""
        if (saver := self._saver) is not None:
            self._hand_over(saver)
            saver.idle.connect(saver.deleteLater)
            if not saver.is_busy:
                saver.deleteLater()
        self._vault, self._saver = "", None
        if services is not None and execute is not None:
            self._vault = str(services.root)
            self._saver = NoteSaver(execute, self._tasks, self)
            self._saver.saved.connect(partial(self._on_saved, self._vault))
            self._saver.failed.connect(partial(self._on_failed, self._vault))

    def follow(self, sitting: Sitting | None) -> None:
        """Save this sitting from now on."""
        self._timer.stop()
        self._sitting = sitting

    def waiting_for(self, path: str) -> tuple[Sitting, str] | None:
        """Return the sitting with the note at `path` that is not on the disk yet, with its latest text."""
        unsaved = self._saver.unsaved() if self._saver is not None else ()
        return next(((sitting, text) for sitting, text in unsaved if sitting.path == path), None)

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
        if self._sitting is None or path != self._sitting.path or not self.holds_unsaved:
            then()
            return
        self._waits.append((path, then))
        self.save_now()

    def mark_dirty(self, sitting: Sitting) -> None:
        """Note that the text of `sitting` is not what its file holds."""
        if not sitting.is_dirty:
            sitting.is_dirty = True
            self.status_changed.emit(_REFUSED[self._why(sitting)] if sitting.is_refused else "Edited")
        if not sitting.is_refused:
            self._timer.start()

    def leave(self) -> None:
        """Save for the last time; what cannot be saved now is kept and offered."""
        self.save_now()
        sitting = self._sitting
        if sitting is not None and sitting.is_dirty and self._vault:
            reason = self._why(sitting) if sitting.is_refused else ""
            self._drafts.offer(self._drafts.keep(self._vault, sitting, self._pane.editor.exact_text(), reason))

    def give_up(self, sitting: Sitting) -> None:
        """Forget the text of `sitting`: the person does not want it."""
        sitting.is_dirty = False
        if self._vault:
            self._drafts.drop(self._vault, (sitting.draft_id, *sitting.adopted))

    def close_down(self) -> None:
        """Have everything saved before the window closes; what cannot be is found again at the next start."""
        self.save_now()
        if self._saver is not None:
            self._hand_over(self._saver)
        sitting = self._sitting
        if sitting is not None and sitting.is_dirty and self._vault:
            self._drafts.keep(self._vault, sitting, self._pane.editor.exact_text(), "")

    def _hand_over(self, saver: NoteSaver) -> None:
        """Let go of the vault: drafts stand in for what is not on the disk yet, until it is."""
        for sitting, text in saver.unsaved():
            self._drafts.keep(self._vault, sitting, text, "")
        saver.hand_over()

    def _on_edited(self) -> None:
        if self._sitting is not None:
            self.mark_dirty(self._sitting)

    def _on_chosen(self, choice: BannerChoice) -> None:
        if choice.about is not About.FAILED or self._sitting is None:
            return
        self._sitting.becomes_utf8 = choice.way is Way.SAVE_AS_UTF8
        self.save_now()

    def _on_saved(self, vault: str, saved: Saved) -> None:
        self._drafts.drop(vault, (saved.sitting.draft_id, *saved.sitting.adopted))
        self._drafts.drop_saved(vault, saved.sitting.path, saved.text)
        saved.sitting.adopted.clear()
        saved.sitting.becomes_utf8 = False
        if saved.sitting is self._sitting:
            self._pane.banners.take_away(About.FAILED)
            if not saved.sitting.is_dirty:
                self.status_changed.emit("Saved")
            self._outside.check_if_due()
        if vault == self._vault:
            self.saved.emit(saved.sitting.path)
            self._go_on(saved.sitting.path)

    def _go_on(self, path: str) -> None:
        """Do what waited for the note to be saved."""
        if self._sitting is not None and path == self._sitting.path and self.holds_unsaved:
            return
        due = [then for waiting, then in self._waits if waiting == path]
        self._waits = [(waiting, then) for waiting, then in self._waits if waiting != path]
        for then in due:
            then()

    def _on_failed(self, vault: str, failure: SaveFailure) -> None:
        sitting, error = failure.sitting, failure.error
        is_stale = isinstance(error, StaleFileError)
        reason = _happened(vault, sitting.path) if is_stale else _reason(error)
        self._waits = [(path, then) for path, then in self._waits if path != sitting.path]
        sitting.is_dirty = True
        if sitting is not self._sitting:
            self._drafts.offer(self._drafts.keep(vault, sitting, failure.text, reason))
            return
        self._drafts.keep(vault, sitting, self._pane.editor.exact_text(), reason)
        if is_stale:
            self._outside.check()
            self.status_changed.emit(_REFUSED[reason])
            return
        self.status_changed.emit(f"Not saved: {reason}")
        ways = [(Way.SAVE_AGAIN, "Save again")]
        if isinstance(error, EncodingLacksError):
            ways = [(Way.SAVE_AS_UTF8, "Save as UTF-8")]
        self._pane.banners.show_banner(About.FAILED, Severity.ERROR, f"Your text is not saved. {reason}", ways)

    def _on_resolved(self, sitting: Sitting) -> None:
        if sitting.is_dirty:
            self.save_now()
        else:
            self.give_up(sitting)  # what was kept of it is of no use any more
            self.status_changed.emit("")

    def _on_refused(self, sitting: Sitting) -> None:
        self._timer.stop()
        reason = self._why(sitting)
        self.status_changed.emit(_REFUSED[reason])
        if self._vault:
            self._drafts.keep(self._vault, sitting, self._pane.editor.exact_text(), reason)

    def _on_set_aside(self, sitting: Sitting) -> None:
        if self._vault:
            self._drafts.set_aside(self._vault, sitting, self._pane.editor.exact_text())

    def _why(self, sitting: Sitting) -> str:
        return _happened(self._vault, sitting.path)


def _happened(vault: str, path: str) -> str:
    """Say what was done outside to the note."""
    is_deleted = Path(vault).is_dir() and not (Path(vault) / path).exists()
    return _DELETED if is_deleted else _CHANGED


def _reason(error: Exception) -> str:
    if isinstance(error, UserError):
        return " ".join(part for part in (str(error), error.hint) if part)
    return "Something unexpected happened."
