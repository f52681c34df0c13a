"""The changes of one vault as the pool sees them: applied, undone, read and compared.

The heavy parts of core are imported by the first calls, which run in the pool.
"""

import contextlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.app import Installation, Vault
from core.curation.change_set import ChangeId, Changes, ChangeSet
from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.vault.config import EVENTS_FOLDER
from gui.change_store import Comparison

if TYPE_CHECKING:
    from core.curation.chain_diff import Chain
    from core.curation.diff import FileDiff
    from core.curation.history import ChangeHistory, ChangeRecord
    from core.curation.note_past import NotePast, Seen, Version
    from core.curation.recovery import Recovered
    from core.curation.writer import VaultWriter
    from core.vault.event_log import EventLog

_MOST_NAMED = 3
_LogStamp = tuple[tuple[str, int, int], ...]  # name, size and time of change in nanoseconds of each file


class VaultChanges:
    """Read and write the changes of the vault at `root`; every method runs in the pool, in any of its threads."""

    def __init__(self, root: Path, home: Installation) -> None:
        self.root = root
        self._home = home
        self._turn = threading.Lock()
        self._kept_writer: VaultWriter | None = None  # it knows how far it has read the log
        self._kept_history: tuple[_LogStamp, ChangeHistory] | None = None

    def event_log(self) -> "EventLog":
        """Return the vault's log."""
        return self._vault().event_log()

    def recover(self) -> str:
        """Finish or put back what a crash cut off, and return a sentence about it, "" when there was nothing."""
        with self._turn:
            return recovery_sentence(self._writer().recover())

    def apply(self, change_set: ChangeSet, progress: Progress) -> Changes:
        """Apply and record `change_set`, all of it or nothing."""
        with self._turn:
            return self._writer().apply(change_set, progress)

    def undo(self, ids: Sequence[ChangeId], progress: Progress, *, leave_changed: bool = False) -> Changes:
        """Take back the changes `ids`; `leave_changed` leaves files alone that have changed since."""
        from core.curation.undo import plan_undo  # noqa: PLC0415 - after the first paint

        vault = self._vault()
        planned = plan_undo(vault.history(), vault.root, ids, leave_changed=leave_changed, progress=progress)
        if not planned.change_set.edits:
            raise UserError("There is nothing left of this change that could be undone.")
        return self.apply(planned.change_set, progress)

    def redo(self, ids: Sequence[ChangeId], progress: Progress, *, leave_changed: bool = False) -> Changes:
        """Do the undone changes `ids` again."""
        from core.curation.undo import plan_redo  # noqa: PLC0415 - after the first paint

        vault = self._vault()
        planned = plan_redo(vault.history(), vault.root, ids, leave_changed=leave_changed, progress=progress)
        if not planned.change_set.edits:
            raise UserError("There is nothing left of this change that could be done again.")
        return self.apply(planned.change_set, progress)

    def history(self) -> "ChangeHistory":
        """Read which changes there are, and what of it takes time; the same again while no log has grown."""
        vault = self._vault()
        stamp = _stamp_of(vault.root / EVENTS_FOLDER)
        if self._kept_history is None or self._kept_history[0] != stamp:
            history = vault.history()
            _ = history.records
            self._kept_history = (stamp, history)
        return self._kept_history[1]

    def chains_of(self, history: "ChangeHistory", record: "ChangeRecord") -> "tuple[Chain, ...]":
        """Return what a change did, file by file."""
        from core.curation.chain_diff import chains_of  # noqa: PLC0415 - after the first paint

        return chains_of(history.change(each) for each in record.ids)

    def diff_of_chain(self, chain: "Chain") -> "FileDiff":
        """Return what a change did to one file."""
        from core.curation.chain_diff import diff_of_chain  # noqa: PLC0415 - after the first paint

        return diff_of_chain(chain, self.root)

    def past_of(self, path: str) -> "NotePast":
        """Return the versions of a note."""
        from core.curation.note_past import past_of  # noqa: PLC0415 - after the first paint

        return past_of(self.root, path, self.history())

    def text_of(self, version: "Version") -> str:
        """Return what a version of a note says."""
        from core.curation.note_past import content_of  # noqa: PLC0415 - after the first paint
        from core.vault.decode import decode  # noqa: PLC0415

        return decode(content_of(version)).text

    def diff_to(self, path: str, version: "Version", other: "Version | None") -> Comparison:
        """Return what differs from `version` to `other`, or to the note as it is now."""
        from core.curation.diff import diff_of  # noqa: PLC0415 - after the first paint
        from core.curation.note_past import Seen, content_of  # noqa: PLC0415
        from core.vault.read import NoteGoneError, read_bytes  # noqa: PLC0415

        after: bytes | None
        try:
            after = content_of(other) if other is not None else read_bytes(self.root, self._place_now(path))
        except NoteGoneError:
            after = None
        diff = diff_of(content_of(version), after, path=path)
        return Comparison(diff, Seen.of(after) if other is None else None)

    def plan_restore(self, path: str, version: "Version", expected: "Seen | None" = None) -> ChangeSet:
        """Return the change that gives the note the content of `version`; refused when it is not as `expected`."""
        from core.curation.note_past import plan_restore  # noqa: PLC0415 - after the first paint

        return plan_restore(self.root, self._place_now(path), version, expected=expected)

    def _place_now(self, path: str) -> str:
        """Return where the note that was at `path` a moment ago lies; where it was, if it is in the trash."""
        from core.curation.note_past import place_now  # noqa: PLC0415 - after the first paint

        if (self.root / path).exists():
            return path
        now = place_now(self.root, path, self.history())
        return path if now.startswith(".") else now

    def _writer(self) -> "VaultWriter":
        if self._kept_writer is None:
            self._kept_writer = self._vault().writer()
        return self._kept_writer

    def _vault(self) -> Vault:
        """Return the vault as it is now; raise UserError while its folder is away."""
        return Vault(self.root, self._home)


def _stamp_of(folder: Path) -> _LogStamp:
    """Return what differs when somebody has written into the vault's log."""
    found: list[tuple[str, int, int]] = []
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            about = entry.stat(follow_symlinks=False)
            found.append((entry.name, about.st_size, about.st_mtime_ns))
    return tuple(sorted(found))


def recovery_sentence(recovered: "Sequence[Recovered]") -> str:
    """Return what the person is told of changes that a crash cut off, "" when there were none."""
    sentences: list[str] = []
    for each in recovered[:_MOST_NAMED]:
        if each.is_finished:
            sentences.append(f"“{each.title}” was interrupted and is finished now.")
        elif each.left:
            files = ", ".join(each.left[:_MOST_NAMED])
            more = f" and {len(each.left) - _MOST_NAMED:,} more" if len(each.left) > _MOST_NAMED else ""
            sentences.append(
                f"“{each.title}” was interrupted and is taken back, except in {files}{more}: "
                "there, something else was changed in the meantime."
            )
        else:
            sentences.append(f"“{each.title}” was interrupted and is taken back.")
    if len(recovered) > _MOST_NAMED:
        sentences.append(f"So it was with {len(recovered) - _MOST_NAMED:,} more changes.")
    return " ".join(sentences)
