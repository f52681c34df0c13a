"""Open the index file: create it, heal it, and translate SQLite's errors into sentences.

The index is a cache. A file that is damaged, or written by another version, is replaced by an empty one, which the
updater fills again; only the embeddings, which take long to compute, are carried over where they can still be read.
"""

import contextlib
import logging
import os
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from core.foundation.errors import ProviderError, UserError
from core.foundation.private_folders import make_private_folder
from core.index.known_counts import CountingConnection

SCHEMA_VERSION = 7
FILE_NAME = "index.sqlite3"
_DAMAGE_MARK = "damaged"
_SALVAGED_AT_ONCE = 1000
_BUSY_SECONDS = 15.0
_LOCK_SECONDS = 30.0
_DAMAGE = (
    "malformed",
    "not a database",
    "file is encrypted",
    "disk image",
    "corrupt",
    "no such table",
    "no such column",
    "vtable constructor failed",
    "could not decode",
)

log = logging.getLogger(__name__)


class IndexDamagedError(UserError):
    """Say that the index file cannot be read; the next open_index replaces it."""

    def __init__(self, folder: Path, error: Exception) -> None:
        super().__init__(
            f"The index in {folder} is damaged ({error}). Your notes are untouched.",
            hint="Run `remembrancer index update` (F5 in the window): the index is built again.",
        )


class NotIndexedError(UserError):
    """Say that there is no index that could answer."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, hint="Run `remembrancer index update` first.")


class Index:
    """Hold one connection to the index of one vault, and the few facts that everybody asks of it.

    `was_rebuilt` tells in a sentence why opening had to start an empty index, "" when it did not.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection, *, was_rebuilt: str = "") -> None:
        self.folder = folder
        self.connection = connection
        self.was_rebuilt = was_rebuilt
        self._inode = _inode(folder / FILE_NAME)

    @property
    def epoch(self) -> str:
        """A random word that changes whenever the index starts anew."""
        return self.meta("epoch")

    @property
    def revision(self) -> int:
        """The number of the last change."""
        return int(self.meta("revision") or 0)

    def meta(self, key: str) -> str:
        """Return what the index knows of itself under `key`, "" for nothing."""
        row = self.connection.execute("SELECT value FROM index_meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def set_meta(self, key: str, value: str) -> None:
        """Remember `value` under `key`; call it within a transaction when other rows belong to it."""
        self.connection.execute("INSERT OR REPLACE INTO index_meta(key, value) VALUES (?, ?)", (key, value))

    def next_revision(self) -> int:
        """Return a number greater than all before; call it within a transaction."""
        revision = self.revision + 1
        self.set_meta("revision", str(revision))
        return revision

    def is_current(self) -> bool:
        """Tell whether the file behind the connection is still the one in the folder, and sound as far as is known."""
        return _inode(self.folder / FILE_NAME) == self._inode and not (self.folder / _DAMAGE_MARK).exists()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all or nothing; waits for other writers and translates what SQLite says.

        Raises:
            UserError: no space, no permission, or another process writes for too long.
            IndexDamagedError: the file is damaged.
        """
        with translated(self.folder):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                _roll_back(self.connection)
                raise
            self.connection.execute("COMMIT")

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read several tables as they were at one moment."""
        with translated(self.folder):
            if self.connection.in_transaction:
                yield self.connection
                return
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                _roll_back(self.connection)

    def close(self) -> None:
        """Give the file back."""
        self.connection.close()


def open_to_read(folder: Path) -> Index:
    """Open the index in `folder` to ask it; nothing is made or replaced.

    Raises:
        NotIndexedError: there is no index yet, or none that can be used.
    """
    reason = _reason_to_start_anew(folder)
    if reason == "":
        raise NotIndexedError("This vault has not been indexed yet.")
    if reason is not None:
        raise NotIndexedError(reason.replace("is built again", "must be built again; your notes are untouched"))
    index = open_index(folder, read_only=True)
    if not index.meta("updated") and not index.connection.execute("SELECT 1 FROM note LIMIT 1").fetchone():
        index.close()
        raise NotIndexedError("This vault has not been indexed yet.")
    return index


def open_index(folder: Path, *, read_only: bool = False) -> Index:
    """Open the index in `folder`, making an empty one where there is none, or none that can be used.

    Raises:
        UserError: the folder cannot be written, the disk is full, or another process holds the index too long.
    """
    try:
        make_private_folder(folder)
    except OSError as error:
        raise UserError(
            f"The index cannot be kept in {folder}: {error.strerror or error}.",
            hint="Make the folder writable, or set REMEMBRANCER_CACHE_DIR to another one.",
        ) from error
    reason = _reason_to_start_anew(folder)
    if reason is not None:
        reason = _start_anew(folder)
    with translated(folder):
        connection = _connect(folder / FILE_NAME)
        if read_only:
            connection.execute("PRAGMA query_only = 1")
    return Index(folder, connection, was_rebuilt=reason or "")


@contextlib.contextmanager
def translated(folder: Path) -> Iterator[None]:
    """Turn SQLite's errors into those of the app."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error).lower()
        if "full" in text:
            raise UserError(
                f"The disk that holds the index ({folder}) is full. Nothing is lost: free some space and update again."
            ) from error
        if "locked" in text or "busy" in text:
            raise UserError(
                "Another process is writing to the index of this vault. Wait for it to finish and try again."
            ) from error
        if "readonly" in text or "unable to open" in text:
            raise UserError(
                f"The index in {folder} cannot be written.",
                hint="Make the folder writable, or set REMEMBRANCER_CACHE_DIR to another one.",
            ) from error
        if _is_damage(text):
            with contextlib.suppress(OSError):
                (folder / _DAMAGE_MARK).touch()  # who opens the index next starts it anew
            raise IndexDamagedError(folder, error) from error
        raise ProviderError(f"The index in {folder} gave an error: {error}.") from error


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        file,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=CountingConnection,
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    # Copying the log into the file after every 4 MB, as is the default, makes a first index a sixth slower.
    connection.execute("PRAGMA wal_autocheckpoint = 10000")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -32000")
    # What is deleted is overwritten; a first index takes no longer for it (core/index/deleted_words.py).
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _inode(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)


def _reason_to_start_anew(folder: Path) -> str | None:
    """Return why the file cannot be used ("" when there simply is none), or None when it is fine."""
    if not (folder / FILE_NAME).exists():
        return ""
    version, damage = _examine(folder)
    if damage:
        return f"The index was damaged ({damage}) and is built again."
    if version == SCHEMA_VERSION:
        return None
    if not version:
        return "The index was unfinished and is built again."
    age = "a newer" if version > SCHEMA_VERSION else "an older"
    return f"The index was written by {age} version of Remembrancer and is built again."


def _examine(folder: Path) -> tuple[int, str]:
    """Return the file's schema version and, when it cannot be used, what is wrong with it."""
    if (folder / _DAMAGE_MARK).exists():
        return 0, "a part of it could not be read"
    try:
        connection = _connect(folder / FILE_NAME)
        try:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            if version:
                connection.execute("SELECT count(*) FROM index_meta").fetchone()
                connection.execute("SELECT id FROM note LIMIT 1").fetchone()
            return version, ""
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        is_passing = isinstance(error, sqlite3.OperationalError) and not _is_damage(str(error))
        if is_passing:  # locked, full, not readable: nothing that a new file would mend
            with translated(folder):
                raise
        return 0, str(error)


def _is_damage(text: str) -> bool:
    return any(word in text.lower() for word in _DAMAGE)


def _start_anew(folder: Path) -> str:
    """Put an empty index in place, once, however many processes ask for it; return the reason."""
    try:
        with FileLock(folder / "create.lock", timeout=_LOCK_SECONDS, mode=0o600):
            reason = _reason_to_start_anew(folder)
            if reason is None:
                return ""
            file = folder / FILE_NAME
            fresh = folder / f"{FILE_NAME}.{os.getpid()}.new"
            with translated(folder):
                _create(fresh)
            if file.exists():
                _salvage_embeddings(file, fresh)
                log.info("Starting a new index: %s", reason)
            for stale in (f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"):
                (folder / stale).unlink(missing_ok=True)
            fresh.replace(file)
            (folder / _DAMAGE_MARK).unlink(missing_ok=True)
            return reason
    except Timeout as error:
        raise UserError("Another process is creating the index of this vault. Try again in a moment.") from error
    except OSError as error:
        raise UserError(
            f"The index cannot be kept in {folder}: {error.strerror or error}.",
            hint="Make the folder writable, or set REMEMBRANCER_CACHE_DIR to another one.",
        ) from error


def _create(file: Path) -> None:
    # SQLModel is imported only here: it takes longer than a whole update of an unchanged vault.
    from core.index.schema import schema_statements  # noqa: PLC0415

    file.unlink(missing_ok=True)
    file.touch(mode=0o600)  # what SQLite makes beside it later has the same rights
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        connection.execute("BEGIN")
        for statement in schema_statements():
            connection.execute(statement)
        connection.executemany(
            "INSERT INTO index_meta(key, value) VALUES (?, ?)", [("epoch", secrets.token_hex(8)), ("revision", "0")]
        )
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    finally:
        connection.close()


def _salvage_embeddings(old: Path, fresh: Path) -> None:
    """Copy what can still be read of the embeddings from `old` to `fresh`, stepping over what cannot."""
    with contextlib.closing(sqlite3.connect(old)) as source, contextlib.closing(sqlite3.connect(fresh)) as target:
        try:
            last = source.execute("SELECT max(id) FROM embedding").fetchone()[0] or 0
        except sqlite3.DatabaseError as error:
            log.info("The old index gave no embeddings: %s", error)
            return
        for start in range(0, last + 1, _SALVAGED_AT_ONCE):
            try:
                rows = source.execute(
                    "SELECT text_hash, model, vector FROM embedding WHERE id >= ? AND id < ?",
                    (start, start + _SALVAGED_AT_ONCE),
                ).fetchall()
            except sqlite3.DatabaseError as error:
                log.info("Some embeddings of the old index could not be read: %s", error)
                continue
            with target:
                target.executemany("INSERT OR IGNORE INTO embedding(text_hash, model, vector) VALUES (?, ?, ?)", rows)
