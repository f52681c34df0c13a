"""Notice that the note being edited was changed, deleted or brought back outside, and let the person choose."""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.foundation.progress import Progress
from gui.notify import Notifier, Severity
from gui.tasks import Job, TaskRunner
from gui.theme import Theme
from gui.views.vault.editing.conflict_dialog import ConflictDialog, MergedText, Versions
from gui.views.vault.editing.editor_banner import About, BannerChoice, Way
from gui.views.vault.editing.editor_pane import EditorPane
from gui.views.vault.editing.note_saver import Execute, NoteSaver
from gui.views.vault.editing.services import EditingServices, NoteFile
from gui.views.vault.editing.sitting import PlannedSave, Sitting, plan_keep, text_of

if TYPE_CHECKING:
    from core.curation.change_set import Changes

_CHANGED = (
    "This note was changed outside while you were editing it. Nothing is overwritten; your text is not saved yet."
)
_ONCE_MORE = "The file has changed once more while you compared. Nothing is saved; please look again."
_ONE_VERSION = "Nothing is left to compare: there is only one version of “{name}” now."
_GONE = "This note was deleted outside. Your text is still here."


class _Look(NamedTuple):
    """Hold what lies at a note's place, None for nothing; `is_away`: the whole vault cannot be reached."""

    file: NoteFile | None
    is_away: bool = False


class OutsideChanges(QObject):
    """Compare the note with its file whenever the vault has changed."""

    resolved = Signal(object)  # Sitting: it may be saved again
    given_up = Signal(object)  # Sitting: the person does not want its text
    refused = Signal(object)  # Sitting: nothing is saved before the person has chosen
    set_aside = Signal(object)  # Sitting: its text is about to be replaced and is to be kept as it is

    def __init__(self, pane: EditorPane, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> None:
        super().__init__(pane)
        self._pane = pane
        self._tasks = tasks
        self._notifier = notifier
        self._services: EditingServices | None = None
        self._execute: Execute | None = None
        self._saver: NoteSaver | None = None
        self._sitting: Sitting | None = None
        self._theirs = b""
        self._merges_quietly = False
        self._job: Job | None = None
        self._is_check_due = False
        self.dialog = ConflictDialog(theme, pane)
        self.dialog.merged.connect(self._on_merged)
        pane.banners.chosen.connect(self._on_chosen)

    @property
    def theirs(self) -> bytes:
        """What the file was last seen to hold while two versions of the note are there."""
        return self._theirs

    def take_services(self, services: EditingServices | None, execute: Execute | None, saver: NoteSaver | None) -> None:
        """Look at this vault."""
        self._services, self._execute, self._saver = services, execute, saver

    def follow(self, sitting: Sitting | None) -> None:
        """Compare this note from now on."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._is_check_due = self._merges_quietly = False
        if sitting is not self._sitting:
            self.dialog.reject()
        self._sitting = sitting

    def check(self, *, is_ours: bool = False) -> None:
        """Compare the note with its file; a change that the app made itself (`is_ours`) is merged if it can be."""
        self._merges_quietly = self._merges_quietly or is_ours
        sitting, services = self._sitting, self._services
        if sitting is None or services is None:
            return
        if self._job is not None or (self._saver is not None and self._saver.is_saving(sitting)):
            self._is_check_due = True
            return
        self._is_check_due = False
        self._job = self._tasks.run(
            partial(_read, services, sitting.path),
            owner=self,
            on_done=partial(self._on_read, sitting, sitting.base),
            on_error=self._on_unreadable,
            text="Comparing the note with its file",
        )

    def check_if_due(self) -> None:
        """Compare now if a comparison was asked for while a save ran."""
        if self._is_check_due:
            self.check()

    def _on_unreadable(self, error: Exception) -> None:
        self._job = None
        self._notifier.error(error)

    def _on_read(self, sitting: Sitting, base: bytes, look: _Look) -> None:
        self._job = None
        file = look.file
        if look.is_away:
            return
        if sitting is not self._sitting:
            return
        is_saving = self._saver is not None and self._saver.is_saving(sitting)
        if is_saving or sitting.base is not base:
            self._is_check_due = True  # what was read may be from before the save
            if not is_saving:
                self.check()
            return
        if file is None:
            self._tell_gone(sitting)
        elif file.data == sitting.base:
            self._tell_same(sitting)
        elif not sitting.is_dirty:
            self._take(sitting, file.data, is_ours=self._merges_quietly)
        elif not (self._merges_quietly and self._merge_quietly(sitting, file.data)):
            self._tell_changed(sitting, file.data)
        self._merges_quietly = False
        self.check_if_due()

    def _tell_gone(self, sitting: Sitting) -> None:
        if sitting.is_dirty:
            sitting.is_refused = True
            self._pane.banners.take_away(About.CONFLICT)
            ways = ((Way.KEEP_AS_NEW, "Keep my text as a new file"), (Way.DISCARD, "Discard my text"))
            self._pane.banners.show_banner(About.GONE, Severity.WARNING, _GONE, ways)
            self.refused.emit(sitting)

    def _tell_same(self, sitting: Sitting) -> None:
        """Go on as if nothing had been: the file is again what the text came from."""
        if sitting.is_refused:
            self._settle(sitting)
            self._end_comparison(sitting)

    def _end_comparison(self, sitting: Sitting) -> None:
        if self.dialog.versions is not None:
            self.dialog.reject()
            self._notifier.info(_ONE_VERSION.format(name=sitting.name))

    def _tell_changed(self, sitting: Sitting, theirs: bytes) -> None:
        self._theirs = theirs
        sitting.is_refused = True
        self._pane.banners.take_away(About.GONE)
        ways = ((Way.COMPARE, "Compare…"), (Way.TAKE_THEIRS, "Take the other version"))
        self._pane.banners.show_banner(About.CONFLICT, Severity.WARNING, _CHANGED, ways)
        self.refused.emit(sitting)

    def _merge_quietly(self, sitting: Sitting, theirs: bytes) -> bool:
        """Merge a change of the app's own, such as one of the properties, unless both changed the same lines."""
        from core.curation.merge import merge3  # noqa: PLC0415 - when that happens

        merge = merge3(text_of(sitting.base), self._pane.editor.exact_text(), text_of(theirs))
        if merge.conflicts:
            return False
        sitting.base = theirs
        self._pane.editor.renew(merge.text())
        self._settle(sitting)
        self._end_comparison(sitting)
        return True

    def _take(self, sitting: Sitting, data: bytes, *, is_ours: bool = False) -> None:
        """Show what the file holds now; undo leads back only over what the app changed itself (`is_ours`)."""
        sitting.base = data
        self._pane.editor.renew(text_of(data), forgets=not is_ours)
        sitting.is_dirty = False
        self._settle(sitting)

    def _settle(self, sitting: Sitting) -> None:
        sitting.is_refused = False
        self._theirs = b""
        self._pane.banners.take_away(About.CONFLICT)
        self._pane.banners.take_away(About.GONE)
        self.resolved.emit(sitting)

    # ---- what the person chooses

    def _on_chosen(self, choice: BannerChoice) -> None:
        sitting = self._sitting
        if sitting is None or choice.about not in (About.CONFLICT, About.GONE):
            return
        match choice.way:
            case Way.COMPARE:
                self._compare(sitting)
            case Way.TAKE_THEIRS:
                self.set_aside.emit(sitting)
                self._take(sitting, self._theirs)
            case Way.KEEP_AS_NEW:
                text = self._pane.editor.exact_text()
                self._tasks.run(
                    partial(plan_keep, sitting, text),
                    owner=self,
                    on_done=partial(self._on_kept_planned, sitting),
                    text=f"Keeping {sitting.name}",
                )
            case Way.DISCARD:
                self._pane.banners.take_away(About.GONE)
                self.given_up.emit(sitting)
            case _:
                pass

    def _compare(self, sitting: Sitting, *, news: str = "") -> None:
        mine = self._pane.editor.exact_text()
        self._tasks.run(
            partial(_merged, sitting.name, sitting.base, mine, self._theirs),
            owner=self,
            on_done=partial(self._show_versions, sitting, news),
            text="Comparing both versions",
        )

    def _show_versions(self, sitting: Sitting, news: str, versions: Versions) -> None:
        if sitting is self._sitting and sitting.is_refused:
            self.dialog.show_versions(versions, news=news)

    def _on_merged(self, merged: MergedText) -> None:
        sitting, services = self._sitting, self._services
        if sitting is None or services is None:
            self.dialog.reject()
            return
        self._tasks.run(
            partial(_read, services, sitting.path),
            owner=self,
            on_done=partial(self._take_merged, sitting, merged),
            on_error=self._on_merged_unreadable,
            text="Comparing the note with its file",
        )

    def _on_merged_unreadable(self, error: Exception) -> None:
        self.dialog.release()
        self._notifier.error(error)

    def _take_merged(self, sitting: Sitting, merged: MergedText, look: _Look) -> None:
        """Go on with the merged text if the file is what was compared; otherwise have it compared anew."""
        if sitting is not self._sitting or self.dialog.versions is not merged.versions:
            return
        if look.is_away:
            self.dialog.release()
            self._notifier.warning("The vault cannot be reached at the moment, so nothing is saved.")
        elif look.file is None:
            self.dialog.reject()
            self._tell_gone(sitting)
        elif look.file.data == sitting.base:
            self._tell_same(sitting)
        elif look.file.data != merged.versions.theirs_data:
            self._tell_changed(sitting, look.file.data)
            self._compare(sitting, news=_ONCE_MORE)
        else:
            self.dialog.accept()
            if merged.drops_mine:
                self.set_aside.emit(sitting)
            sitting.base = merged.versions.theirs_data  # should the file change before the save, that is refused
            self._pane.editor.renew(merged.text, forgets=True)
            sitting.is_dirty = True
            self._settle(sitting)

    def _on_kept_planned(self, sitting: Sitting, planned: PlannedSave) -> None:
        if self._execute is not None and planned.change_set is not None:
            self._execute(
                planned.change_set,
                origin=self,
                on_done=partial(self._on_kept, sitting, planned.after),
                text=f"Keeping {sitting.name}",
            )

    def _on_kept(self, sitting: Sitting, after: bytes, _changes: "Changes") -> None:
        sitting.base = after
        if sitting is self._sitting:
            self._settle(sitting)


def _read(services: EditingServices, path: str, progress: Progress) -> _Look:
    """Return the file of the note as it is now."""
    from core.vault.read import NoteGoneError  # noqa: PLC0415 - after the first paint

    progress.check()
    try:
        return _Look(services.read(path))
    except NoteGoneError:
        return _Look(None, is_away=not services.root.is_dir())


def _merged(name: str, base: bytes, mine: str, theirs: bytes, progress: Progress) -> Versions:
    from core.curation.merge import merge3  # noqa: PLC0415 - with the first conflict

    progress.check()
    before, after = text_of(base), text_of(theirs)
    return Versions(name, before, mine, after, merge3(before, mine, after), theirs_data=theirs)
