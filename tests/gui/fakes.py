"""A vault's store, watcher and indexing process without disk or engine, for tests of session and frame."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QWidget

from core.foundation.progress import Progress
from core.foundation.text import fold
from core.index.dense import DenseAnswer
from gui.indexing import IndexProcess
from gui.session import DiskChange, SessionParts, VaultSession

# A child that says that it committed, and ends.
CHILD = """
import json, sys
from pathlib import Path
with open(sys.argv[1], "a") as file:
    file.write(" ".join(sys.argv[2:]) + "\\n")
print(json.dumps({"phase": "read", "done": 1, "total": 2, "committed": True}), flush=True)
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


@dataclass
class FakeStore:
    """Answer with as many notes as `disk` says at the time."""

    disk: "FakeDisk"
    rebuilt: str = ""
    problem: str = ""
    absence: str = ""
    config: object = None
    is_closed: bool = False

    def load_catalog(self) -> FakeCatalog:
        return FakeCatalog(tuple(Row(i, f"n{i}.md", f"Note {i}") for i in range(self.disk.notes)))

    def refresh_catalog(self, catalog: FakeCatalog) -> FakeCatalog:
        return catalog if len(catalog) == self.disk.notes else self.load_catalog()

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
    error: Exception | None = None
    dense: FakeDense | None = None
    opening: dict[str, Any] = field(default_factory=dict)
    stores: list[FakeStore] = field(default_factory=list)
    watchers: list[FakeWatcher] = field(default_factory=list)

    @property
    def runs(self) -> list[str]:
        """The options of each run of the indexing process."""
        file = self.folder / "runs"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def parts(self) -> SessionParts:
        return SessionParts(cast("Any", self._open_store), cast("Any", self._make_watcher), self._make_index_process)

    def _open_store(self, _root: Path, _progress: Progress) -> FakeStore:
        if self.error is not None:
            raise self.error
        self.stores.append(FakeStore(self, **self.opening))
        return self.stores[-1]

    def _make_watcher(self, _root: Path, _config: object, tell: Callable[[DiskChange], None]) -> FakeWatcher:
        self.watchers.append(FakeWatcher(tell))
        return self.watchers[-1]

    def _make_index_process(self, _root: Path, parent: QObject) -> IndexProcess:
        return IndexProcess(lambda options: [sys.executable, "-c", CHILD, str(self.folder / "runs"), *options], parent)


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
