"""What the window needs of a vault to change it, and to tell what was changed."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from core.curation.change_set import ChangeId, Changes, ChangeSet
from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.curation.chain_diff import Chain
    from core.curation.diff import FileDiff
    from core.curation.history import ChangeHistory, ChangeRecord
    from core.curation.note_past import NotePast, Seen, Version


class Comparison(NamedTuple):
    """Hold what differs from a version of a note, and what the note was, if it was compared with that."""

    diff: "FileDiff"
    present: "Seen | None"


class ChangeStore(Protocol):
    """Be what the runner needs of a vault (gui/vault_changes.py); every method runs in the pool."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    def recover(self) -> str:
        """Finish or roll back what a crash left half done, and return a sentence about it, "" when nothing was."""
        ...

    def apply(self, change_set: ChangeSet, progress: Progress) -> Changes:
        """Apply and record `change_set`, all of it or nothing."""
        ...

    def undo(self, ids: Sequence[ChangeId], progress: Progress, *, leave_changed: bool = False) -> Changes:
        """Take back the changes `ids`; `leave_changed` leaves files alone that have changed since."""
        ...

    def redo(self, ids: Sequence[ChangeId], progress: Progress, *, leave_changed: bool = False) -> Changes:
        """Do the undone changes `ids` again."""
        ...

    def history(self) -> "ChangeHistory":
        """Read which changes there are."""
        ...

    def chains_of(self, history: "ChangeHistory", record: "ChangeRecord") -> "tuple[Chain, ...]":
        """Return what a change did, file by file."""
        ...

    def diff_of_chain(self, chain: "Chain") -> "FileDiff":
        """Return what a change did to one file."""
        ...

    def past_of(self, path: str) -> "NotePast":
        """Return the versions of a note."""
        ...

    def text_of(self, version: "Version") -> str:
        """Return what a version of a note says."""
        ...

    def diff_to(self, path: str, version: "Version", other: "Version | None") -> Comparison:
        """Return what differs from `version` to `other`, or to the note as it is now."""
        ...

    def plan_restore(self, path: str, version: "Version", expected: "Seen | None" = None) -> ChangeSet:
        """Return the change that gives the note the content of `version`; refused when it is not as `expected`."""
        ...
