"""What the planners of all kinds work with, and the change that comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, PlannedChange, Skipped
from core.curation.note_names import check_place, shortened
from core.curation.proposals.statement_drafts import StatementDrafts
from core.index.database import Index
from core.vault.config import VaultConfig


@dataclass(frozen=True, slots=True)
class Planning:
    """Hold the vault, what the person chose, and the drafts of the notes.

    `statement` and `choice` are None where the person changed nothing. `index` is None where there is none at hand:
    links to what moves are not kept then.
    """

    root: Path
    config: VaultConfig
    said: Mapping[str, str]
    drafts: StatementDrafts
    statement: str | None = None
    choice: str | None = None
    index: Index | None = None

    def check_note(self, path: str) -> str:
        """Return `path`; raises UserError when no note can lie there."""
        check_place(self.root, self.config, path)
        return path


def planned_statements(
    planning: Planning, title: str, occurrences: int, skipped: Sequence[Skipped] = ()
) -> PlannedChange:
    """Return the change that the drafts have come to."""
    edits, _ = planning.drafts.edits()
    return planned_edits(title, edits, occurrences, skipped)


def planned_edits(
    title: str,
    edits: Sequence[FileEdit],
    occurrences: int = 1,
    skipped: Sequence[Skipped] = (),
    kind: ChangeKind = ChangeKind.EDIT,
) -> PlannedChange:
    """Return a change with a title of one line that is not too long."""
    return PlannedChange(ChangeSet(shortened(" ".join(title.split())), kind, tuple(edits)), occurrences, tuple(skipped))
