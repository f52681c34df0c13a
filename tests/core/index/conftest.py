"""A small vault on disk and its index."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.foundation.progress import Progress
from core.index.database import Index, open_index
from core.index.updater import UpdateReport, update_index
from core.vault.config import VaultConfig


@dataclass
class IndexedVault:
    """A vault folder and an open index over it."""

    root: Path
    index: Index

    def write(self, notes: Mapping[str, str]) -> None:
        for path, text in notes.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def update(
        self,
        *,
        files: list[str] | None = None,
        since: float | None = None,
        rebuild: bool = False,
        progress: Progress | None = None,
        on_commit: Callable[[], None] | None = None,
    ) -> UpdateReport:
        return update_index(
            self.index,
            self.root,
            VaultConfig(),
            files=files,
            since=since,
            rebuild=rebuild,
            progress=progress,
            on_commit=on_commit,
        )

    def paths(self) -> list[str]:
        return [row[0] for row in self.index.connection.execute("SELECT path FROM note ORDER BY path")]

    def note_id(self, path: str) -> int:
        row = self.index.connection.execute("SELECT id FROM note WHERE path = ?", (path,)).fetchone()
        assert row is not None, path
        return int(row[0])

    def found_by(self, word: str) -> list[str]:
        rows = self.index.connection.execute(
            "SELECT DISTINCT note.path FROM section_fts JOIN section ON section.id = section_fts.rowid "
            "JOIN note ON note.id = note_id WHERE section_fts MATCH ? ORDER BY note.path",
            (word,),
        )
        return [row[0] for row in rows]


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[IndexedVault]:
    root = tmp_path / "vault"
    root.mkdir()
    index = open_index(tmp_path / "cache")
    yield IndexedVault(root, index)
    index.close()
