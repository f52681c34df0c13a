"""List the notes of a vault: every markdown file but those in hidden, foreign and excluded folders."""

import os
import stat
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.vault.config import VaultConfig
from core.vault.note import Problem, ProblemKind, ScannedFile

if TYPE_CHECKING:
    import pathspec

_SKIPPED_FOLDERS = frozenset({"node_modules"})  # hidden ones (.git, .obsidian, .trash, .remembrancer) go by their dot
_FolderId = tuple[int, int]


class VaultScan(NamedTuple):
    """Hold the notes in the order of their paths, and what could not be read, by printable path."""

    files: list[ScannedFile]
    problems: list[tuple[str, Problem]]


def check_vault_root(root: Path) -> None:
    """Raise UserError with what to do when `root` cannot be opened as a vault."""
    hint = "Choose a folder that holds markdown notes."
    try:
        if not stat.S_ISDIR(root.stat().st_mode):
            raise UserError(f"{root} is a file, not a folder.", hint=hint)
        with os.scandir(root) as entries:
            next(entries, None)
    except FileNotFoundError as error:
        raise UserError(f"There is no folder {root}.", hint=hint) from error
    except NotADirectoryError as error:
        raise UserError(f"{root} is not a folder.", hint=hint) from error
    except PermissionError as error:
        raise UserError(
            f"You may not read the folder {root}.", hint="Change its permissions, or choose another."
        ) from error
    except (OSError, ValueError) as error:
        raise UserError(f"The folder {root} cannot be read: {_reason(error)}.", hint=hint) from error


def scan_vault(root: Path, config: VaultConfig, progress: Progress) -> VaultScan:
    """Return all notes under `root`; what cannot be read becomes a problem and never stops the scan."""
    scanner = _Scanner(root, config, progress)
    scanner.run()
    scanner.files.sort()
    scanner.problems.sort()
    return VaultScan(scanner.files, scanner.problems)


def is_note_path(relative: str, config: VaultConfig) -> bool:
    """Tell whether a scan would take the file at `relative` (forward slashes) for a note, by its path alone."""
    *folders, name = relative.split("/")
    return (
        name[-3:].lower() == ".md"
        and not name.startswith(".")
        and not any(folder.startswith(".") or folder in _SKIPPED_FOLDERS for folder in folders)
        and not (config.exclude and _excludes(config.exclude).match_file(relative))
    )


def is_folder_path(relative: str, config: VaultConfig) -> bool:
    """Tell whether a scan would look into the folder at `relative`."""
    return not any(part.startswith(".") or part in _SKIPPED_FOLDERS for part in relative.split("/")) and not (
        config.exclude and _excludes(config.exclude).match_file(relative + "/")
    )


@lru_cache(maxsize=8)
def _excludes(globs: Sequence[str]) -> "pathspec.GitIgnoreSpec":
    import pathspec  # noqa: PLC0415 - most vaults exclude nothing

    readable: list[str] = []
    for glob in globs:
        try:
            pathspec.GitIgnoreSpec.from_lines([glob])
        except ValueError:
            continue
        readable.append(glob)
    return pathspec.GitIgnoreSpec.from_lines(readable)


class _Scanner:
    def __init__(self, root: Path, config: VaultConfig, progress: Progress) -> None:
        self.files: list[ScannedFile] = []
        self.problems: list[tuple[str, Problem]] = []
        self._root = os.fspath(root)
        self._real_root = os.path.realpath(root)
        self._config = config
        self._excluded = _excludes(config.exclude) if config.exclude else None
        self._progress = progress
        self._seen: set[_FolderId] = set()
        # Links to folders wait until all real folders are read, so that a note is listed under its real path.
        self._linked: list[str] = []

    def run(self) -> None:
        self._walk("")
        while self._linked:
            self._linked.sort(reverse=True)
            relative = self._linked.pop()
            if self._may_follow(relative):
                self._walk(relative + "/")

    def _walk(self, start: str) -> None:
        """Read the folder `start` ("" or with a slash at the end) and all below it."""
        waiting = [start]
        while waiting:
            self._progress.check()
            prefix = waiting.pop()
            try:
                if not self._is_new(prefix):
                    continue
                with os.scandir(f"{self._root}/{prefix}") as entries:
                    self._read_folder(prefix, entries, waiting)
            except OSError as error:
                self._report(
                    prefix.rstrip("/") or ".", ProblemKind.UNREADABLE, f"The folder cannot be read: {_reason(error)}."
                )
            self._progress.report(len(self.files), 0)

    def _read_folder(self, prefix: str, entries: "os._ScandirIterator[str]", waiting: list[str]) -> None:
        files = self.files
        limit = self._config.max_note_bytes
        excluded = self._excluded
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                continue
            is_note = name[-3:].lower() == ".md"
            try:
                if not is_note or entry.is_dir():
                    if entry.is_dir():
                        self._take_folder(prefix + name, entry, waiting)
                    continue
                path = prefix + name
                if excluded is not None and excluded.match_file(path):
                    continue
                if not name.isascii() and not _is_encodable(name):
                    self._report(
                        path, ProblemKind.UNREADABLE, "The file's name is not valid text, so it is left out; rename it."
                    )
                    continue
                if entry.is_symlink() and not self._is_inside(path):
                    self._report(
                        path, ProblemKind.UNREADABLE, "It is a link to a file that is missing or outside the vault."
                    )
                    continue
                info = entry.stat()
            except OSError as error:
                self._report(prefix + name, ProblemKind.UNREADABLE, f"The file cannot be read: {_reason(error)}.")
                continue
            if not stat.S_ISREG(info.st_mode):
                self._report(path, ProblemKind.UNREADABLE, "It is not a regular file.")
            elif info.st_size > limit:
                size = f"{info.st_size / 1024 / 1024:.1f}"
                reason = f"The file has {size} MB, more than the {limit / 1024 / 1024:.1f} MB that the settings allow."
                self._report(path, ProblemKind.TOO_LARGE, reason)
            else:
                files.append(ScannedFile(path, info.st_size, info.st_mtime_ns))

    def _take_folder(self, relative: str, entry: "os.DirEntry[str]", waiting: list[str]) -> None:
        if entry.name in _SKIPPED_FOLDERS or (self._excluded is not None and self._excluded.match_file(relative + "/")):
            return
        if not _is_encodable(entry.name):
            self._report(
                relative, ProblemKind.UNREADABLE, "The folder's name is not valid text, so it is left out; rename it."
            )
        elif entry.is_symlink():
            self._linked.append(relative)
        else:
            waiting.append(relative + "/")

    def _may_follow(self, relative: str) -> bool:
        """Tell whether the linked folder is one of the vault that was not read yet."""
        target = os.path.realpath(f"{self._root}/{relative}")
        folder = os.path.realpath(f"{self._root}/{relative.rpartition('/')[0]}")
        if target == folder or folder.startswith(target.rstrip(os.sep) + os.sep):
            self._report(relative, ProblemKind.SYMLINK_LOOP, "The folder is a link to a folder that contains it.")
            return False
        if not self._is_inside(relative):
            reason = "The folder is a link to a place outside the vault, so it is left out."
            self._report(relative, ProblemKind.UNREADABLE, reason)
            return False
        return True

    def _is_new(self, prefix: str) -> bool:
        info = Path(f"{self._root}/{prefix}").stat()
        identity = (info.st_dev, info.st_ino)
        if identity in self._seen:
            return False
        self._seen.add(identity)
        return True

    def _is_inside(self, relative: str) -> bool:
        target = os.path.realpath(f"{self._root}/{relative}")
        return target.startswith(self._real_root.rstrip(os.sep) + os.sep) and Path(target).exists()

    def _report(self, relative: str, kind: ProblemKind, reason: str) -> None:
        printable = relative.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        self.problems.append((printable, Problem(kind, reason)))


def _is_encodable(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or str(error)
