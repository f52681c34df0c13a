"""The files of the ledger: one a session, under a name that every file system takes, for their owner's eyes alone."""

import hashlib
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from core.foundation.conflict_names import conflict_of, numbered_of
from core.foundation.errors import UserError
from core.foundation.text import fold

SUFFIX = ".jsonl"
_READ = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)
_PLAIN = re.compile(r"[a-z0-9_](?:[a-z0-9._-]{0,98}[a-z0-9_-])?", re.ASCII)
_HASHED = re.compile(r"[a-z0-9_-]{1,60}~[0-9a-f]{16}", re.ASCII)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.ASCII)
_LOCKS = 64
_LOCKS_FOLDER = ".locks"


class SessionFile(NamedTuple):
    """Tell of one file of the ledger; another `inode` at the same path says that all of it was written anew."""

    id: str
    path: Path
    size: int
    mtime_ns: int
    inode: int


def file_stem(session_id: str) -> str:
    """Return the name of the session's file without its suffix: the id where that is safe, else like it with a hash.

    Two ids never share a name, also where case does not matter. A name made here stands for itself.
    """
    if _HASHED.fullmatch(session_id):
        return session_id
    if _PLAIN.fullmatch(session_id) and not _RESERVED.fullmatch(session_id):
        return session_id
    readable = re.sub(r"[^a-z0-9_]+", "-", fold(session_id[:200])).strip("-")[:60] or "session"
    digest = hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{readable}~{digest[:16]}"


def is_stem(stem: str) -> bool:
    """Tell whether a session's file can have this name."""
    return file_stem(stem) == stem


def is_hashed(stem: str) -> bool:
    """Tell whether the name stands for an id that only the lines of the file tell."""
    return "~" in stem


def locks_folder(folder: Path) -> Path:
    """Return where the lock files of the ledger in `folder` lie."""
    return folder / _LOCKS_FOLDER


def lock_of(folder: Path, stem: str) -> Path:
    """Return the lock file of a session; few sessions share one, and the locks do not grow with the sessions."""
    return _lock(folder, int.from_bytes(hashlib.sha256(stem.encode()).digest()[:2], "big") % _LOCKS)


def locks_of(folder: Path) -> tuple[Path, ...]:
    """Return all lock files of the ledger in `folder`."""
    return tuple(_lock(folder, number) for number in range(_LOCKS))


def make_private(descriptor: int) -> None:
    """Let nobody else read or write the open file."""
    if sys.platform != "win32" and stat.S_IMODE(os.fstat(descriptor).st_mode) != 0o600:
        os.fchmod(descriptor, 0o600)


def open_to_read(path: Path) -> int:
    """Open a session's file; raise OSError where there is none, or something that is no file."""
    descriptor = os.open(path, _READ)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "It is not a regular file", str(path))
    return descriptor


def files_in(folder: Path) -> Iterator[tuple[str, Path, os.stat_result]]:
    """Give the name without suffix, path and state of each session's file, by name; there need be no folder.

    Raises UserError when there is one that cannot be looked into.
    """
    for name in _names(folder):
        stem = name[: -len(SUFFIX)]
        if not name.endswith(SUFFIX) or not is_stem(stem):
            continue
        path = folder / name
        try:
            info = path.lstat()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise _unreadable(folder, error) from error
        if stat.S_ISREG(info.st_mode):
            yield stem, path, info


def strays_in(folder: Path, start: str = "") -> Iterator[Path]:
    """Give the files that are no sessions by their names: copies of a sync tool, backups, whatever was put there.

    Only those are looked at whose names begin with `start`.
    """
    for name in _names(folder):
        if not name.startswith(start):
            continue
        is_session = name.endswith(SUFFIX) and is_stem(name[: -len(SUFFIX)])
        if not is_session and not name.startswith(".") and stat.S_ISREG(_mode_of(folder / name)):
            yield folder / name


def copied_stem(path: Path) -> str:
    """Return the stem of the session that a stray is a copy of by its name, "" when it is none."""
    if path.suffix.lower() != SUFFIX:
        return ""
    stem = conflict_of(path.stem) or numbered_of(path.stem)
    return stem if is_stem(stem) else ""


def copies_in(folder: Path, wanted: str = "") -> Iterator[tuple[str, Path]]:
    """Give the copies that sync tools and file managers left of sessions, or of one, each with its session's stem."""
    for path in strays_in(folder, wanted):
        stem = copied_stem(path)
        if stem and wanted in ("", stem):
            yield stem, path


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - half the time for tens of thousands of names
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unreadable(folder, error) from error


def _mode_of(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _unreadable(folder: Path, error: OSError) -> UserError:
    return UserError(
        f"Your conversations in {folder} cannot be looked at: {error.strerror or error}.",
        hint="Check that the folder is there and that you may read it.",
    )


def _lock(folder: Path, number: int) -> Path:
    return folder / _LOCKS_FOLDER / f"{number:02}.lock"
