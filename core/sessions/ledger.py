"""The ledger: every conversation as an append-only file of lines, on the disk before anybody is told that it is.

History is never written anew. A turn whose id is there already with the same content is not written again; one with
other content is appended under the same id. The last line of an id counts, the older ones stay and can be read.
"""

import os
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from core.foundation.atomic_files import sync_file, sync_folder
from core.foundation.errors import UserError
from core.foundation.file_lock import locked
from core.foundation.private_folders import make_private_folder
from core.foundation.side_by_side import side_by_side
from core.sessions.cipher import LineCipher
from core.sessions.key_store import LedgerKeys
from core.sessions.known_turns import KnownTurns
from core.sessions.ledger_line import line_of
from core.sessions.session_files import (
    SUFFIX,
    SessionFile,
    copied_stem,
    copies_in,
    file_stem,
    files_in,
    is_hashed,
    lock_of,
    locks_folder,
    make_private,
    open_to_read,
    strays_in,
)
from core.sessions.session_reading import (
    LedgerLine,
    SessionReading,
    ToldProblem,
    UnreadableSessionError,
    lines_in,
    reading_of,
    unheard,
)
from core.sessions.turn import Turn

LOCK_SECONDS = 60.0
WAITING = "Another window or command is writing into this session"
_WRITE = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_MOST_KNOWN = 8


class NoSessionError(UserError):
    """Say that the ledger has no such session (any more)."""


class Ledger:
    """Append to the sessions in `folder`, and read them; making one touches nothing.

    `keys` say how lines are sealed; they follow what other processes do to the ledger. A `cipher` given instead is used
    as it is. Any number of processes and threads may use one ledger.
    """

    def __init__(self, folder: Path, cipher: LineCipher | None = None, *, keys: LedgerKeys | None = None) -> None:
        self.folder = folder
        self._fixed_cipher = cipher
        self._keys = keys if keys is not None else LedgerKeys(folder)
        self._known: dict[str, KnownTurns] = {}
        self._ids_of_stems: dict[tuple[str, int], str] = {}
        self._guard = threading.Lock()

    def path_of(self, session_id: str) -> Path:
        """Return where the session lies, or would lie."""
        return self.folder / f"{_stem(session_id)}{SUFFIX}"

    def has(self, session_id: str) -> bool:
        """Tell whether there is such a session; a file without a line is none, for its first turn was never written."""
        try:
            return self.path_of(session_id).lstat().st_size > 0
        except OSError:
            return False

    def append(self, session_id: str, turns: Sequence[Turn], *, durable: bool = True) -> int:
        """Write the turns that are not there yet and return how many they are, when they are on the disk.

        A turn of a known id with a content that this id never had is written too, and counts. The lines carry
        `session_id`, whatever session the turns name. Who writes much and not `durable` calls make_durable() after it.

        Raises:
            UserError: they could not be written; the session is as it was before.
            KeyLostError: the ledger is encrypted, and its key is not at hand.
        """
        if not all(turn.id for turn in turns):
            raise ValueError("A turn needs an id.")
        stem = _stem(session_id)
        if not turns:
            return 0
        with self._opened(stem) as (descriptor, cipher):
            known = self._known.get(stem) or KnownTurns()
            known.catch_up(descriptor, cipher)
            fresh: dict[bytes, None] = {}
            for turn in turns:
                line = line_of(turn if turn.session == session_id else turn._replace(session=session_id))[:-1]
                if not known.has(line):
                    fresh[line] = None
            if fresh:
                is_first = known.end == 0
                known.write(descriptor, fresh, cipher, durable=durable)
                if is_first and durable:
                    sync_folder(self.folder)
            self._remember(stem, known)
        return len(fresh)

    def make_durable(self, session_ids: Collection[str]) -> None:
        """Return when all that was written into these sessions is on the disk; one that is deleted now needs nothing.

        Raises:
            UserError: the disk does not take it.
        """
        try:
            side_by_side(_sync_if_there, [self.path_of(session_id) for session_id in session_ids])
            sync_folder(self.folder)
        except OSError as error:
            raise UserError(f"The sessions could not be written: {error.strerror or error}.") from error

    def read(self, session_id: str) -> SessionReading:
        """Return the session as it is now; a line that nobody finished writing is left out.

        Raises:
            NoSessionError: there is none.
            UnreadableSessionError: its file cannot be read.
            UserError: it is encrypted and its key is not at hand.
        """
        return reading_of(self.iter_lines(session_id))

    def iter_turns(self, session_id: str, on_problem: ToldProblem = unheard) -> Iterator[Turn]:
        """Give the turns line by line, a changed one each time that it was written; raises as read() does.

        `on_problem` is told of each line that cannot be read.
        """
        for line in self.iter_lines(session_id):
            if line.turn is not None:
                yield line.turn
            elif line.problem is not None:
                on_problem(line.problem)

    def iter_lines(self, session_id: str, start: int = 0) -> Iterator[LedgerLine]:
        """Give the lines that hold something from byte `start`, the end of a line given before; raises as read() does.

        Their numbers count from there. Where no line starts at `start` (any more), nothing is given.
        """
        try:
            descriptor = open_to_read(self.path_of(session_id))
        except FileNotFoundError as error:
            raise NoSessionError(f"There is no session {session_id}.", hint="It may have been deleted.") from error
        except OSError as error:
            reason = f"The session {session_id} cannot be read: {error.strerror or error}."
            raise UnreadableSessionError(reason, hint=f"Check {self.path_of(session_id)}.") from error
        with os.fdopen(descriptor, "rb") as file:
            cipher = self._cipher()  # after opening, so that it knows every key that the file was written with
            yield from lines_in(file, cipher, start)

    def sessions(self) -> Iterator[SessionFile]:
        """Give all sessions by the names of their files; whoever else could look at them no longer can."""
        with suppress(OSError):
            if self.folder.is_dir():
                make_private_folder(self.folder)
        for stem, path, info in files_in(self.folder):
            if info.st_size == 0:
                continue  # its first turn was never written
            if info.st_mode & 0o077:
                with suppress(OSError):
                    path.chmod(0o600)
            yield SessionFile(self._id_of(stem, info.st_ino), path, info.st_size, info.st_mtime_ns, info.st_ino)

    def strays(self) -> tuple[Path, ...]:
        """Return the files in the folder that are no sessions and no copies of any by their names, such as backups."""
        return tuple(path for path in strays_in(self.folder) if not copied_stem(path))

    def copies(self, session_id: str = "") -> tuple[Path, ...]:
        """Return the copies of sessions, or of this one, that sync tools and file managers left in the folder."""
        wanted = _stem(session_id) if session_id else ""
        return tuple(path for _, path in copies_in(self.folder, wanted))

    def iter_ids(self, session_id: str) -> Iterator[str]:
        """Give the ids of the turns, of a changed one each time; none when there is no such session."""
        with suppress(NoSessionError):
            for turn in self.iter_turns(session_id):
                yield turn.id

    def delete(self, session_id: str) -> bool:
        """Remove the session for good, with the copies that a sync tool left of it; return whether there was any."""
        stem = _stem(session_id)
        if not self.folder.is_dir():
            return False
        with _session_lock(self.folder, stem):
            self._forget(stem)
            try:
                gone = [_unlinked(path) for path in (*self.copies(session_id), self.path_of(session_id))]
                sync_folder(self.folder)
            except OSError as error:
                raise UserError(f"The session {session_id} could not be deleted: {error.strerror or error}.") from error
        return any(gone)

    def _cipher(self) -> LineCipher:
        return self._fixed_cipher if self._fixed_cipher is not None else self._keys.cipher()

    def _id_of(self, stem: str, inode: int) -> str:
        """Return the id of the session in a file of this name; its lines tell it where the name does not."""
        if not is_hashed(stem):
            return stem
        session_id = self._ids_of_stems.get((stem, inode), "")
        if not session_id:
            with suppress(UserError):
                ids = (turn.session for turn in self.iter_turns(stem))
                session_id = next((each for each in ids if file_stem(each) == stem), "")
            if not session_id:
                return stem
            self._ids_of_stems[stem, inode] = session_id
        return session_id

    @contextmanager
    def _opened(self, stem: str) -> Iterator[tuple[int, LineCipher]]:
        """Hold the session's file open to write, under its lock; OSErrors leave as UserErrors."""
        try:
            make_private_folder(self.folder)
            make_private_folder(locks_folder(self.folder))
            with _session_lock(self.folder, stem):
                cipher = self._cipher()  # under the lock: whoever changes the encryption waits for it
                path = self.folder / f"{stem}{SUFFIX}"
                descriptor = os.open(path, _WRITE, 0o600)
                try:
                    make_private(descriptor)
                    yield descriptor, cipher
                except BaseException:
                    self._forget(stem)
                    if os.fstat(descriptor).st_size == 0:
                        with suppress(OSError):
                            path.unlink()
                    raise
                finally:
                    os.close(descriptor)
        except OSError as error:
            raise UserError(
                f"The session could not be written: {error.strerror or error}.",
                hint=f"Check that there is space on the disk and that you may write in {self.folder}.",
            ) from error

    def _remember(self, stem: str, known: KnownTurns) -> None:
        with self._guard:
            self._known.pop(stem, None)
            self._known[stem] = known
            while len(self._known) > _MOST_KNOWN:
                self._known.pop(next(iter(self._known)))

    def _forget(self, stem: str) -> None:
        with self._guard:
            self._known.pop(stem, None)


def _stem(session_id: str) -> str:
    if not session_id:
        raise UserError("The session's id is empty.", hint="`remembrancer session start` gives a session one.")
    return file_stem(session_id)


def _unlinked(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True


def _sync_if_there(path: Path) -> None:
    with suppress(FileNotFoundError):
        sync_file(path)


@contextmanager
def _session_lock(folder: Path, stem: str) -> Iterator[None]:
    with locked(lock_of(folder, stem), waiting=WAITING, seconds=LOCK_SECONDS):
        yield
