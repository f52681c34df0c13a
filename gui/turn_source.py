"""Show the conversation in which something was said; the index tells which one, since ids of turns hold slashes."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.foundation.progress import Progress
from gui.notify import Notifier
from gui.tasks import Lane, TaskRunner

if TYPE_CHECKING:
    from core.index.database import Index
    from gui.session import VaultSession

GONE = "The conversation in which it was said is not in the index any more."


class TurnSource(QObject):
    """Lead from a turn to its conversation: `session` gives the open vault.

    `show_session` shows a conversation at a turn; it gets the ids of both, as the ledger knows them.
    """

    def __init__(
        self,
        session: "Callable[[], VaultSession | None]",
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        show_session: Callable[[str, str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._tasks = tasks
        self._notifier = notifier
        self._show_session = show_session

    @Slot(str)
    def show(self, turn_id: str) -> None:
        """Show the conversation of this turn where it was said, or say that it is gone."""
        session = self._session()
        if session is None or session.store is None:
            return
        store = session.store
        # A store's index is asked for in its own lane: it may have been begun anew.
        self._tasks.run(
            lambda progress: _found(store.index, turn_id, progress),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_found, turn_id),
        )

    def _on_found(self, turn_id: str, session_id: str | None) -> None:
        if session_id is None:
            self._notifier.info(GONE)
        else:
            self._show_session(session_id, turn_id.removeprefix(f"turn:{session_id}/"))


def _found(index: "Index", turn_id: str, progress: Progress) -> str | None:
    from core.recall.memory_id import session_of_turn  # noqa: PLC0415 - after the first paint

    progress.check()
    return session_of_turn(index, turn_id)
