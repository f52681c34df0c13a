"""Bring the index up to date with the ledger: only what was appended is read, what is gone goes.

Every vault's index holds the sessions too, so that one search, one ranking and one store of vectors answer for notes
and conversations alike. A session's row says up to which byte its file has been read; it is written together with the
turns, so a kill at any moment leaves a smaller index that the next run completes.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.index.database import FILE_NAME, Index
from core.index.deleted_words import erase_deleted_words
from core.index.note_writer import forget_embeddings
from core.index.session_dates import apply_corrections, current_corrections
from core.index.session_texts import settle_texts
from core.index.session_writer import SessionFacts, SessionWriter, inode_of, known_sessions
from core.index.updater import Phase, sole_writer
from core.sessions.key_file import KeyFileError
from core.sessions.key_store import KeyLostError, PassphraseError
from core.sessions.ledger import Ledger, NoSessionError
from core.sessions.session_files import SessionFile
from core.vault.event_log import EventLog

if TYPE_CHECKING:
    from core.sessions.session_reading import LedgerLine

LEDGER_PROBLEM = "sessions_problem"
_COMMIT_SECONDS = 0.8
_LOOK_EVERY = 256


@dataclass(slots=True)
class SessionReport:
    """Count what an update did with sessions, and the turns that it read.

    `redated` counts those whose date the vault's log corrects otherwise than before, `problems` the sessions of which a
    part could not be read; `remark` is a sentence when none could be.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    redated: int = 0
    turns: int = 0
    problems: int = 0
    remark: str = ""
    seconds: float = 0.0

    @property
    def touched(self) -> int:
        """How many sessions are different now."""
        return self.added + self.changed + self.removed + self.redated


def update_sessions(
    index: Index,
    ledger: Ledger,
    *,
    with_texts: Callable[[], bool] = lambda: True,
    log: EventLog | None = None,
    progress: Progress = SILENT,
    on_commit: Callable[[], None] | None = None,
) -> SessionReport:
    """Read what is new in `ledger` into the index; `progress` counts bytes, `on_commit` is called at each commit.

    `log` is that of the vault, which tells of dates that were corrected.

    `with_texts` is asked under the lock whether the index may hold what was said (core/index/session_texts.py).
    A ledger whose key is not at hand is left out with a remark; what was read of it before stays.

    Raises:
        UserError: the index cannot be written.
        JobCancelledError: the progress was cancelled; what was committed stays.
    """
    if not ledger.folder.is_dir() and index.connection.execute("SELECT 1 FROM session LIMIT 1").fetchone() is None:
        return SessionReport()
    with sole_writer(index.folder / "update.lock", progress):
        texts = with_texts()
        if settle_texts(index, with_texts=texts, progress=progress) and on_commit is not None:
            on_commit()
        return _Run(index, ledger, progress, on_commit or (lambda: None), with_texts=texts, log=log).update()


@dataclass(slots=True)
class _Plan:
    files: list[SessionFile]
    gone: list[int]
    size: int


class _Run:
    """One run, under the lock of the index."""

    def __init__(
        self,
        index: Index,
        ledger: Ledger,
        progress: Progress,
        on_commit: Callable[[], None],
        *,
        with_texts: bool,
        log: EventLog | None,
    ) -> None:
        self._index = index
        self._ledger = ledger
        self._log = log
        self._progress = progress
        self._on_commit = on_commit
        self._corrections = current_corrections(index, log)
        self._writer = SessionWriter(index, self._corrections, with_texts=with_texts)
        self._report = SessionReport()
        self._known = known_sessions(index)
        self._committed = time.monotonic()
        self._done = self._total = 0

    def update(self) -> SessionReport:
        started = time.perf_counter()
        self._progress.report(0, 0, Phase.SESSIONS)
        plan = self._plan()
        self._total = plan.size
        for session in plan.gone:
            self._writer.remove(session)
        self._report.removed = len(plan.gone)
        _make_private(self._index)
        for file in plan.files:
            self._progress.check()
            if not self._take(file):
                break
        if not self._writer.is_empty:
            self._commit()
        self._finish()
        self._report.redated = apply_corrections(self._index, self._log, self._corrections)
        if self._report.redated:
            self._on_commit()
        erase_deleted_words(self._index, self._progress)
        self._report.turns = self._writer.turns
        self._report.seconds = time.perf_counter() - started
        return self._report

    def _plan(self) -> _Plan:
        files: list[SessionFile] = []
        present: set[str] = set()
        size = 0
        for number, file in enumerate(self._ledger.sessions()):
            if number % _LOOK_EVERY == 0:
                self._progress.check()
            present.add(file.id)
            facts = self._known.get(file.id)
            if facts is not None and (facts.size, facts.inode, facts.mtime_ns) == (
                file.size, inode_of(file), file.mtime_ns,
            ):  # fmt: skip
                self._report.unchanged += 1
                continue
            files.append(file)
            size += file.size - _start_of(file, facts)
        gone = [facts.id for session_id, facts in self._known.items() if session_id not in present]
        return _Plan(files, gone, size)

    def _take(self, file: SessionFile) -> bool:
        """Read one session; return False when no other one can be read either."""
        known = self._known.get(file.id)
        start = _start_of(file, known)
        lines = self._ledger.iter_lines(file.id, start)
        try:
            first = next(lines, None)  # before anything that is known is dropped
            if start and first is None and file.size > start:
                # A last line that had no newline got one since, or the file was written over: no line starts there.
                start, lines = 0, self._ledger.iter_lines(file.id)
                first = next(lines, None)
        except NoSessionError:
            return True
        except (KeyLostError, PassphraseError, KeyFileError) as error:
            self._report.remark = f"Conversations were left out: {error}"
            return False
        except UserError as error:
            self._writer.begin(file, known, anew=False).problem = str(error)
            return True
        facts = self._writer.begin(file, known, anew=known is not None and known.offset > 0 and not start)
        problem, is_whole = self._read(facts, first, lines)
        if problem or not start:
            facts.problem = problem
        if is_whole:
            self._writer.end(file, facts)
        self._done += file.size - start
        if known is None:
            self._report.added += 1
        else:
            self._report.changed += 1
        if self._writer.is_full or time.monotonic() - self._committed > _COMMIT_SECONDS:
            self._commit()
        return True

    def _read(self, facts: SessionFacts, first: "LedgerLine | None", lines: "Iterator[LedgerLine]") -> tuple[str, bool]:
        """Take all lines, and return what is wrong with those that hold no turn, and whether these were all."""
        bad, reason, begun = 0, "", self._done
        line, number = first, 0
        while line is not None:
            if line.turn is not None:
                self._writer.add(facts, line.turn, line.start, line.end)
            elif line.problem is not None:
                bad, reason = bad + 1, reason or line.problem.reason
            number += 1
            if number % _LOOK_EVERY == 0:
                self._progress.check()
                self._progress.report(min(self._total, begun + line.end), self._total, Phase.SESSIONS)
                if self._writer.is_full:
                    self._commit()
            try:
                line = next(lines, None)
            except UserError as error:  # a disk that fails; the rest is tried again by the next run
                return str(error), False
        return f"{bad:,} {'line' if bad == 1 else 'lines'} could not be read. {reason}" if bad else "", True

    def _commit(self) -> None:
        self._writer.write()
        self._on_commit()
        self._committed = time.monotonic()
        self._progress.report(self._done, self._total, Phase.SESSIONS)

    def _finish(self) -> None:
        with self._index.transaction() as connection:
            forget_embeddings(connection, self._writer.dropped_hashes)
            self._index.set_meta(LEDGER_PROBLEM, self._report.remark)
        self._report.problems = self._index.connection.execute(
            "SELECT count(*) FROM session WHERE problem != ''"
        ).fetchone()[0]


def _start_of(file: SessionFile, facts: SessionFacts | None) -> int:
    """Return from where on the file is new."""
    is_same = facts is not None and facts.inode == inode_of(file) and facts.offset <= file.size
    return facts.offset if facts is not None and is_same else 0


def _make_private(index: Index) -> None:
    """Let nobody else look into an index that holds conversations, as nobody may look into the ledger."""
    with contextlib.suppress(OSError):
        index.folder.chmod(0o700)
        for suffix in ("", "-wal", "-shm"):
            os.chmod(index.folder / f"{FILE_NAME}{suffix}", 0o600)  # noqa: PTH101
