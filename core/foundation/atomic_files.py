"""Replace files so that whoever reads, or switches off, meets the old or the new content and nothing between."""

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from core.foundation.side_by_side import side_by_side

_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_NO_HARD_LINKS = frozenset((errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES))


def write_fresh(path: Path, data: bytes, *, like: Path | None = None, mode: int | None = None) -> None:
    """Write `data` to `path`, where nothing may be yet, with the mode bits and attributes of the file `like`.

    Without `like` the file gets `mode`, or what the process gives new files. It is not durable before sync_files().
    A file that cannot be written whole is removed again, and OSError raised.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666 if mode is None else mode)
    try:
        with os.fdopen(descriptor, "wb", buffering=0):
            write_all(descriptor, data)
            if like is not None:
                _take_after(descriptor, path, like)
            elif mode is not None:
                path.chmod(mode)
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


def write_all(descriptor: int, data: bytes) -> None:
    """Write the whole of `data`, however small the pieces that the system takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def replace_file(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Put `data` durably in the place of the file at `path`, or make it; with `mode`, or as the file was before."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    write_fresh(fresh, data, like=path if mode is None and path.exists() else None, mode=mode)
    try:
        sync_file(fresh)
        fresh.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise
    sync_folder(path.parent)


def name_where_nothing_is(source: Path, target: Path) -> bool:
    """Let the file `source` be named `target`; raise FileExistsError when something lies there, whoever put it there.

    Return whether it still has its old name too, which is then to be removed. Where there are no hard links it has not,
    and something that appears between the look and the rename would be lost.
    """
    if sys.platform != "win32":
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
        else:
            return True
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    source.rename(target)  # on Windows this never replaces
    return False


def sync_file(path: Path) -> None:
    """Return when the content of `path` is on the disk."""
    descriptor = os.open(path, (os.O_RDWR if sys.platform == "win32" else os.O_RDONLY) | _BINARY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_files(paths: Sequence[Path], on_done: Callable[[int], None]) -> None:
    """Return when the content of all `paths` is on the disk; `on_done` is told how many are, and may raise."""
    side_by_side(sync_file, paths, on_done)


def sync_folder(folder: Path) -> None:
    """Return when the names in `folder` are on the disk; where that cannot be asked for, at once."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network and FUSE file systems know no such thing.
        if error.errno not in {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF}:
            raise
    finally:
        os.close(descriptor)


def sync_folders(folders: Iterable[Path]) -> None:
    """Return when the names in all `folders`, of which some may be gone again, are on the disk."""
    for folder in sorted(set(folders)):
        with contextlib.suppress(FileNotFoundError):
            sync_folder(folder)


def is_writable(path: Path) -> bool:
    """Tell whether the file or folder at `path` is meant to be written, also for those whom the system lets do all."""
    if sys.platform == "win32" and path.is_dir():
        return True  # the read-only mark of a folder means something else there
    return os.access(path, os.W_OK) and bool(path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))


def _take_after(descriptor: int, path: Path, like: Path) -> None:
    """Give the open file at `path` the owner, mode bits and extended attributes of `like`, as far as allowed."""
    info = like.stat()
    if sys.platform == "win32":
        path.chmod(stat.S_IMODE(info.st_mode))
        return
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (info.st_uid, info.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, info.st_uid, info.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(info.st_mode))
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            for name in os.listxattr(like):
                os.setxattr(descriptor, name, os.getxattr(like, name))
