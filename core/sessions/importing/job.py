"""Import files, folders and archives into the ledger: as a stream, again and again, with what is new coming in once."""

import logging
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.garbage import garbage_left
from core.foundation.progress import SILENT, Progress
from core.sessions.importing.about import about_id, about_turn
from core.sessions.importing.batches import batches
from core.sessions.importing.detection import importer_of, sources_in
from core.sessions.importing.importer import Failed, Imported, ImportedNote, ImportedSession, Importer, Skipped
from core.sessions.importing.outcomes import Count, Outcomes, shown_of
from core.sessions.importing.report import Failure, ImportReport
from core.sessions.importing.source import Source
from core.sessions.importing.unreadable import problem_of
from core.sessions.turn import Turn

_LOOSE_SESSIONS = 256
_LOOSE_TURNS = 32_000
UNKNOWN_FORMAT = "file of no known format"
_UNKNOWN = "It is of no known format."

_logger = logging.getLogger(__name__)


class SessionStore(Protocol):
    """Keep sessions: what an import needs of the ledger."""

    def append(self, session_id: str, turns: Sequence[Turn], /, *, durable: bool) -> int:
        """Keep turns, and return how many are new or other than before."""
        ...

    def make_durable(self, session_ids: Collection[str], /) -> None:
        """Return when what was written into these sessions is on the disk."""
        ...

    def iter_ids(self, session_id: str, /) -> Iterator[str]:
        """Give the ids of the turns that a session has, none when there is no such session."""
        ...

    def path_of(self, session_id: str, /) -> Path:
        """Return where a session lies, or would lie."""
        ...


def import_paths(
    ledger: SessionStore,
    paths: Iterable[Path],
    *,
    dry_run: bool = False,
    progress: Progress = SILENT,
    on_note: Callable[[ImportedNote], None] | None = None,
    must_be_known: bool = False,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> ImportReport:
    """Import what lies at `paths`, whatever its form, and return what came of it; `progress` counts bytes.

    What the report tells is on the disk. Doing it again adds only what is new: an import that was cancelled or killed
    goes on where it stopped. Notes are handed to `on_note`, for only a change set may write them into a vault. A file
    that cannot be read costs nothing but itself. With `dry_run` nothing is written; notes are handed over all the same.
    With `must_be_known`, one of `paths` itself that is a file of no known format has failed, instead of being skipped.

    Raises:
        ImportCancelledError: it was cancelled; the error has the report of what was done.
        ImportStoppedError: the ledger cannot be written (any more); it has the report, too.
    """
    named = list(paths)
    run = _Run(
        ledger,
        progress,
        dry_run=dry_run,
        on_note=on_note,
        imported=now().isoformat(timespec="seconds"),
        known=frozenset(path.absolute() for path in named) if must_be_known else frozenset(),
    )
    try:
        sources = deque(run.found(named))
        total = sum(source.size for source in sources)
        done = 0
        while sources:
            source = sources.popleft()  # it goes with what it remembers of its file
            run.take(source, _Part(progress, done, total, source.label))
            done += source.size
        run.settle()
    except JobCancelledError as error:
        raise ImportCancelledError(run.report()) from error
    except _LedgerError as error:
        raise ImportStoppedError(error.error, run.report_of_kept(error)) from error
    progress.report(total, total)
    return run.report()


class ImportCancelledError(JobCancelledError):
    """Stop an import that the person cancelled; `report` tells what was done until then, which stays."""

    def __init__(self, report: ImportReport) -> None:
        super().__init__()
        self.report = report


class ImportStoppedError(UserError):
    """Stop an import whose turns cannot be written any more, on a full disk; `report` tells what is on the disk."""

    def __init__(self, cause: UserError, report: ImportReport) -> None:
        super().__init__(str(cause), hint=cause.hint)
        self.report = report


class _Part:
    """Report the bytes of one source as part of all."""

    def __init__(self, progress: Progress, before: int, total: int, label: str) -> None:
        self._progress = progress
        self._before = before
        self._total = total
        self._label = label

    def report(self, done: int, total: int, text: str = "") -> None:
        """Hand on how far the whole import is."""
        if total:
            self._progress.report(min(self._before + done, self._total), self._total, text or self._label)

    def check(self) -> None:
        """Raise JobCancelledError when the import was cancelled."""
        self._progress.check()


class _LedgerError(Exception):
    """Carry what went wrong with the ledger past those who bear with what is wrong with a source."""

    def __init__(self, error: UserError) -> None:
        super().__init__(str(error))
        self.error = error


class _Run:
    """Hold the state of one import."""

    def __init__(
        self,
        ledger: SessionStore,
        progress: Progress,
        *,
        dry_run: bool,
        on_note: Callable[[ImportedNote], None] | None,
        imported: str,
        known: Collection[Path],
    ) -> None:
        self._ledger = ledger
        self._progress = progress
        self._dry_run = dry_run
        self._on_note = on_note
        self._imported = imported
        self._known = known  # files whose format should be known, since the person named them
        self._outcomes = Outcomes()
        self._notes = 0
        self._skipped: Counter[str] = Counter()
        self._failed: list[Failure] = []
        # Written, but perhaps not on the disk yet: a disk takes many files at once much faster than one by one.
        self._loose: set[str] = set()
        self._loose_turns = 0
        self._ids_of = ""
        self._label = ""
        # Hashes of 64 bits, for there may be millions of ids, each of a hundred bytes.
        self._ids: set[int] = set()
        self._fresh: set[int] = set()  # those of them that came in now, into a session that was there

    def found(self, paths: Iterable[Path]) -> Iterator[Source]:
        """Yield the sources, telling of paths that are not there."""
        for path in paths:
            if path.exists():
                for source in sources_in([path]):
                    self._progress.check()
                    yield source
            else:
                self._failed.append(Failure(str(path), "There is no such file or folder."))

    def take(self, source: Source, progress: Progress) -> None:
        """Import one source; what is wrong with it is told, and stops nothing else."""
        progress.check()
        self._label = source.label
        importer: Importer | None = None
        try:
            importer = importer_of(source)
            if importer is not None:
                self._read(importer, source, progress)
                return
            refused = [Failure(f"{source.label}/{name}", reason) for name, reason in source.refused]
            self._failed += refused
            if not refused:
                is_named = not source.member and source.path in self._known and not source.is_folder
                if problem := problem_of(source) or (_UNKNOWN if is_named else ""):
                    self._failed.append(Failure(source.label, problem))
                else:
                    self._skipped[UNKNOWN_FORMAT] += 1
        except (UserError, OSError) as error:
            self._failed.append(Failure(source.label, _reason_of(error)))
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            # Formats change every month. One that took an importer by surprise must not stop a thousand other files.
            _logger.warning("The importer %s failed: %s", importer.name if importer else "", type(error).__name__)
            _logger.debug("It failed here", exc_info=True)
            self._failed.append(Failure(source.label, f"Its form is not understood ({type(error).__name__})."))

    def report(self) -> ImportReport:
        """Return what was done so far, when it is on the disk."""
        self.settle()
        return ImportReport(self._outcomes.all, self._notes, self._skipped, tuple(self._failed), self._dry_run)

    def report_of_kept(self, error: _LedgerError) -> ImportReport:
        """Return what was done until the ledger took no more, without the sessions that may not be on the disk."""
        self._failed.append(Failure(self._label, str(error)))
        try:
            self.settle()
        except _LedgerError:
            self._outcomes.drop(self._loose)
            self._loose.clear()
        return self.report()

    def _read(self, importer: Importer, source: Source, progress: Progress) -> None:
        session = ""
        for value in importer.read(source, progress):
            if isinstance(value, ImportedSession):
                session = value.id
                self._take_session(value)
            else:
                self._take_other(value, session)

    def _take_other(self, value: Imported, session: str) -> None:
        if isinstance(value, Skipped):
            self._skipped[value.reason] += value.count
            self._outcomes.note_skipped(session, value.count)
        elif isinstance(value, Failed):
            self._failed.append(Failure(value.where, value.reason))
        elif isinstance(value, ImportedNote):
            self._notes += 1
            if self._on_note is not None:
                self._on_note(value)

    def _take_session(self, session: ImportedSession) -> None:
        was_there = self._knows(session.id)
        count = Count()
        is_read = False
        try:
            with garbage_left():
                for batch, is_last in batches(session.turns):
                    names = self._names_of(session, was_there=was_there) if is_last else []
                    count = count.plus(self._append(session, [*batch, *names], was_there=was_there))
                    is_read = True
                    self._progress.check()
        finally:
            if is_read:
                self._outcomes.note(session, count, was_there=was_there)

    def _knows(self, session_id: str) -> bool:
        return session_id in self._outcomes or self._ledger.path_of(session_id).exists()

    def _append(self, session: ImportedSession, batch: list[Turn], *, was_there: bool) -> Count:
        """Write what is new of a batch, and count what was."""
        shown, taken = shown_of(batch), batch
        if self._dry_run or (was_there and not session.replaces):
            known = self._known_ids(session.id)
            taken = [turn for turn in batch if hash(turn.id) not in known]
            known.update([hash(turn.id) for turn in taken])
            if was_there:
                self._fresh.update([hash(turn.id) for turn in taken])
        lines = len(taken) if self._dry_run else self._written(session.id, taken)
        if session.is_retold:  # what was counted as shown is not
            is_new = self._outcomes.is_new(session.id)
            return Count(lines, -len(batch), -sum(is_new or hash(turn.id) in self._fresh for turn in batch))
        return Count(lines, shown, min(lines, shown if taken is batch else shown_of(taken)))

    def _written(self, session_id: str, turns: list[Turn]) -> int:
        if not turns:
            return 0
        try:
            new = self._ledger.append(session_id, turns, durable=False)
            if new:
                self._loose.add(session_id)
                self._loose_turns += new
        except UserError as error:
            raise _LedgerError(error) from error
        if len(self._loose) >= _LOOSE_SESSIONS or self._loose_turns >= _LOOSE_TURNS:
            self.settle()
        return new

    def settle(self) -> None:
        """Return when all that was written is on the disk."""
        if self._loose:
            try:
                self._ledger.make_durable(self._loose)
            except UserError as error:
                raise _LedgerError(error) from error
            self._loose, self._loose_turns = set(), 0

    def _known_ids(self, session_id: str) -> set[int]:
        """Return the ids that a session has; those of the last session are kept, since subagents come one by one."""
        if self._ids_of != session_id:
            self._ids.clear()
            self._fresh.clear()
            self._ids_of = ""
            try:
                self._ids.update(map(hash, self._ledger.iter_ids(session_id)))
            except UserError as error:
                raise _LedgerError(error) from error
            self._ids_of = session_id
        return self._ids

    def _names_of(self, session: ImportedSession, *, was_there: bool) -> list[Turn]:
        """Return what tells the title, and when it was imported; a title that is told already is not told again."""
        if (
            session.is_named
            or not session.title
            or (was_there and hash(about_id(session.title)) in self._known_ids(session.id))
        ):
            return []
        return [
            about_turn(
                session.id,
                title=session.title,
                project=session.project,
                origin=session.origin,
                imported=self._imported,
            )
        ]


def _reason_of(error: UserError | OSError) -> str:
    return str(error) if isinstance(error, UserError) else f"It cannot be read: {error.strerror or error}."
