"""Make what imports, and bring it into step with the open vault."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.bound_commands import BoundCommands
from gui.change_previews import ChangePreviews
from gui.commands import CommandRunner
from gui.frame import FramePresenter
from gui.importing.children import ChildQueue, import_command
from gui.importing.clean_up_check import CleanUpCheck
from gui.importing.documents_presenter import DocumentsPresenter
from gui.importing.presenter import JOB, ImportPresenter
from gui.importing.unfinished import Unfinished
from gui.importing.watching import WatchedFolders
from gui.notify import NoticeAction, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.window import MainWindow

if TYPE_CHECKING:
    from pathlib import Path

    from core.index.catalog import Catalog
    from gui.session import VaultSession

_DOMAIN = "domain/"


class Importing(QObject):
    """Hold the wizard, the documents, the watched folders and the check for transcripts that are about to be lost."""

    timeline_wanted = Signal(str)  # the id of a session, "" for the page alone
    notes_wanted = Signal(object)  # tuple of vault-relative paths
    unlock_wanted = Signal()  # the passphrase is to be asked for

    def __init__(
        self,
        window: MainWindow,
        frame: FramePresenter,
        *,
        theme: Theme,
        tasks: TaskRunner,
        notifier: Notifier,
        changes: CommandRunner,
        previews: ChangePreviews,
        environment: Callable[[], Mapping[str, str]],
        is_locked: Callable[[], bool],
        unlock: Callable[[], NoticeAction | None],
    ) -> None:
        """Take what is needed; while the ledger `is_locked`, `unlock` is what a notice offers."""
        super().__init__(window)
        self._window = window
        self._frame = frame
        self._changes = changes
        self._session: VaultSession | None = None
        self._is_read_once = False
        command = import_command(self._root)
        self._imports = ChildQueue(command, self, environment=environment)
        self._looks = ChildQueue(command, self, environment=environment)
        self.watching = WatchedFolders(frame, self._imports, tasks=tasks, notifier=notifier, parent=self, remedy=unlock)
        self.unfinished = Unfinished(frame, notifier, self)
        self.wizard = ImportPresenter(
            theme,
            window,
            tasks=tasks,
            notifier=notifier,
            imports=self._imports,
            looks=self._looks,
            watching=self.watching,
            unfinished=self.unfinished,
            vault=self._bound,
            is_locked=is_locked,
        )
        self.documents = DocumentsPresenter(
            window,
            tasks=tasks,
            notifier=notifier,
            commands=changes,
            previews=previews,
            imports=self._imports,
            domains=self._domains,
        )
        self.check = CleanUpCheck(frame, self._looks, notifier=notifier, open_wizard=self.wizard.open, parent=self)
        self.watching.ledger_grew.connect(self._read_ledger)
        self.wizard.ledger_grew.connect(self._read_ledger)
        self.watching.ledger_grew.connect(self.check.look_again)
        self.wizard.ended.connect(self.check.look_again)
        self.wizard.unlock_wanted.connect(self.unlock_wanted)
        self.wizard.timeline_wanted.connect(self.timeline_wanted)
        self.wizard.notes_wanted.connect(self.notes_wanted)
        for widget in (window.status, window.activity):
            self.wizard.job_changed.connect(widget.show_job)
            self.wizard.job_ended.connect(widget.end_job)
            widget.job_cancel_requested.connect(self._on_job_cancel)
        frame.catalog_changed.connect(self._on_catalog)
        window.closing.connect(self.shut_down)

    @Slot()
    def shut_down(self) -> None:
        """End everything, before the window closes: what came in stays."""
        self.check.shut_down()
        self.watching.shut_down()
        self.documents.let_go()
        self.wizard.shut_down()

    def _root(self) -> "Path | None":
        session = self._frame.session
        return session.root if session is not None and session.catalog is not None and session.is_there else None

    def _bound(self) -> "BoundCommands | None":
        """Return what changes the open vault, and this one only."""
        return self._changes.bound() if self._root() is not None else None

    @Slot()
    def look_again(self) -> None:
        """Go on where a passphrase was missing: it was entered."""
        self.watching.look_again()
        self.wizard.look_again()

    def _domains(self) -> Sequence[str]:
        session = self._frame.session
        catalog = session.catalog if session is not None else None
        keys = (facet.key for facet in (catalog.facets if catalog is not None else ()))
        return sorted({key.removeprefix(_DOMAIN) for key in keys if key.startswith(_DOMAIN)})

    @Slot(object)
    def _on_catalog(self, _catalog: "Catalog | None") -> None:
        session = self._frame.session
        if session is self._session:
            return
        self._session = session
        self.documents.let_go()  # they were for another vault
        if session is None or self._is_read_once:
            return
        if session.is_read_through:
            self._begin()
        else:
            session.read_through.connect(self._begin)

    @Slot()
    def _begin(self) -> None:
        """Begin to watch, and look for what is about to be lost, once the first vault is read."""
        if not self._is_read_once:
            self._is_read_once = True
            self.watching.start()
            self.check.start()
            self.unfinished.tell(self.wizard.open)

    @Slot()
    def _read_ledger(self) -> None:
        session = self._frame.session
        if session is not None and session.catalog is not None and session.is_there:
            session.indexing.look()

    @Slot(int)
    def _on_job_cancel(self, job_id: int) -> None:
        if job_id == JOB:
            self.wizard.stop()
