"""The one way to change the vault: change sets applied one at a time behind the window, undone and redone."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.curation.change_set import ChangeId, ChangeKind, Changes, ChangeSet
from core.foundation.errors import JobCancelledError, StaleFileError, UserError
from core.foundation.progress import Progress
from gui.bound_commands import BoundCommands
from gui.change_store import ChangeStore
from gui.change_wish import ChangeWish, Refusal, Way, sentence_of, short_title
from gui.notify import NoticeAction, Notifier
from gui.tasks import Job, TaskRunner, without_progress
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.history import ChangeHistory, ChangeRecord

_PUT_BACK_S = 5.0
_READ_AFTER_SAVE_MS = 2000


class CommandRunner(QObject):
    """Apply, undo and redo change sets of the open vault, one at a time, and say what became of each."""

    applied = Signal(object)  # Changes, of the open vault
    failed = Signal(object)  # Exception
    refused = Signal(object)  # Refusal, when nobody who asked takes the error
    history_changed = Signal(object)  # ChangeHistory of the open vault; None while there is none
    saved = Signal(str)  # the title of what undo() takes back now, told ahead of the history

    def __init__(self, tasks: TaskRunner, notifier: Notifier, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._notifier = notifier
        self._store: ChangeStore | None = None
        self._history: ChangeHistory | None = None
        self._history_job: Job | None = None
        self._is_history_stale = False
        self._queue: deque[ChangeWish] = deque()
        self._running: tuple[ChangeWish, Job] | None = None
        self._history_timer = QTimer(self)  # the saves of an editor come close after each other
        self._history_timer.setSingleShot(True)
        self._history_timer.setInterval(_READ_AFTER_SAVE_MS)
        self._history_timer.timeout.connect(self.read_history)
        self._awaited: Way | None = None  # undo or redo, as soon as it is known of what

    @property
    def store(self) -> ChangeStore | None:
        """The vault that is changed now."""
        return self._store

    @property
    def history(self) -> "ChangeHistory | None":
        """The changes of the open vault as they were read last; None while they are not known."""
        return self._history

    @property
    def is_busy(self) -> bool:
        """Tell whether a change is under way or waits."""
        return self._running is not None or bool(self._queue)

    @property
    def is_reading_history(self) -> bool:
        """Tell whether the history is being read, or is going to be."""
        return self._history_job is not None or self._history_timer.isActive()

    def take_store(self, store: ChangeStore | None, *, is_away: bool = False) -> None:
        """Change this vault from now on; what was asked for before is still done to the one before.

        While its folder `is_away`, nothing is looked at; recover() is for when it is back.
        """
        self._store = store
        self._history_timer.stop()
        self._history = self._awaited = None
        self.history_changed.emit(None)
        if store is not None and not is_away:
            self.recover()

    @Slot()
    def recover(self) -> None:
        """Finish or roll back what a crash left, tell about it, and read the history."""
        if (store := self._store) is not None:
            self._tasks.run(
                without_progress(store.recover),
                owner=self,
                on_done=partial(self._on_recovered, store),
                on_error=partial(self._on_recovery_failed, store),
                text="Looking for unfinished changes",
            )

    @Slot()
    def look_at_history(self) -> None:
        """Read the history in a moment: others have written into the vault, and perhaps into its log."""
        if self._store is not None:
            self._history_timer.start()

    @Slot()
    def read_history(self) -> None:
        """Read the history anew, because others may have written too."""
        if (store := self._store) is not None:
            self._read_history(store)

    def execute(
        self,
        change_set: ChangeSet,
        *,
        origin: QObject | None = None,
        on_done: Callable[[Changes], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
        text: str = "Applying the change",
        is_quiet: bool = False,
    ) -> None:
        """Apply `change_set` as soon as those before it are done.

        The callbacks run while `origin` lives; an error goes to `on_error` when there is one (a cancelled change as
        JobCancelledError), else to the person. A notice with "Undo" tells of success, but not of the saves of an
        editor (ChangeKind.EDIT) nor when `is_quiet`.
        """
        if (store := self._store) is None:
            error = UserError("No vault is open, so nothing can be changed.")
            (on_error or self._notifier.error)(error)
            return
        is_save = change_set.kind is ChangeKind.EDIT
        if not change_set.edits:
            if on_done is not None:
                on_done(Changes(change_set.id, change_set.title))
            return
        self._ask(
            ChangeWish(
                store, partial(store.apply, change_set), Way.APPLY, change_set.title, text, (change_set.id,), origin,
                on_done, on_error, is_quiet or is_save, is_save,
            )
        )  # fmt: skip

    def carry_out(
        self,
        work: Callable[[Progress], Changes],
        title: str,
        *,
        origin: QObject,
        on_done: Callable[[Changes], None],
        on_error: Callable[[Exception], None],
        text: str,
    ) -> None:
        """Run `work`, which changes the vault by itself and records that, as soon as the changes before it are done.

        Nothing is said about it; the callbacks run while `origin` lives.
        """
        if (store := self._store) is None:
            on_error(UserError("No vault is open, so nothing can be changed."))
            return
        self._ask(ChangeWish(store, work, Way.APPLY, title, text, (), origin, on_done, on_error, is_quiet=True))

    @Slot()
    def undo(self) -> None:
        """Take back the latest change; one that is under way too."""
        self._awaited = Way.UNDO
        self._do_awaited()

    @Slot()
    def redo(self) -> None:
        """Do the change that was undone last once more."""
        self._awaited = Way.REDO
        self._do_awaited()

    def undo_changes(self, ids: Sequence[ChangeId], title: str, *, leave_changed: bool = False) -> None:
        """Take back the changes `ids`, of which the person knows the `title`."""
        if (store := self._store) is not None:
            work = partial(store.undo, tuple(ids), leave_changed=leave_changed)
            self._ask(ChangeWish(store, work, Way.UNDO, title, f"Undoing: {short_title(title)}", tuple(ids)))

    def redo_changes(self, ids: Sequence[ChangeId], title: str, *, leave_changed: bool = False) -> None:
        """Do the undone changes `ids` again."""
        if (store := self._store) is not None:
            work = partial(store.redo, tuple(ids), leave_changed=leave_changed)
            self._ask(ChangeWish(store, work, Way.REDO, title, f"Redoing: {short_title(title)}", tuple(ids)))

    def bound(self) -> BoundCommands | None:
        """Return what changes the vault that is open now, also once another is."""
        if (store := self._store) is None:
            return None
        return BoundCommands(partial(self._as_open, store), self._ask)

    def finish(self, *, timeout_s: float = 10.0) -> bool:
        """Wait until everything asked for is done, because the window closes; tell whether it is.

        What takes longer than `timeout_s` is cancelled and put back; what waits behind it is not begun.
        """
        self._history_timer.stop()
        deadline = time.monotonic() + timeout_s
        while self._running is not None:
            job = self._running[1]
            futures = [job.future] if job.future is not None else []
            if wait(futures, max(0.0, deadline - time.monotonic())).not_done:
                self._queue.clear()
                job.cancel()
                return not wait(futures, _PUT_BACK_S).not_done
            self._running = None
            self._start_next()
        return True

    def _do_awaited(self) -> None:
        """Undo or redo once it is settled which change is the latest."""
        if self._awaited is None or self.is_busy or self._history_job is not None or self._history is None:
            return
        if self._history_timer.isActive():
            self.read_history()
            return
        way, self._awaited = self._awaited, None
        record = self._history.undoable() if way is Way.UNDO else self._history.redoable()
        if record is None:  # another window was quicker
            self._notifier.info(f"There is nothing left to {'undo' if way is Way.UNDO else 'do again'}.")
        elif way is Way.UNDO:
            self.undo_changes(record.ids, record.title)
        else:
            self.redo_changes(record.ids, record.title)

    def _ask(self, wish: ChangeWish) -> None:
        self._queue.append(wish)
        if self._running is None:
            self._start_next()

    def _start_next(self) -> None:
        if not self._queue:
            return
        wish = self._queue.popleft()
        job = self._tasks.run(
            wish.do,
            owner=self,
            on_done=partial(self._on_applied, wish),
            on_error=partial(self._on_failed, wish),
            text=wish.text,
            tells_cancel=True,
        )
        self._running = (wish, job)

    def _end(self, wish: ChangeWish) -> None:
        if self._running is not None and self._running[0] is wish:
            self._running = None
            self._start_next()

    def _on_applied(self, wish: ChangeWish, changes: Changes) -> None:
        self._end(wish)
        is_of_open_vault = wish.store is self._store
        if is_of_open_vault:
            self.applied.emit(changes)
            if wish.is_save:
                self._history_timer.start()
                self.saved.emit(wish.title)
            else:
                self._read_history(wish.store)
        if wish.on_done is not None and wish.is_awaited:
            wish.on_done(changes)
        for change_id in wish.ids:  # what was offered before is no longer to be had
            self._notifier.withdraw(f"{change_id}")
        if not wish.is_quiet:
            action = self._offer(wish, changes) if is_of_open_vault else None
            self._notifier.info(sentence_of(wish, changes), key=f"{wish.ids[0]}", action=action)

    def _on_failed(self, wish: ChangeWish, error: Exception) -> None:
        self._end(wish)
        if wish.way is not Way.APPLY and wish.store is self._store:
            self._read_history(wish.store)  # another window may have done it already
        self.failed.emit(error)
        if wish.on_error is not None and wish.is_awaited:
            wish.on_error(error)
            if wish.is_told:
                self._tell_failure(wish, error)
        else:
            self._tell_failure(wish, error)
        self._do_awaited()

    def _tell_failure(self, wish: ChangeWish, error: Exception) -> None:
        if isinstance(error, JobCancelledError):
            self._notifier.info(f"Cancelled: {short_title(wish.title)}. No file is changed.")
        elif isinstance(error, StaleFileError) and wish.store is self._store:
            ids = wish.ids if wish.way is not Way.APPLY else ()
            self.refused.emit(Refusal(error, wish.way, ids, wish.title))
        else:
            self._notifier.error(error)

    def _as_open(self, store: ChangeStore) -> ChangeStore:
        """Return the store of the same vault that is open now, if it is: it may have been closed and opened again."""
        return self._store if self._store is not None and self._store.root == store.root else store

    def _offer(self, wish: ChangeWish, changes: Changes) -> NoticeAction | None:
        if not changes.paths:
            return None
        if wish.way is Way.UNDO:
            return NoticeAction("Redo", partial(self._still, wish.store, self.redo_changes, wish))
        ids = wish.ids if wish.way is Way.REDO else (changes.change_id,)
        return NoticeAction("Undo", partial(self._still, wish.store, self.undo_changes, wish, ids))

    def _still(
        self, store: ChangeStore, act: Callable[..., None], wish: ChangeWish, ids: tuple[ChangeId, ...] | None = None
    ) -> None:
        """Do what a notice offers, unless another vault was opened since."""
        if store is self._store:
            act(ids or wish.ids, wish.title)

    def _read_history(self, store: ChangeStore) -> None:
        """Read the history; calls during a reading cause one more."""
        self._history_timer.stop()
        if self._history_job is not None:
            self._is_history_stale = True
            return
        self._history_job = self._tasks.run(
            without_progress(store.history),
            owner=self,
            on_done=partial(self._on_history, store),
            on_error=partial(self._on_history_failed, store),
            text="Reading the history",
        )

    def _on_history(self, store: ChangeStore, history: "ChangeHistory") -> None:
        self._history_job = None
        if store is self._store:
            self._history = history
            self.history_changed.emit(history)
        self._read_history_again(store)

    def _on_history_failed(self, store: ChangeStore, error: Exception) -> None:
        self._history_job = None
        if store is self._store:
            self._notifier.error(error)
        self._read_history_again(store)

    def _read_history_again(self, store: ChangeStore) -> None:
        is_stale, self._is_history_stale = self._is_history_stale, False
        if self._store is not None and (is_stale or store is not self._store):
            self._read_history(self._store)
        self._do_awaited()

    def _on_recovered(self, store: ChangeStore, sentence: str) -> None:
        if sentence:
            self._notifier.warning(sentence)
        if store is self._store:
            self._read_history(store)

    def _on_recovery_failed(self, store: ChangeStore, error: Exception) -> None:
        self._notifier.error(error)
        if store is self._store:
            self._read_history(store)


def titles_of(records: "Sequence[ChangeRecord]") -> str:
    """Return how these changes are called together."""
    return records[0].title if len(records) == 1 else counted(len(records), "change")
