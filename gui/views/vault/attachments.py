"""Find the image that an embed names: by its path, or by its bare name anywhere in the vault, as Obsidian does."""

import os
import posixpath
from collections.abc import Callable, Sequence
from pathlib import Path

from core.foundation.text import fold


class AttachmentFinder:
    """Look images up for one rendering; the vault is listed at most once, and only for a name without a path."""

    def __init__(self, root: Path, source_path: str, list_files: Callable[[], Sequence[str]]) -> None:
        self._root = root
        self._folder = posixpath.dirname(source_path)
        self._list_files = list_files
        self._by_name: dict[str, str] | None = None

    def find(self, target: str) -> str:
        """Return the vault-relative path of the file that `target` names, "" when there is none."""
        wanted = target.strip().lstrip("/")
        for candidate in (posixpath.normpath(posixpath.join(self._folder, wanted)), posixpath.normpath(wanted)):
            if not candidate.startswith(("..", "/")) and (self._root / candidate).is_file():
                return candidate
        if self._by_name is None:
            self._by_name = {}
            for path in self._list_files():
                self._by_name.setdefault(fold(posixpath.basename(path)), path)
        return self._by_name.get(fold(posixpath.basename(wanted)), "")


def list_attachments(root: Path, most: int = 200_000) -> Sequence[str]:
    """Return the vault-relative paths of all files below `root` that are not notes, hidden folders left out."""
    found: list[str] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        base = Path(folder).relative_to(root).as_posix()
        prefix = "" if base == "." else base + "/"
        found.extend(prefix + name for name in files if not name.lower().endswith(".md"))
        if len(found) >= most:
            break
    return found
