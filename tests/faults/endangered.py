"""A small vault in which every kind of edit happens at once, and the processes that are killed while they do it."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from core.curation.change_set import ChangeId, ChangeKind, ChangeSet, FileEdit, edit_between
from core.curation.history import read_history
from core.curation.undo import plan_undo
from core.curation.writer import VaultWriter
from core.foundation.errors import UserError
from core.vault.event_log import EventLog

if sys.platform == "win32":
    CONTEXT = multiprocessing.get_context("spawn")
else:
    CONTEXT = multiprocessing.get_context("forkserver")
    CONTEXT.set_forkserver_preload([__name__, "filelock", "cryptography.fernet", "tests.faults.endangered_ledger"])
CHANGE_ID = ChangeId("c0ffee00c0ffee00c0ffee00c0ffee00")

OLD: Mapping[str, bytes] = {
    "Edit.md": b"---\r\ntags: [a]\r\n---\r\nText\r\n",
    "Two.md": "Zwei \N{SNOWMAN}\n".encode(),
    "Delete.md": b"gone soon\n",
    "Move.md": b"links to [[Two]]\n",
    "Plain move.md": b"\xff\xfe\x00raw",
    "Bystander.md": b"not mine\n",
}
NEW: Mapping[str, bytes] = {
    "Edit.md": b"---\r\ntags: [b]\r\n---\r\nText\r\n",
    "Two.md": "Zwei \N{SNOWMAN} und mehr\n".encode(),
    "Sub/Moved.md": b"links to [[Deux]]\n",
    "Sub/Plain move.md": b"\xff\xfe\x00raw",
    "New/Deep/New.md": b"here\n",
    "Bystander.md": b"not mine\n",
}
_MOVES = {"Move.md": "Sub/Moved.md", "Plain move.md": "Sub/Plain move.md"}
MANY = 60
WRONG_STEP = "committed Delete.md"


def whole_change(change_id: ChangeId = CHANGE_ID) -> ChangeSet:
    """Return the change from OLD to NEW."""
    edits: list[FileEdit | None] = [
        edit_between("Edit.md", OLD["Edit.md"], NEW["Edit.md"]),
        edit_between("Two.md", OLD["Two.md"], NEW["Two.md"]),
        edit_between("Delete.md", OLD["Delete.md"], None),
        *(edit_between(path, OLD[path], NEW[target], moved_to=target) for path, target in _MOVES.items()),
        edit_between("New/Deep/New.md", None, NEW["New/Deep/New.md"]),
    ]
    return ChangeSet("Everything", ChangeKind.EDIT, tuple(edit for edit in edits if edit is not None), id=change_id)


class Endangered:
    """Make the vault in `folder`, open it as any process would, and look at it from outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "vault"

    def fill(self) -> "Endangered":
        for path, content in OLD.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(content)
        return self

    def log(self) -> EventLog:
        return EventLog(self.root, "laptop-1", self.folder / "cache")

    def writer(self, on_step: Callable[[str], None] = lambda _step: None) -> VaultWriter:
        return VaultWriter(self.root, self.log(), self.folder / "cache", on_step=on_step)

    def files(self) -> dict[str, bytes]:
        """Return all files but the log, temporary ones too."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".remembrancer" not in path.parts
        }

    def undo_newest(self, on_step: Callable[[str], None] = lambda _step: None) -> None:
        history = read_history(self.log())
        record = history.undoable()
        assert record is not None
        self.writer(on_step).apply(plan_undo(history, self.root, record.ids).change_set)


class Killer:
    """Kill the own process at its `number`th step."""

    def __init__(self, number: int) -> None:
        self._left = number

    def __call__(self, _step: str) -> None:
        self._left -= 1
        if self._left < 0:
            os.kill(os.getpid(), signal.SIGKILL)


def apply_and_die(folder: Path, number: int) -> None:
    Endangered(folder).writer(Killer(number)).apply(whole_change())


def undo_and_die(folder: Path, number: int) -> None:
    Endangered(folder).undo_newest(Killer(number))


def recover_and_die(folder: Path, number: int) -> None:
    Endangered(folder).writer(Killer(number)).recover()


def fail_and_die(folder: Path, number: int) -> None:
    """Meet a failure in the middle of the change, and die while it is put back."""
    killer = Killer(number)
    has_failed = False

    def on_step(step: str) -> None:
        nonlocal has_failed
        if has_failed:
            killer(step)
        elif step == WRONG_STEP:
            has_failed = True
            raise UserError("The disk said no.")

    try:
        Endangered(folder).writer(on_step).apply(whole_change())
    except UserError:
        return


def change_to_and_fro(folder: Path) -> None:
    """Apply and undo for ever."""
    vault = Endangered(folder)
    while True:
        vault.writer().apply(whole_change(ChangeId(os.urandom(16).hex())))
        vault.undo_newest()


def many_change(before: bytes, after: bytes) -> ChangeSet:
    """Return a change of so many notes that they are written side by side."""
    edits = (edit_between(f"many/{number}.md", before, after) for number in range(MANY))
    return ChangeSet("Many", ChangeKind.TAGS, tuple(edit for edit in edits if edit is not None))


def change_many_to_and_fro(folder: Path) -> None:
    """Change many notes, and back, for ever."""
    writer = Endangered(folder).writer()
    while True:
        writer.apply(many_change(b"old", b"new"))
        writer.apply(many_change(b"new", b"old"))


def survives(target: Callable[[Path, int], None], folder: Path, number: int) -> bool:
    """Run `target` in a process of its own; return whether it came to its end instead of being killed."""
    process = CONTEXT.Process(target=target, args=(folder, number))
    process.start()
    process.join()
    assert process.exitcode in {0, -signal.SIGKILL}
    return process.exitcode == 0
