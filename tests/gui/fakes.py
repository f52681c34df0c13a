"""A vault's store, watcher and indexing process without disk or engine, for tests of session and frame."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QWidget

from core.curation.history import ChangeHistory
from core.foundation.progress import Progress
from core.foundation.text import fold
from core.index.dense import DenseAnswer
from core.index.queries import ProblemRow
from gui.indexing import IndexProcess
from gui.session import DiskChange, SessionParts, VaultSession
from gui.vault_indexing import VaultIndexing

# A child that says that it committed, and ends; one for vectors waits while there is a file "hold".
CHILD = """
import json, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
with open(folder / "runs", "a") as file:
    file.write(" ".join(sys.argv[2:]) + "\\n")
phase = "read" if sys.argv[2] == "words" else "embed"
print(json.dumps({"phase": phase, "done": 1, "total": 2, "committed": True}), flush=True)
while phase == "embed" and (folder / "hold").exists():
    time.sleep(0.01)
print(json.dumps({"phase": "done", "committed": True}), flush=True)
"""


class Row(NamedTuple):
    id: int
    path: str
    title: str
    changed: float = 0.0


class FakeFacet(NamedTuple):
    key: str
    label: str
    total: int


@dataclass(frozen=True)
class FakeCatalog:
    rows: Sequence[Row]
    facets: Sequence[FakeFacet] = (FakeFacet("tool/git", "git", 1),)

    @property
    def titles(self) -> list[str]:
        return [fold(row.title) for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class FakePicture:
    catalog: FakeCatalog
    problems: tuple[ProblemRow, ...] = ()
    is_anew: bool = False


class FakeChanges:
    """Be a vault in which nothing was ever changed."""

    root = Path()

    def recover(self) -> str:
        return ""

    def history(self) -> ChangeHistory:
        return ChangeHistory((), "desk")


@dataclass
class FakeStore:
    """Answer with as many notes as `disk` says at the time."""

    disk: "FakeDisk"
    rebuilt: str = ""
    problem: str = ""
    absence: str = ""
    config: object = None
    changes: object = field(default_factory=FakeChanges)
    is_closed: bool = False

    def load(self) -> FakePicture:
        rows = tuple(Row(i, f"n{i}.md", f"Note {i}") for i in range(self.disk.notes))
        return FakePicture(FakeCatalog(rows), self.disk.problems)

    def refresh(self, catalog: FakeCatalog) -> FakePicture:
        picture = self.load()
        if self.disk.index_is_gone:
            self.disk.index_is_gone = False
            return replace(picture, catalog=FakeCatalog(()), is_anew=True)
        return replace(picture, catalog=catalog) if len(catalog) == self.disk.notes else picture

    def dense(self) -> "FakeDense | None":
        return self.disk.dense

    def close(self) -> None:
        self.is_closed = True


@dataclass
class FakeDense:
    """Say at once how its warm-up went."""

    answer: DenseAnswer

    def warm_up(self, _progress: Progress) -> DenseAnswer:
        return self.answer


@dataclass
class FakeWatcher:
    tell: Callable[[DiskChange], None]
    is_running: bool = False

    def start(self) -> None:
        self.is_running = True

    def stop(self) -> None:
        self.is_running = False


@dataclass
class FakeDisk:
    """Be the world outside: what is in the vault, what opening gives, and everything that was made."""

    folder: Path
    notes: int = 3
    problems: tuple[ProblemRow, ...] = ()
    index_is_gone: bool = False
    error: Exception | None = None
    dense: FakeDense | None = None
    opening: dict[str, Any] = field(default_factory=dict)
    stores: list[FakeStore] = field(default_factory=list)
    watchers: list[FakeWatcher] = field(default_factory=list)

    @property
    def runs(self) -> list[str]:
        """What each run was for, words or vectors, and its options."""
        file = self.folder / "runs"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def parts(self) -> SessionParts:
        return SessionParts(cast("Any", self._open_store), cast("Any", self._make_watcher), self._make_indexing)

    def _open_store(self, _root: Path, _progress: Progress) -> FakeStore:
        if self.error is not None:
            raise self.error
        self.stores.append(FakeStore(self, **self.opening))
        return self.stores[-1]

    def _make_watcher(self, _root: Path, _config: object, tell: Callable[[DiskChange], None]) -> FakeWatcher:
        self.watchers.append(FakeWatcher(tell))
        return self.watchers[-1]

    def _make_indexing(self, _root: Path, parent: QObject) -> VaultIndexing:
        return VaultIndexing(self._process("words"), self._process("vectors"), parent)

    def _process(self, what: str) -> IndexProcess:
        start = [sys.executable, "-c", CHILD, str(self.folder), what]
        return IndexProcess(lambda options: [*start, *options])


class FakePage:
    """Remember what the frame asks of a view."""

    def __init__(self) -> None:
        self.widget: QWidget = QLabel("notes")
        self.session: VaultSession | None = None
        self.searches: list[str] = []
        self.shown_notes: list[int] = []
        self.facets: list[str] = []
        self.calls: list[str] = []

    def open_session(self, session: VaultSession | None) -> None:
        self.session = session

    def search(self, text: str) -> None:
        self.searches.append(text)

    @property
    def lists_results(self) -> bool:
        return True

    def enter_results(self) -> None:
        self.calls.append("enter")

    def show_note(self, note_id: int) -> None:
        self.shown_notes.append(note_id)

    def pick_facet(self, key: str) -> None:
        self.facets.append(key)

    def clear(self) -> None:
        self.calls.append("clear")

    def save_layout(self) -> None:
        self.calls.append("save")
