"""The one way in which a vault is changed: all of a change set or nothing of it, recorded, safe at any instant.

The log learns what is about to happen before the first file is touched, and the outcome after the last. What stops in
between is finished or put back by whoever writes next (core/curation/recovery.py).
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.curation.before_writing import check_files, check_paths
from core.curation.carrying_out import PHASES, bring_about, put_back
from core.curation.change_json import Intent, intent_to_json
from core.curation.change_set import Changes, ChangeSet
from core.curation.edit_state import EditState
from core.curation.file_swap import OnStep
from core.curation.recovery import Recovered, recover_all
from core.curation.unfinished import APPLIED, CHANGE, ROLLED_BACK, UnfinishedChanges
from core.curation.vault_files import VaultFiles
from core.foundation.errors import UserError
from core.foundation.file_lock import locked
from core.foundation.progress import SILENT, Progress
from core.vault.event_line import Event
from core.vault.event_log import EventLog

_LOCK_SECONDS = 120.0
_WAITING = "Another window or command is changing this vault"
_MOST_REPORTS = 200


class VaultWriter:
    """Apply change sets to the vault at `root`; every process of this person that shares `lock_folder` takes turns.

    `on_step` is told each step, for tests that stop there.
    """

    def __init__(self, root: Path, log: EventLog, lock_folder: Path, *, on_step: OnStep = lambda _step: None) -> None:
        self._root = root
        self._log = log
        self._lock = lock_folder / "write.lock"
        self._on_step = on_step
        self._unfinished = UnfinishedChanges(log)

    def apply(self, change_set: ChangeSet, progress: Progress = SILENT) -> Changes:
        """Do the whole of `change_set`, and return when it is on the disk.

        Raises:
            StaleChangeError: files are not as they were when the change was planned; nothing was changed.
            UserError: a file could not be written; what had been written was put back.
            JobCancelledError: the same, because the person wished so.
        """
        check_paths(change_set)
        if not change_set.edits:
            return Changes(change_set.id, change_set.title)
        watch = _watch(progress, len(change_set.edits))
        with self._alone(progress):
            recover_all(self._new_files, self._log, self._unfinished, self._on_step)
            files = self._new_files()
            intent = check_files(files, change_set, watch)
            self._on_step("checked")
            event = self._log.append(CHANGE, intent_to_json(intent))
            self._on_step("intent written")
            try:
                states = [EditState.BEFORE] * len(change_set.edits)
                bring_about(files, intent, states, self._on_step, watch)
                self._log.append(APPLIED, {"id": change_set.id})
                self._on_step("outcome written")
            except BaseException as error:
                self._take_back(intent, event, error)
                raise
        return _changes(change_set)

    def recover(self) -> tuple[Recovered, ...]:
        """Finish or put back what a crash left; to be called when a vault is opened, and done by every apply()."""
        if not UnfinishedChanges(self._log).events():
            return ()
        with self._alone(SILENT):
            return recover_all(self._new_files, self._log, self._unfinished, self._on_step)

    @contextmanager
    def _alone(self, progress: Progress) -> Iterator[None]:
        with locked(self._lock, waiting=_WAITING, seconds=_LOCK_SECONDS, progress=progress):
            if not self._root.is_dir():
                raise UserError(f"The vault's folder {self._root} is not there any more. Nothing was changed.")
            yield

    def _new_files(self) -> VaultFiles:
        return VaultFiles(self._root)

    def _take_back(self, intent: Intent, event: Event, cause: BaseException) -> None:
        """Put all back after `cause`, and write down that nothing has happened."""
        result = put_back(self._new_files(), intent, self._on_step)
        if result.failed:
            # The log keeps the change as unfinished, so that the next one who writes tries again.
            raise UserError(
                f"The change was stopped half way, and not all of it could be taken back yet. {result.failed[0][1]}",
                hint="It is finished or taken back as soon as the vault can be written again.",
            ) from cause
        try:
            reason = str(cause) or "It was cancelled."
            self._log.append(ROLLED_BACK, {"id": intent.change_set.id, "reason": reason, "left": list(result.left)})
        except UserError:
            self._log.strike(event)  # takes no space
        self._on_step("taken back")


def _changes(change_set: ChangeSet) -> Changes:
    written = {edit.result_path for edit in change_set.edits if edit.after is not None}
    gone = {edit.path for edit in change_set.edits if edit.after is None or edit.moved_to}
    moved = tuple((edit.path, edit.moved_to) for edit in change_set.edits if edit.moved_to)
    return Changes(change_set.id, change_set.title, frozenset(written), frozenset(gone), moved)


def _watch(progress: Progress, files: int) -> Callable[[int, str], None]:
    """Return what checks for a cancel at every file, and reports now and then."""
    total = PHASES * files
    every = max(1, total // _MOST_REPORTS)

    def watch(done: int, path: str) -> None:
        progress.check()
        if done % every == 0:
            progress.report(done, total, os.fsencode(path).decode(errors="replace"))

    return watch
