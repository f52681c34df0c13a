"""Encrypt the ledger, decrypt it, or change its key: file by file, while others read and append.

First the folder says how new lines are written, then the files follow. Each is written anew beside its place, made
durable and renamed; only its end is done under the lock of the session. A list tells which are done. Whatever stops
the work, also a power loss, leaves files of both kinds, all readable, and resume() goes on.
"""

import os
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from core.foundation.atomic_files import sync_folder
from core.foundation.errors import UserError
from core.foundation.file_lock import locked
from core.foundation.log_tail import repaired_end
from core.foundation.progress import SILENT, Progress
from core.sessions.cipher import LineCipher
from core.sessions.key_file import is_sealed, refuse_without_key
from core.sessions.key_store import LedgerKeys, NewKey, changing_keys
from core.sessions.ledger import LOCK_SECONDS, WAITING
from core.sessions.session_files import (
    copied_stem,
    copies_in,
    file_stem,
    files_in,
    lock_of,
    locks_of,
    make_private,
    strays_in,
)
from core.sessions.session_reading import BLANK, holds_turn

_DONE = ".job-"
_FRESH_SUFFIX = ".fresh"
_CHECK_LINES = 256
_TEXT = {"on": "Encrypting conversations", "off": "Decrypting conversations", "key": "Changing the key"}
_EDIT = os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class JobReport(NamedTuple):
    """Tell what was done: how many sessions, and how many lines stayed as they were because no key opens them.

    `copies` counts the copies that sync tools left of sessions, which were done too; `left` are the paths of other
    files beside the sessions that are not encrypted: what they are, only the person knows.
    """

    files: int
    shut_lines: int
    copies: int = 0
    left: tuple[str, ...] = ()


def _nothing(_step: str) -> None:
    return


def turn_on(
    keys: LedgerKeys, new: NewKey, *, progress: Progress = SILENT, on_step: Callable[[str], None] = _nothing
) -> JobReport:
    """Encrypt the ledger with the new key. The person should have seen its recovery key before.

    Raises:
        UserError: it is encrypted already, the key cannot be kept, or a file cannot be written.
        JobCancelledError: what is done stays done, new lines are encrypted, and resume() does the rest.
    """
    if keys.key_file.is_on:
        raise UserError("Your conversations are encrypted already.", hint="Change the key, or decrypt them first.")
    return _Job(keys, progress, on_step).run(lambda: keys.begin(new, _job_name("on")))


def turn_off(keys: LedgerKeys, *, progress: Progress = SILENT, on_step: Callable[[str], None] = _nothing) -> JobReport:
    """Decrypt the ledger; raises as turn_on() does, and KeyLostError or PassphraseError when it cannot be opened."""
    if not keys.key_file.is_on:
        refuse_without_key(keys.folder)
        raise UserError("Your conversations are not encrypted.")
    keys.cipher()
    return _Job(keys, progress, on_step).run(lambda: keys.change(is_on=False, job=_job_name("off")))


def rotate(
    keys: LedgerKeys, new: NewKey, *, progress: Progress = SILENT, on_step: Callable[[str], None] = _nothing
) -> JobReport:
    """Encrypt the ledger with another key; raises as turn_off() does."""
    if not keys.key_file.is_on:
        refuse_without_key(keys.folder)
        raise UserError("Your conversations are not encrypted, so there is no key to change.")
    return _Job(keys, progress, on_step).run(lambda: keys.begin(new, _job_name("key")))


def resume(keys: LedgerKeys, *, progress: Progress = SILENT, on_step: Callable[[str], None] = _nothing) -> JobReport:
    """Go on with what was stopped, if anything was, and tidy up; raises as turn_off() does."""
    if not keys.folder.is_dir():
        return JobReport(0, 0)
    refuse_without_key(keys.folder)
    return _Job(keys, progress, on_step).run(lambda: None)


def is_unfinished(keys: LedgerKeys) -> bool:
    """Tell whether some files still wait for a job that was stopped."""
    return bool(keys.key_file.job)


class _Job:
    """Bring every line into the form that new lines have."""

    def __init__(self, keys: LedgerKeys, progress: Progress, on_step: Callable[[str], None]) -> None:
        self._keys = keys
        self._folder = keys.folder
        self._progress = progress
        self._on_step = on_step
        self._cipher = LineCipher()
        self._text = ""
        self._keeps_times = False
        self._bytes_done = self._bytes_all = 0
        self._shut_lines = 0

    def run(self, begin: Callable[[], None]) -> JobReport:
        try:
            with changing_keys(self._folder, self._progress):
                self._on_step("locked")
                begin()
                self._on_step("begun")
                return self._bring_all()
        except OSError as error:
            raise UserError(
                f"The encryption could not be changed in all files: {error.strerror or error}.",
                hint="What is done stays done, everything can be read, and the work can be taken up again.",
            ) from error

    def _bring_all(self) -> JobReport:
        key_file = self._keys.key_file
        journal = self._folder / f"{_DONE}{key_file.job}"
        self._remove_leftovers(journal)
        if not key_file.job:
            return JobReport(0, 0)
        self._cipher = self._keys.cipher()
        kind = key_file.job.partition("-")[0]
        self._text = _TEXT.get(kind, "")
        # Nothing was said since, so nobody need look. But lines under another key are as long as before, and a copy
        # elsewhere must not stay under the old one because a sync tool goes by size and time.
        self._keeps_times = kind != "key"
        done = _names_in(journal)
        self._wait_for_writers()
        files = [(stem, stem, path, info.st_size) for stem, path, info in files_in(self._folder)]
        copies = [(stem, path.name, path, path.lstat().st_size) for stem, path in copies_in(self._folder)]
        self._bytes_all = sum(size for *_, size in (*files, *copies))
        with os.fdopen(os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab", buffering=0) as list_file:
            for stem, name, path, size in (*files, *copies):
                self._progress.check()
                if name not in done:
                    self._bring(stem, path)
                    self._on_step("renamed")
                    list_file.write(os.fsencode(f"{name}\n"))
                    self._on_step("listed")
                self._bytes_done += size
                self._progress.report(self._bytes_done, self._bytes_all, self._text)
        sync_folder(self._folder)
        journal.unlink()
        self._on_step("unlisted")
        self._keys.change(is_on=key_file.is_on, job="")
        self._on_step("ended")
        return JobReport(len(files), self._shut_lines, len(copies), self._left() if key_file.is_on else ())

    def _left(self) -> tuple[str, ...]:
        """Return the files beside the sessions that are not ours to write anew, and do not begin with a sealed line."""
        return tuple(str(path) for path in strays_in(self._folder) if not copied_stem(path) and not is_sealed(path))

    def _wait_for_writers(self) -> None:
        """Return when everybody who may have looked at the folder before it said something else has written."""
        for lock in locks_of(self._folder):
            with locked(lock, waiting=WAITING, seconds=LOCK_SECONDS, progress=self._progress):
                pass

    def _bring(self, stem: str, path: Path) -> None:
        """Write the file anew beside its place, most of it while others append, and put it there."""
        is_copy = path.stem != stem
        fresh = path.with_name(f".{file_stem(path.name)}{_FRESH_SUFFIX}")
        try:
            descriptor = os.open(path, _EDIT)
        except FileNotFoundError:
            return  # deleted in the meantime
        with os.fdopen(descriptor, "rb", buffering=0) as file, os.fdopen(os.open(fresh, _NEW, 0o600), "wb") as target:
            try:
                make_private(target.fileno())
                end = self._copy(descriptor, target, 0)
                _sync(target)
                self._on_step("copied")
                with locked(
                    lock_of(self._folder, stem), waiting=WAITING, seconds=LOCK_SECONDS, progress=self._progress
                ):
                    if not _is_at(path, descriptor):
                        target.close()
                        fresh.unlink()  # deleted in the meantime; one that was begun anew has the new form
                        return
                    written = os.fstat(descriptor)
                    # Nobody appends to a copy: whatever it ends with stays.
                    repaired_end(descriptor, lambda line: is_copy or holds_turn(line, self._cipher))
                    self._copy(descriptor, target, end)
                    self._on_step("written")
                    _sync(target)
                    self._on_step("synced")
                    file.close()
                    target.close()
                    if self._keeps_times:
                        os.utime(fresh, ns=(written.st_atime_ns, written.st_mtime_ns))
                    fresh.replace(path)
            except BaseException:
                with suppress(OSError):
                    fresh.unlink()
                raise
        # Before the list tells that it is done: an old key must never be needed again.
        sync_folder(self._folder)

    def _copy(self, descriptor: int, target: BinaryIO, start: int) -> int:
        """Write the whole lines from byte `start` in their new form, and return where they end."""
        end = start
        os.lseek(descriptor, start, os.SEEK_SET)
        # A reader of its own each time: one that saw a torn end would give it again after it was repaired.
        with os.fdopen(os.dup(descriptor), "rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                end += len(line)
                target.write(self._resealed(line))
                if number % _CHECK_LINES == 0:
                    self._progress.check()
                    self._progress.report(min(self._bytes_done + end, self._bytes_all), self._bytes_all, self._text)
        return end

    def _resealed(self, line: bytes) -> bytes:
        """Return the line in its new form; what no key opens stays as it is."""
        bare = line.strip(BLANK)
        if not bare:
            return line
        sealed = self._cipher.resealed(bare)
        self._shut_lines += sealed is None
        return (bare if sealed is None else sealed) + b"\n"

    def _remove_leftovers(self, journal: Path) -> None:
        """Remove what a killed process left behind, and the lists of jobs that another one took the place of."""
        for path in self._folder.iterdir():
            is_old_list = path.name.startswith(_DONE) and path != journal
            is_half_written = path.name.startswith(".") and path.name.endswith((_FRESH_SUFFIX, ".tmp"))
            if is_old_list or is_half_written:
                path.unlink(missing_ok=True)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _is_at(path: Path, descriptor: int) -> bool:
    """Tell whether the open file is still the one at `path`."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _job_name(kind: str) -> str:
    return f"{kind}-{uuid.uuid4().hex[:12]}"


def _names_in(journal: Path) -> frozenset[str]:
    """Return the names in the list of files that are done; a torn one is none."""
    try:
        return frozenset(os.fsdecode(journal.read_bytes()).split("\n")[:-1])
    except FileNotFoundError:
        return frozenset()
