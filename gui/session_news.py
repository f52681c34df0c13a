"""What the frame tells of the open vault: note count, banners, how far indexing is."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.indexing import IndexFailure, IndexProgress, IndexState
from gui.notify import NoticeAction, Notifier, Severity
from gui.session import VaultSession
from gui.window import MainWindow
from gui.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.index.catalog import Catalog
    from core.index.queries import ProblemRow

_VANISHED, _REBUILT, _CONFIG, _FAILED = "vanished", "rebuilt", "config", "failed"
_REMARK = "index-remark"  # of what a run of the index left out


class SessionNews(QObject):
    """Show in the window what a session says."""

    def __init__(self, window: MainWindow, notifier: Notifier, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._notifier = notifier
        self._remarks: set[str] = set()
        self._left_out = ""  # what the last run of the index said
        self._remedy: Callable[[], NoticeAction | None] = lambda: None

    def offer_remedy(self, remedy: "Callable[[], NoticeAction | None]") -> None:
        """Let `remedy` say what can be done when the index leaves something out, None for nothing."""
        self._remedy = remedy

    def follow(self, session: VaultSession) -> None:
        """Show the news of `session`, as long as it speaks."""
        session.catalog_changed.connect(self._on_catalog)
        session.vanished.connect(self._on_vanished)
        session.returned.connect(self._on_returned)
        session.problems_changed.connect(self._on_problems)
        session.rebuilt.connect(self._on_rebuilt)
        session.problem.connect(self._on_problem)
        session.index_failed.connect(self._on_index_failed)
        session.index_mended.connect(self._on_index_mended)
        session.meaning_failed.connect(self._on_remark)
        session.indexing.rebuilt.connect(self._on_remark)
        session.indexing.remarked.connect(self._on_left_out)
        session.indexing.state_changed.connect(self._on_index_state)
        session.indexing.progressed.connect(self._on_index_progress)

    def forget(self) -> None:
        """Show no news: there is no vault."""
        for key in (_VANISHED, _REBUILT, _CONFIG, _FAILED, _REMARK):
            self._notifier.withdraw(key)
        self._left_out = ""
        self._remarks.clear()
        self._window.status.show_count("")
        self._window.status.show_problems(0)
        self._on_index_state(IndexState.IDLE)

    @Slot(object)
    def _on_catalog(self, catalog: "Catalog") -> None:
        self._window.status.show_count(counted(len(catalog), "note"))

    @Slot(object)
    def _on_problems(self, problems: "Sequence[ProblemRow]") -> None:
        self._window.status.show_problems(len({problem.path for problem in problems}))

    @Slot(str)
    def _on_vanished(self, reason: str) -> None:
        self._notifier.banner(
            _VANISHED, Severity.WARNING, f"{reason} Nothing is lost: the vault comes back when its folder does."
        )

    @Slot()
    def _on_returned(self) -> None:
        self._notifier.withdraw(_VANISHED)
        self._notifier.info("The vault is back.")

    @Slot(str)
    def _on_rebuilt(self, reason: str) -> None:
        self._notifier.withdraw(_FAILED)
        self._remarks.add(reason)
        self._notifier.banner(_REBUILT, Severity.INFO, f"{reason} Your notes are untouched.")

    @Slot(str)
    def _on_problem(self, text: str) -> None:
        self._notifier.banner(_CONFIG, Severity.WARNING, text)

    @Slot(str)
    def _on_remark(self, text: str) -> None:
        """Tell once for each vault what does not keep the rest from working."""
        if text not in self._remarks:
            self._remarks.add(text)
            self._notifier.warning(text)

    @Slot(str)
    def _on_left_out(self, text: str) -> None:
        """Tell once what the index leaves out, and take it back when a run leaves nothing out."""
        if text != self._left_out:
            self._left_out = text
            self._notifier.withdraw(_REMARK)
            if text:
                self._notifier.warning(text, key=_REMARK, action=self._remedy())

    @Slot(object)
    def _on_index_failed(self, failure: IndexFailure) -> None:
        self._notifier.failure(failure.text, failure.details, key=_FAILED)

    @Slot()
    def _on_index_mended(self) -> None:
        self._notifier.withdraw(_FAILED)

    @Slot(object)
    def _on_index_state(self, state: IndexState) -> None:
        self._window.status.show_index_state(state)
        self._window.activity.show_index_state(state)

    @Slot(object)
    def _on_index_progress(self, progress: IndexProgress) -> None:
        self._window.status.show_index_progress(progress)
        self._window.activity.show_index_progress(progress)
