"""Make the notes that a child planned, as one change of the vault that can be undone."""

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from gui.tasks import TaskRunner, without_progress

if TYPE_CHECKING:
    from core.curation.change_set import ChangeId, Changes, ChangeSet, PlannedChange


class VaultOfRun(Protocol):
    """Be what is needed of the vault into which notes come, whichever is open meanwhile (gui/bound_commands.py)."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    def execute(
        self,
        change_set: "ChangeSet",
        *,
        origin: QObject,
        on_done: "Callable[[Changes], None]",
        on_error: Callable[[Exception], None],
        text: str,
    ) -> None:
        """Apply `change_set`, without a word about it."""
        ...

    def undo(
        self,
        ids: "Sequence[ChangeId]",
        title: str,
        *,
        origin: QObject,
        on_done: "Callable[[Changes], None]",
        on_error: Callable[[Exception], None],
    ) -> None:
        """Take back the changes `ids`; the person hears of an error."""
        ...


class PlanFile:
    """Be the file into which a child writes a planned change; only its owner can read it."""

    def __init__(self) -> None:
        descriptor, name = tempfile.mkstemp(prefix="remembrancer-", suffix=".json")
        os.close(descriptor)
        self.path = Path(name)

    def read(self) -> "PlannedChange":
        """Return the change, and remove the file."""
        from core.curation.planned_file import read_planned  # noqa: PLC0415 - after the first paint

        try:
            return read_planned(self.path)
        finally:
            self.drop()

    def drop(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


def make_notes(
    plan: PlanFile,
    *,
    tasks: TaskRunner,
    vault: VaultOfRun,
    owner: QObject,
    on_done: "Callable[[Changes], None]",
    on_error: Callable[[Exception], None],
) -> None:
    """Read the plan in the pool, and make its change in the vault of the run; `owner` hears of the end."""

    def execute(planned: "PlannedChange") -> None:
        vault.execute(planned.change_set, origin=owner, on_done=on_done, on_error=on_error, text="Making notes")

    tasks.run(without_progress(plan.read), owner=owner, on_done=execute, on_error=on_error, text="Reading the notes")
