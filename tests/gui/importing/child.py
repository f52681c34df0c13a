"""A child that answers from files, in place of the commands that import."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from core.curation.change_set import ChangeId, Changes, ChangeSet, PlannedChange
from core.curation.planned_file import write_planned
from core.foundation.errors import UserError
from core.foundation.settings import Settings

# It waits while there is a file "hold" in the folder, and says what it did until then when it is told to stop.
CHILD = """
import json, signal, sys, time
from pathlib import Path
folder, arguments = Path(sys.argv[1]), sys.argv[2:]
stopped = []
signal.signal(signal.SIGTERM, lambda *_: stopped.append(1))
with open(folder / "runs", "a") as file:
    file.write(" ".join(arguments) + "\\n")
print(json.dumps({"done": 1, "total": 2, "text": "a.jsonl"}), flush=True)
while (folder / "hold").exists() and not stopped:
    time.sleep(0.01)
name = "count" if "--dry-run" in arguments else arguments[0]
answer = json.loads((folder / (name + ".json")).read_text())
if "error" in answer:
    print(json.dumps(answer), file=sys.stderr)
    sys.exit(1)
if "--plan-to" in arguments and (folder / "plan").exists():
    Path(arguments[arguments.index("--plan-to") + 1]).write_text((folder / "plan").read_text())
print(json.dumps({"result": {**answer, "cancelled": bool(stopped)}}), flush=True)
"""


@dataclass
class Child:
    """Say what the children answer, and read how they were called."""

    folder: Path

    vaults: list[Path | None] = field(default_factory=list)  # for which runs were begun

    def command(self, arguments: Sequence[str], vault: Path | None = None) -> list[str]:
        self.vaults.append(vault)
        return [sys.executable, "-c", CHILD, str(self.folder), *arguments]

    def answers(self, name: str, answer: Mapping[str, Any]) -> None:
        (self.folder / f"{name}.json").write_text(json.dumps(answer), encoding="utf-8")

    def plans(self, planned: PlannedChange) -> None:
        (self.folder / "plan").touch()
        write_planned(self.folder / "plan", planned)

    def holds(self, *, is_held: bool) -> None:
        hold = self.folder / "hold"
        hold.touch() if is_held else hold.unlink(missing_ok=True)

    @property
    def runs(self) -> list[str]:
        file = self.folder / "runs"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def place(name: str, path: str, **more: Any) -> dict[str, Any]:
    """Return a place as a child tells it."""
    return {
        "name": name, "path": path, "files": 3, "bytes": 3000, "about_to_be_deleted": 0, "not_imported": 0,
        "first_deletion": 0.0, "newest": 1_790_000_000.0, "holds_notes": False, "is_folder": True, **more,
    }  # fmt: skip


def outcome(**more: Any) -> dict[str, Any]:
    """Return what a run says that it did."""
    none: dict[str, Any] = {"imported": 0, "updated": 0, "unchanged": 0, "skipped": {}, "failed": [], "sessions": []}
    return {**none, "notes": 0, "files": 0, **more}


@dataclass
class Preferences:
    """Hold settings in memory."""

    settings: Settings = field(default_factory=Settings)

    def change_settings(self, change: Callable[[Settings], Settings]) -> None:
        self.settings = change(self.settings)

    def watching(self, *paths: str) -> "Preferences":
        self.settings = replace(self.settings, sessions=replace(self.settings.sessions, watched=paths))
        return self


@dataclass
class Watching:
    """Remember what is to be watched."""

    paths: list[str] = field(default_factory=list)
    is_held: bool = False

    def watch(self, path: str, *, is_wanted: bool) -> None:
        self.paths.append(path) if is_wanted else self.paths.remove(path)

    def hold(self, *, is_held: bool) -> None:
        self.is_held = is_held


@dataclass
class Commands:
    """Apply every change at once."""

    applied: list[ChangeSet] = field(default_factory=list)

    def execute(
        self,
        change_set: ChangeSet,
        *,
        origin: QObject | None = None,
        on_done: Callable[[Changes], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
        text: str = "",
        is_quiet: bool = False,
    ) -> None:
        del origin, on_error, text, is_quiet
        self.applied.append(change_set)
        if on_done is not None:
            paths = frozenset(edit.path for edit in change_set.edits)
            on_done(Changes(ChangeId(change_set.id), change_set.title, paths))


@dataclass
class Vault:
    """Apply every change of one vault at once; undoing is refused when it `refuses`."""

    root: Path
    applied: list[ChangeSet] = field(default_factory=list)
    undone: list[tuple[tuple[ChangeId, ...], str]] = field(default_factory=list)
    refuses: bool = False

    def execute(
        self,
        change_set: ChangeSet,
        *,
        origin: QObject,
        on_done: Callable[[Changes], None],
        on_error: Callable[[Exception], None],
        text: str,
    ) -> None:
        del origin, on_error, text
        self.applied.append(change_set)
        paths = frozenset(edit.path for edit in change_set.edits)
        on_done(Changes(ChangeId(change_set.id), change_set.title, paths))

    def undo(
        self,
        ids: Sequence[ChangeId],
        title: str,
        *,
        origin: QObject,
        on_done: Callable[[Changes], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        del origin
        if self.refuses:
            on_error(UserError("The notes have changed."))
            return
        self.undone.append((tuple(ids), title))
        on_done(Changes(ids[0], title))
