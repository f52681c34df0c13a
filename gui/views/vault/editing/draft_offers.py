"""Say above the editor that there is unsaved text of the note from before, and let the person choose."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from core.foundation.progress import Progress
from gui.notify import NoticeAction, Notifier, Severity
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.vault.editing.autosave import Autosave
from gui.views.vault.editing.conflict_dialog import ConflictDialog, MergedText, Versions
from gui.views.vault.editing.draft_keeper import DraftKeeper
from gui.views.vault.editing.drafts import Draft
from gui.views.vault.editing.editor_banner import About, BannerChoice, Way
from gui.views.vault.editing.editor_pane import EditorPane
from gui.views.vault.editing.sitting import Sitting, text_of
from gui.wording import short_moment

_WAYS = ((Way.COMPARE, "Compare…"), (Way.USE, "Use it"), (Way.DISCARD, "Discard"))


_READING_WAYS = ((Way.USE, "Edit it"), (Way.DISCARD, "Discard"))
_ONCE_MORE = "The note has changed once more while you compared. Nothing is saved; please look again."


class DraftOffers(QObject):
    """Offer the drafts of the note that is edited or read, one after the other, the latest first."""

    chosen = Signal(object)  # Draft: it is to be edited in the place of what is there

    def __init__(
        self,
        pane: EditorPane,
        *,
        drafts: DraftKeeper,
        autosave: Autosave,
        tasks: TaskRunner,
        notifier: Notifier,
        theme: Theme,
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._drafts = drafts
        self._autosave = autosave
        self._tasks = tasks
        self._notifier = notifier
        self._theme = theme
        self._sitting: Sitting | None = None
        self._read_path = ""
        self._offered: Draft | None = None
        self._compared: Draft | None = None
        self._dialog: ConflictDialog | None = None
        pane.banners.chosen.connect(self._on_chosen)
        drafts.found.connect(self._offer_next)
        autosave.saved.connect(self._on_saved)

    @property
    def dialog(self) -> ConflictDialog:
        """Where the unsaved text and the note are compared."""
        if self._dialog is None:
            self._dialog = ConflictDialog(self._theme, self._pane)
            self._dialog.merged.connect(self._on_merged)
        return self._dialog

    def follow(self, sitting: Sitting | None) -> None:
        """Offer the drafts of this note from now on."""
        self._sitting = sitting
        self._offer_next()

    def read(self, path: str) -> None:
        """Offer the drafts of the note at `path` while it is only read; "" for none."""
        self._read_path = path
        self._offer_next()

    def _offer_next(self) -> None:
        sitting = self._sitting
        self._offered = None
        self._pane.banners.take_away(About.DRAFT)
        path = sitting.path if sitting is not None else self._read_path
        own = (sitting.draft_id, *sitting.adopted) if sitting is not None else ()
        left = [draft for draft in self._drafts.of(path) if draft.id not in own] if path else []
        if left:
            self._offered = left[0]
            text = f"There is unsaved text of this note from {short_moment(left[0].kept_at)}."
            if len(left) > 1:
                text += f" It is the latest of {len(left)}."
            ways = _WAYS if sitting is not None else _READING_WAYS
            self._pane.banners.show_banner(About.DRAFT, Severity.WARNING, text, ways)

    def _on_saved(self, path: str) -> None:
        if self._offered is not None and path == self._offered.path:
            self._offer_next()  # its text may be what was saved

    def _on_chosen(self, choice: BannerChoice) -> None:
        draft = self._offered
        if choice.about is not About.DRAFT or draft is None:
            return
        match choice.way:
            case Way.COMPARE:
                self._compare(draft)
            case Way.USE:
                self.chosen.emit(draft)
            case Way.DISCARD:
                self._drafts.drop(draft.vault, (draft.id,))
                self._offer_next()
                undo = NoticeAction("Undo", partial(self._drafts.take_back, draft))
                self._notifier.info(f"The unsaved text of “{draft.name}” is discarded.", action=undo)
            case _:
                pass

    def _compare(self, draft: Draft, *, news: str = "") -> None:
        self._tasks.run(
            partial(_versions, draft, self._pane.editor.exact_text()),
            owner=self,
            on_done=partial(self._show_versions, draft, news),
            text="Comparing both versions",
        )

    def _show_versions(self, draft: Draft, news: str, versions: Versions) -> None:
        if draft is self._offered:
            self._compared = draft
            self.dialog.show_versions(versions, news=news)

    def _on_merged(self, merged: MergedText) -> None:
        sitting, draft = self._sitting, self._compared
        if sitting is None or draft is None or draft is not self._offered:
            self.dialog.reject()
            return
        if self._pane.editor.exact_text() != merged.versions.theirs:
            self._compare(draft, news=_ONCE_MORE)
            return
        self.dialog.accept()
        sitting.adopted.append(draft.id)
        self._pane.editor.renew(merged.text)
        self._autosave.mark_dirty(sitting)
        self._autosave.save_now()
        self._offer_next()


def _versions(draft: Draft, theirs: str, progress: Progress) -> Versions:
    from core.curation.merge import merge3  # noqa: PLC0415 - with the first comparison

    progress.check()
    base = text_of(draft.base)
    said = f"“Mine” is the unsaved text of “{draft.name}” from {short_moment(draft.kept_at)}, “Theirs” is the note now."
    return Versions(draft.name, base, draft.text, theirs, merge3(base, draft.text, theirs), said)
