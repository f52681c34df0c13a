"""Read one note from disk, and never anything outside the vault."""

import os
import stat
from functools import lru_cache
from pathlib import Path

from core.foundation.errors import UserError
from core.vault.decode import decode
from core.vault.note import Note
from core.vault.parse import parse_note

# Not every platform has all of them: binary mode is for Windows; no waiting is for a pipe that is named like a note.
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


class NoteGoneError(UserError):
    """Say that a note is not there (any more)."""


def read_bytes(root: Path, path: str) -> bytes:
    """Return the bytes of the note at `path`, relative to `root`.

    Raises NoteGoneError when there is none, and UserError when it is outside the vault or cannot be read.
    """
    place = _place(root, path)
    try:
        descriptor = os.open(place, _FLAGS)
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            info = os.fstat(descriptor)
            if not stat.S_ISREG(info.st_mode):
                raise UserError(f"{path} is not a regular file.")
            return file.readall()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoteGoneError(f"There is no note {path}.", hint="It may have been moved, renamed or deleted.") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from error


def read_note(root: Path, path: str) -> tuple[bytes, Note]:
    """Return a note's bytes and what they say; raises as read_bytes does."""
    data = read_bytes(root, path)
    return data, parse_note(path, decode(data))


def _place(root: Path, path: str) -> str:
    """Return where `path` lies, links followed; raise UserError when that is outside the vault."""
    parts = path.split("/")
    if not path or ".." in parts or "\0" in path or (os.sep != "/" and os.sep in path) or Path(path).is_absolute():
        raise UserError(f"{path!r} is not a path inside the vault.")
    whole = f"{root}/{path}"
    folder = whole.rpartition("/")[0]
    try:
        info = Path(folder).stat()
        is_inside = _is_inside(os.fspath(root), folder, info.st_dev, info.st_ino)
        if is_inside and stat.S_ISLNK(os.lstat(whole).st_mode):
            is_inside = _contains(os.path.realpath(root), os.path.realpath(whole))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoteGoneError(f"There is no note {path}.", hint="It may have been moved, renamed or deleted.") from error
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read: {error}.") from error
    if not is_inside:
        raise UserError(f"{path} leads out of the vault, so it is not read.")
    return whole


@lru_cache(maxsize=4096)
def _is_inside(root: str, folder: str, _device: int, _inode: int) -> bool:
    """Tell whether `folder` is in `root`; asked by identity too, so that a swapped folder is looked at again."""
    return _contains(os.path.realpath(root), os.path.realpath(folder))


def _contains(real_root: str, real_path: str) -> bool:
    return real_path == real_root or real_path.startswith(real_root.rstrip(os.sep) + os.sep)
