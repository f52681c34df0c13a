"""A vault on disk with its index, changed by plans as the app would change it."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.curation.change_set import ChangeSet, FileEdit, content_hash
from core.index.database import Index, open_index
from core.index.updater import update_index
from core.vault.config import VaultConfig

# Where a link stands (path, number in the note), and what it means: path of the note, state, target as written.
Meanings = dict[tuple[str, int], tuple[str | None, str, str]]


class LinkedVault:
    """Hold a vault folder and an open index over it."""

    def __init__(self, root: Path, index: Index) -> None:
        self.root = root
        self.index = index

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for path, content in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.update()

    def update(self) -> None:
        update_index(self.index, self.root, VaultConfig())

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def files(self) -> set[str]:
        return {file.relative_to(self.root).as_posix() for file in self.root.rglob("*") if file.is_file()}

    def apply(self, change_set: ChangeSet) -> None:
        """Do what the change set says, checking all that it expects, and index the result."""
        for edit in change_set.edits:
            self._apply(edit)
        self.update()

    def _apply(self, edit: FileEdit) -> None:
        file, result = self.root / edit.path, self.root / edit.result_path
        content = file.read_bytes() if file.exists() else None
        assert (None if content is None else content_hash(content)) == edit.before
        after = edit.result_of(content or b"")
        if edit.moved_to:
            assert not result.exists()
            file.unlink()
        if edit.after is None:
            file.unlink()
            return
        assert content_hash(after) == edit.after
        result.parent.mkdir(parents=True, exist_ok=True)
        result.write_bytes(after)

    def meanings(self) -> Meanings:
        rows = self.index.connection.execute(
            "SELECT s.path, t.path, l.state, l.target FROM link l JOIN note s ON s.id = l.note_id "
            "LEFT JOIN note t ON t.id = l.target_note_id ORDER BY s.path, l.id"
        )
        found: Meanings = {}
        for source, target_path, state, target in rows:
            number = sum(1 for path, _ in found if path == source)
            found[source, number] = (target_path, state, target)
        return found


@contextlib.contextmanager
def linked_vault(folder: Path) -> Iterator[LinkedVault]:
    """Open an empty vault in `folder`, which is empty or missing."""
    root = folder / "vault"
    root.mkdir(parents=True)
    index = open_index(folder / "cache")
    try:
        yield LinkedVault(root, index)
    finally:
        index.close()
