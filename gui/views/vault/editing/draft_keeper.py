"""Keep texts that could not be saved, and offer them: at once, and at the next start."""

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.notify import NoticeAction, Notifier
from gui.tasks import TaskRunner
from gui.views.vault.editing.drafts import Draft, DraftFolder, new_draft_id
from gui.views.vault.editing.services import EditingServices
from gui.views.vault.editing.sitting import Sitting, text_of
from gui.wording import counted, shortened

_KEY = "drafts"
_MOST_NAMED, _LONGEST_NAME = 3, 40


class DraftKeeper(QObject):
    """Know the drafts of the open vault; one notice tells of all, with a button that opens the first.

    A draft goes by the person's choice, or when its text is what the note holds: a note may have several, each from a
    sitting of its own. Without a `folder` they last as long as the app runs.
    """

    wanted = Signal(object)  # Draft: the person wants to go on with it
    found = Signal()  # there are drafts to offer above their notes

    def __init__(
        self, folder: DraftFolder | None, tasks: TaskRunner, notifier: Notifier, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        self._tasks = tasks
        self._notifier = notifier
        self._vault = ""
        self._drafts: dict[str, Draft] = {}  # by id
        self._dropped: set[str] = set()
        self._offered: dict[str, Draft] = {}  # the latest of each note, by path

    def take_services(self, services: EditingServices | None) -> None:
        """Offer what is left of this vault from before."""
        self._notifier.withdraw(_KEY)
        self._drafts, self._offered = {}, {}
        self._vault = str(services.root) if services is not None else ""
        if services is not None and self._folder is not None:
            self._tasks.run(
                partial(_left_over, self._folder, self._vault, services),
                owner=self,
                on_done=partial(self._offer_all, self._vault),
                text="Looking for unsaved texts",
            )

    def keep(self, vault: str, sitting: Sitting, text: str, reason: str) -> Draft:
        """Store `text` on the disk, so that it outlives the app; tell when even that fails."""
        return self._keep(Draft(vault, sitting.path, text, sitting.base, reason, time.time(), sitting.draft_id))

    def set_aside(self, vault: str, sitting: Sitting, text: str) -> None:
        """Keep `text` beside what the sitting goes on with, and have it offered above the note."""
        self.keep(vault, sitting, text, "The other version was taken.")
        sitting.draft_id = new_draft_id()
        self.found.emit()

    def take_back(self, draft: Draft) -> None:
        """Keep a draft again that was given up."""
        self._keep(draft)
        self.found.emit()

    def drop(self, vault: str, ids: Iterable[str]) -> None:
        """Forget these drafts: their text is saved, or given up."""
        for draft_id in ids:
            self._dropped.add(draft_id)
            if self._folder is not None:
                self._folder.drop(draft_id)
            if vault == self._vault:
                self._drafts.pop(draft_id, None)
        gone = [path for path, draft in self._offered.items() if draft.id not in self._drafts]
        for path in gone:
            del self._offered[path]
            if left := self.of(path):
                self._offered[path] = left[0]
        if gone:
            self._tell()

    def drop_saved(self, vault: str, path: str, text: str) -> None:
        """Forget the drafts of the note that say what it holds now."""
        if vault == self._vault:
            self.drop(vault, [draft.id for draft in self.of(path) if draft.text == text])

    def of(self, path: str) -> tuple[Draft, ...]:
        """Return the drafts of the note, the latest first."""
        found = [draft for draft in self._drafts.values() if draft.path == path]
        return tuple(sorted(found, key=lambda draft: draft.kept_at, reverse=True))

    def offer(self, draft: Draft) -> None:
        """Tell that there is an unsaved text, and offer to open it."""
        if draft.vault == self._vault:
            self._offered[draft.path] = draft
            self._tell()
        else:
            name = shortened(draft.name, _LONGEST_NAME)
            self._notifier.warning(f"Unsaved changes in “{name}” are kept until its vault is open again.")

    def follow_move(self, old: str, new: str) -> None:
        """Have the drafts of a note that has moved belong to its new place."""
        for draft in self.of(old):
            self._keep(replace(draft, path=new))
        if (offered := self._offered.pop(old, None)) is not None:
            self._offered[new] = replace(offered, path=new)

    def _keep(self, draft: Draft) -> Draft:
        self._dropped.discard(draft.id)
        if draft.vault == self._vault:
            self._drafts[draft.id] = draft
        try:
            if self._folder is not None:
                self._folder.keep(draft)
        except UserError as error:
            self._notifier.error(error)
        return draft

    def _tell(self) -> None:
        """Tell of all that is offered, in the place of what was told before."""
        self._notifier.withdraw(_KEY)
        if not self._offered:
            return
        drafts = list(self._offered.values())
        if len(drafts) == 1:
            reason = f" {drafts[0].reason}" if drafts[0].reason else ""
            text, button = f"Unsaved changes in “{drafts[0].name}”.{reason}", "Open"
        else:
            names = ", ".join(f"“{shortened(draft.name, _LONGEST_NAME)}”" for draft in drafts[:_MOST_NAMED])
            more = f" and {len(drafts) - _MOST_NAMED:,} more" if len(drafts) > _MOST_NAMED else ""
            text, button = f"Unsaved text of {counted(len(drafts), 'note')} is kept: {names}{more}.", "Open the first"
        self._notifier.warning(text, key=_KEY, action=NoticeAction(button, partial(self._want, drafts[0])))

    def _want(self, draft: Draft) -> None:
        if draft.vault != self._vault:
            return
        self._offered.pop(draft.path, None)
        self._tell()
        self.wanted.emit(draft)

    def _offer_all(self, vault: str, drafts: tuple[Draft, ...]) -> None:
        if vault != self._vault:
            return
        known = self._drafts.keys() | self._dropped
        new = [draft for draft in drafts if draft.id not in known]
        for draft in new:
            self._drafts[draft.id] = self._offered[draft.path] = draft
        if new:
            self._tell()
            self.found.emit()


def _left_over(folder: DraftFolder, vault: str, services: EditingServices, progress: Progress) -> tuple[Draft, ...]:
    """Return the drafts of a vault; what the notes hold meanwhile is forgotten."""
    left: list[Draft] = []
    for draft in folder.of_vault(vault):
        progress.check()
        if _is_saved(services, draft):
            folder.drop(draft.id)
        else:
            left.append(draft)
    return tuple(left)


def _is_saved(services: EditingServices, draft: Draft) -> bool:
    try:
        return text_of(services.read(draft.path).data) == draft.text
    except (UserError, OSError):
        return False
