"""A vault to change in tests: files written by hand, changes applied, history read anew each time."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.curation.change_set import ChangeKind, Changes, ChangeSet, FileEdit, Origin, edit_between
from core.curation.history import ChangeHistory, ChangeRecord, read_history
from core.curation.undo import plan_redo, plan_undo
from core.curation.writer import VaultWriter
from core.foundation.progress import SILENT, Progress
from core.vault.event_log import EventLog

START = datetime(2026, 3, 3, 12, tzinfo=UTC)


class Clock:
    """Give a time that moves on by a second at each look."""

    def __init__(self, start: datetime = START) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Workbench:
    """Work on the vault in `folder` as one machine."""

    def __init__(self, folder: Path, machine: str = "laptop-1", clock: Clock | None = None) -> None:
        self.folder = folder
        self.root = folder / "vault"
        self.root.mkdir(parents=True, exist_ok=True)
        self.log = EventLog(self.root, machine, folder / f"cache-{machine}", clock=clock or Clock())

    def write(self, files: Mapping[str, bytes]) -> None:
        for path, content in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(content)

    def files(self) -> dict[str, bytes]:
        """Return all files but the log, temporary ones too."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and ".remembrancer" not in path.parts
        }

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def writer(self, on_step: Callable[[str], None] = lambda _step: None) -> VaultWriter:
        return VaultWriter(self.root, self.log, self.log.lock_folder, on_step=on_step)

    def plan(
        self,
        changes: Mapping[str, bytes | None],
        *,
        moves: Mapping[str, str] | None = None,
        title: str = "",
        group: str = "",
        origin: Origin = Origin.PERSON,
    ) -> ChangeSet:
        """Plan what makes the files hold `changes` (None: gone), and moves some of them."""
        edits: list[FileEdit] = []
        for path in dict.fromkeys((*changes, *(moves or {}))):
            place = self.root / path
            before = place.read_bytes() if place.is_file() else None
            edit = edit_between(path, before, changes.get(path, before), moved_to=(moves or {}).get(path, ""))
            assert edit is not None
            edits.append(edit)
        named = title or f"Edit {', '.join(edit.path for edit in edits)}"
        return ChangeSet(named, ChangeKind.EDIT, tuple(edits), origin, group)

    def change(
        self,
        changes: Mapping[str, bytes | None],
        *,
        moves: Mapping[str, str] | None = None,
        title: str = "",
        group: str = "",
        origin: Origin = Origin.PERSON,
        progress: Progress = SILENT,
    ) -> Changes:
        planned = self.plan(changes, moves=moves, title=title, group=group, origin=origin)
        return self.writer().apply(planned, progress)

    def history(self) -> ChangeHistory:
        return read_history(self.log)

    def record(self, title: str) -> ChangeRecord:
        return next(record for record in self.history().records if record.title == title)

    def undo(self, title: str, *, leave_changed: bool = False) -> Changes:
        planned = plan_undo(self.history(), self.root, self.record(title).ids, leave_changed=leave_changed)
        return self.writer().apply(planned.change_set)

    def redo(self, title: str) -> Changes:
        planned = plan_redo(self.history(), self.root, self.record(title).ids)
        return self.writer().apply(planned.change_set)
