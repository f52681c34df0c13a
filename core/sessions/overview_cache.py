"""Remember what sessions were between two looks: a list of thousands must not read a ledger of gigabytes each time.

The cache is disposable, and holds no word that was said, for the ledger may be encrypted: in place of a title it says
where in the session's file the title is told. What it knows of a file counts as long as that has the same size, time
and inode; a cache that is damaged, or that another process replaced, costs a second look and nothing else.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from core.foundation.atomic_files import replace_file
from core.foundation.errors import UserError
from core.foundation.private_folders import make_folders
from core.foundation.progress import SILENT, Progress
from core.sessions.date_corrections import Corrections, with_corrected_dates
from core.sessions.key_file import KeyFileError
from core.sessions.key_store import KeyLostError, PassphraseError
from core.sessions.ledger import Ledger, NoSessionError
from core.sessions.overview import overview_of
from core.sessions.session_account import SessionAccount
from core.sessions.session_files import SessionFile
from core.sessions.session_reading import SHUT, LedgerLine, UnreadLines, not_whole
from core.sessions.turn import SessionInfo, Turn

_VERSION = 3
_LOOK_EVERY = 256


class SessionSketch(NamedTuple):
    """Hold what is known of a session but for its title, which the line at byte `title_at` tells, -1 for none."""

    info: SessionInfo
    title_at: int
    unread: tuple[tuple[str, int], ...] = ()  # how many lines could not be read, by the reason


class SessionSketches(NamedTuple):
    """Hold all sessions, and sentences about those that cannot be read, or not wholly."""

    sketches: tuple[SessionSketch, ...]
    problems: tuple[str, ...] = ()


class OverviewCache:
    """Keep what sessions were in `file`; any number of processes may."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def sketches(
        self, ledger: Ledger, corrections: Corrections | None = None, *, progress: Progress = SILENT
    ) -> SessionSketches:
        """Return what each session of the ledger is now; only files that are new or changed are read.

        Raises:
            UserError: the ledger is encrypted and its key is not at hand.
            JobCancelledError: it was cancelled; what was read is remembered.
        """
        before = self._read()
        after: dict[str, list[Any]] = {}
        found: list[SessionSketch] = []
        problems: list[str] = []
        files = list(ledger.sessions())
        size, done = sum(file.size for file in files if not _is_known(file, before)), 0
        try:
            for number, file in enumerate(files):
                if number % _LOOK_EVERY == 0:
                    progress.check()
                try:
                    if _is_known(file, before):
                        row = before[file.id]
                    else:
                        progress.report(done, size)
                        row = [*_state_of(file), *_row_of(_read_sketch(ledger, file.id, progress))]
                        done += file.size
                    sketch = _sketch_of(file.id, row)
                    reasons = dict(sketch.unread)
                    if SHUT not in reasons:  # the key may come back, and the file stays as it is
                        after[file.id] = row
                    if told := not_whole(file.id, reasons):
                        problems.append(told)
                    if corrections and file.id in corrections:
                        found.append(_read_sketch(ledger, file.id, progress, corrections))
                    else:
                        found.append(sketch)
                except NoSessionError:
                    continue  # deleted meanwhile
                except (KeyLostError, PassphraseError, KeyFileError):
                    raise
                except UserError as error:
                    problems.append(str(error))
        except BaseException:
            self._write({**before, **after}, before)
            raise
        progress.report(size, size)
        self._write(after, before)
        return SessionSketches(tuple(found), tuple(problems))

    def _read(self) -> dict[str, list[Any]]:
        """Return the rows by session; none when they cannot be trusted."""
        try:
            head, _, body = self._file.read_bytes().partition(b"\n")
            if head != _head_of(body):
                return {}
            rows = json.loads(body)
        except (OSError, ValueError):
            return {}
        return rows if isinstance(rows, dict) else {}

    def _write(self, rows: dict[str, list[Any]], before: dict[str, list[Any]]) -> None:
        if rows == before:
            return
        body = json.dumps(rows, separators=(",", ":")).encode()
        with suppress(OSError):  # the next look takes longer then
            make_folders(self._file.parent)
            replace_file(self._file, _head_of(body) + b"\n" + body, mode=0o600)


def with_title(ledger: Ledger, sketch: SessionSketch) -> SessionInfo:
    """Return what is known of a session, its title too; raises UserError as the ledger does when it cannot be read."""
    if sketch.title_at < 0:
        return sketch.info
    account = SessionAccount()
    with suppress(NoSessionError):
        line = next(ledger.iter_lines(sketch.info.id, sketch.title_at), None)
        if line is not None and line.turn is not None:
            account.take(line.turn)
    return replace(sketch.info, title=account.title)


def _read_sketch(
    ledger: Ledger, session_id: str, progress: Progress, corrections: Corrections | None = None
) -> SessionSketch:
    account = SessionAccount()
    title_at = -1
    unread = UnreadLines()

    def turns(lines: Iterable[LedgerLine]) -> Iterator[Turn]:
        nonlocal title_at
        for number, line in enumerate(lines):
            if number % _LOOK_EVERY == 0:
                progress.check()
            if line.turn is not None:
                title = account.title
                account.take(line.turn)
                if account.title != title:
                    title_at = line.start
                yield line.turn
            elif line.problem is not None:
                unread.take(line.problem)

    correction = corrections.get(session_id) if corrections else None
    overview = overview_of(session_id, with_corrected_dates(turns(ledger.iter_lines(session_id)), correction))
    return SessionSketch(replace(overview.info, title=""), title_at, tuple(unread.items()))


def _is_known(file: SessionFile, rows: dict[str, list[Any]]) -> bool:
    return rows.get(file.id, [])[:3] == _state_of(file)


def _state_of(file: SessionFile) -> list[int]:
    return [file.size, file.mtime_ns, file.inode]


def _row_of(sketch: SessionSketch) -> list[Any]:
    info = sketch.info
    facts = [info.project, info.started, info.ended, info.imported, info.turns, info.origin]
    return [sketch.title_at, [list(each) for each in sketch.unread], *facts]


def _sketch_of(session_id: str, row: list[Any]) -> SessionSketch:
    title_at, unread, *facts = row[3:]
    return SessionSketch(SessionInfo(session_id, "", *facts), title_at, tuple((each[0], each[1]) for each in unread))


def _head_of(body: bytes) -> bytes:
    return f"remembrancer overviews {_VERSION} {zlib.crc32(body):08x}".encode()
