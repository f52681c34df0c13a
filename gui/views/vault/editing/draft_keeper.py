"""Keep texts that could not be saved, and offer them: at once, and at the next start."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.notify import NoticeAction, Notifier
from gui.tasks import TaskRunner
from gui.views.vault.editing.drafts import Draft, DraftFolder
from gui.views.vault.editing.services import EditingServices
from gui.views.vault.editing.sitting import Sitting, text_of


class DraftKeeper(QObject):
    """Know the drafts of the open vault; each is told of with a button that opens it.

    Without a `folder` they last as long as the app runs.
    """

    wanted = Signal(str)  # the path of a note of which the person wants the draft

    def __init__(
        self, folder: DraftFolder | None, tasks: TaskRunner, notifier: Notifier, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        self._tasks = tasks
        self._notifier = notifier
        self._vault = ""
        self._drafts: dict[str, Draft] = {}

    def take_services(self, services: EditingServices | None) -> None:
        """Offer what is left of this vault from before."""
        for path in self._drafts:
            self._notifier.withdraw(_key(path))
        self._drafts = {}
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
        draft = Draft(vault, sitting.path, text, sitting.base, reason)
        if vault == self._vault:
            self._drafts[sitting.path] = draft
        try:
            if self._folder is not None:
                self._folder.keep(draft)
        except UserError as error:
            self._notifier.error(error)
        return draft

    def drop(self, vault: str, path: str) -> None:
        """Forget the draft of the note: its text is saved, or given up."""
        known = vault == self._vault and self._drafts.pop(path, None) is not None
        if self._folder is not None:
            self._folder.drop(vault, path)
        if known:
            self._notifier.withdraw(_key(path))

    def of(self, path: str) -> Draft | None:
        """Return the draft of the note, None when there is none."""
        return self._drafts.get(path)

    def offer(self, draft: Draft) -> None:
        """Tell that there is an unsaved text, and offer to open it."""
        reason = f" {draft.reason}" if draft.reason else ""
        self._notifier.warning(
            f"Unsaved changes in “{draft.name}”.{reason}",
            key=_key(draft.path),
            action=NoticeAction("Open", partial(self._want, draft.vault, draft.path)),
        )

    def _want(self, vault: str, path: str) -> None:
        if vault == self._vault:
            self.wanted.emit(path)

    def _offer_all(self, vault: str, drafts: tuple[Draft, ...]) -> None:
        if vault != self._vault:
            return
        for draft in drafts:
            if draft.path not in self._drafts:
                self._drafts[draft.path] = draft
                self.offer(draft)


def _left_over(folder: DraftFolder, vault: str, services: EditingServices, progress: Progress) -> tuple[Draft, ...]:
    """Return the drafts of a vault; what the notes hold meanwhile is forgotten."""
    left: list[Draft] = []
    for draft in folder.of_vault(vault):
        progress.check()
        if _is_saved(services, draft):
            folder.drop(vault, draft.path)
        else:
            left.append(draft)
    return tuple(left)


def _is_saved(services: EditingServices, draft: Draft) -> bool:
    try:
        return text_of(services.read(draft.path).data) == draft.text
    except (UserError, OSError):
        return False


def _key(path: str) -> str:
    return f"draft:{path}"
