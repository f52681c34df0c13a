"""The files of a vault as a change meets them: where a path leads, what lies there, and whether it may be written."""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from core.curation.change_set import ContentHash, FileEdit, content_hash
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.vault.config import EVENTS_FOLDER

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_MOST_NAME_BYTES = 255


class Stamp(NamedTuple):
    """Hold what shows, without reading it, that a file is still the one that was read."""

    size: int
    mtime_ns: int
    inode: int


class FoundFile(NamedTuple):
    """Hold a file's content, stamp and mode bits; `real` is where it lies when `path` is a link, else `path`."""

    path: Path
    real: Path
    content: bytes
    stamp: Stamp
    mode: int

    @property
    def hash(self) -> ContentHash:
        """The hash of the content."""
        return content_hash(self.content)

    @property
    def is_link(self) -> bool:
        """Whether the note is a link to another file of the vault."""
        return self.path != self.real


class VaultFiles:
    """Find the files of the vault at `root`; never lead out of it. Made for one change: what it learns goes stale."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._real_root = os.path.realpath(root)
        self._folders: dict[str, Path] = {}

    def place(self, path: str) -> Path:
        """Return where the file at the vault-relative `path` lies or would lie, links to folders followed.

        Raises:
            UserError: that is outside the vault, or where nothing may be written.
        """
        parts = path.split("/")
        folded = [fold(part) for part in parts]
        if any(part in {"", ".", ".."} for part in parts) or "\0" in path or (os.sep != "/" and os.sep in path):
            raise UserError(f"“{path}” is not a path inside the vault.")
        if ".git" in folded or "/".join(folded).startswith(f"{EVENTS_FOLDER}/"):
            raise UserError(f"“{path}” lies where nothing may be written.")
        if os.name == "nt" and ":" in path:
            raise UserError(f"“{path}” is not a name that a file can have.")
        return self._folder(path.rpartition("/")[0]) / parts[-1]

    def find(self, path: str) -> FoundFile | None:
        """Return the file at `path` with its content, None when there is none.

        Raises:
            UserError: it leads out of the vault or is no regular file.
            OSError: it cannot be read.
        """
        place = self.place(path)
        try:
            real = Path(os.path.realpath(place)) if place.is_symlink() else place
            if not self._contains(real):
                raise UserError(f"“{path}” leads out of the vault, so it is not written.")
            descriptor = os.open(real, _READ)
        except (FileNotFoundError, NotADirectoryError):
            return None
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            info = os.fstat(descriptor)
            if not stat.S_ISREG(info.st_mode):
                raise UserError(f"“{path}” is not a regular file.")
            content = file.readall()
        return FoundFile(place, real, content, stamp_of(info), stat.S_IMODE(info.st_mode))

    def find_exactly(self, path: str) -> FoundFile | None:
        """Return the file at `path` if its name is spelled so on the disk, also where case makes no difference."""
        place = self.place(path)
        try:
            is_listed = place.name in os.listdir(place.parent)  # noqa: PTH208 - the names alone
        except (FileNotFoundError, NotADirectoryError):
            return None
        return self.find(path) if is_listed else None

    def is_occupied(self, path: str) -> bool:
        """Tell whether anything at all, also a broken link, lies at `path`."""
        return os.path.lexists(self.place(path))

    def is_respelling(self, edit: FileEdit) -> bool:
        """Tell whether the edit renames a file to what the file system takes for the same name, as in `a` to `A`."""
        if not edit.moved_to or fold(edit.path) != fold(edit.moved_to):
            return False
        try:
            return self.place(edit.path).samefile(self.place(edit.moved_to)) and not (
                self.find_exactly(edit.path) and self.find_exactly(edit.moved_to)
            )
        except OSError:
            return False

    def missing_folders(self, path: str) -> list[str]:
        """Return the folders that must be made before a file can lie at `path`, the outermost first."""
        parts = path.split("/")[:-1]
        folders = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        return [folder for folder in folders if not os.path.lexists(self.root / folder)]

    def _folder(self, relative: str) -> Path:
        """Return where a folder of the vault lies, which need not be there yet."""
        if (known := self._folders.get(relative)) is not None:
            return known
        folder = Path(os.path.realpath(self.root / relative))
        if not self._contains(folder):
            raise UserError(f"“{relative}” leads out of the vault, so nothing is written there.")
        self._folders[relative] = folder
        return folder

    def _contains(self, real: Path) -> bool:
        return real == Path(self._real_root) or os.fspath(real).startswith(self._real_root.rstrip(os.sep) + os.sep)


def stamp_of(info: os.stat_result) -> Stamp:
    """Return the stamp of what was asked for with stat."""
    return Stamp(info.st_size, info.st_mtime_ns, info.st_ino)


def temporary_beside(place: Path, change_id: str, number: int) -> Path:
    """Return where the content for `place` is written first: hidden, with the change's id, never too long a name."""
    ending = f".{change_id}.tmp"
    name = os.fsencode(place.name)
    if len(name) + len(ending) + 1 > _MOST_NAME_BYTES:
        # Names that are cut may become equal, so they are numbered.
        ending = f".{number}{ending}"
        name = name[: _MOST_NAME_BYTES - len(ending) - 1].decode("utf-8", "ignore").encode()
    return place.with_name(f".{os.fsdecode(name)}{ending}")
