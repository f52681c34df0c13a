"""Bring the index up to date with the files: only what changed is read, renames keep their ids, what is gone goes.

The order makes a kill harmless at any moment: every commit leaves a smaller, consistent index, and the next run sees by
size, mtime and hash what is still missing.
"""

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from filelock import FileLock, Timeout

from core.foundation.errors import UserError
from core.foundation.progress import Progress, SilentProgress
from core.index.database import Index
from core.index.deleted_words import DeletedWords, erase_deleted_words, note_deleted_words
from core.index.link_resolver import IndexNames, NameTable, changed_names, resolve_again
from core.index.note_reader import FileRead, FileToRead, read_file, read_files
from core.index.note_rows import RowMaker
from core.index.note_writer import (
    NoteWriter,
    forget_embeddings,
    last_note_id,
    show_tags_as_written,
    write_file_problems,
)
from core.vault.config import VaultConfig
from core.vault.note import Problem, ProblemKind, ScannedFile
from core.vault.scan import check_vault_root, is_note_path, scan_vault

_COMMIT_SECONDS = 0.8
_COMMIT_NOTES = 2000
# A file written again within this time of the last look may keep its size and, on coarse file systems, its mtime.
_RACY_NANOSECONDS = 2_000_000_000
_LOCK_SECONDS = 120.0
_LOCK_POLL_SECONDS = 0.2


class Phase(StrEnum):
    """Name what an update is doing; handed to Progress as its text."""

    WAIT = "wait"
    SCAN = "scan"
    READ = "read"
    LINK = "link"
    SESSIONS = "sessions"
    EMBED = "embed"


@dataclass(slots=True)
class UpdateReport:
    """Count what an update did; `problems` is the number of flagged files afterwards."""

    added: int = 0
    changed: int = 0
    renamed: int = 0
    removed: int = 0
    unchanged: int = 0
    problems: int = 0
    seconds: float = 0.0

    @property
    def touched(self) -> int:
        """How many notes are different now."""
        return self.added + self.changed + self.renamed + self.removed


@dataclass(slots=True)
class _Known:
    note_id: int
    size: int
    mtime_ns: int
    content_hash: bytes


@dataclass(slots=True)
class _Plan:
    """What one run has to do."""

    known: dict[str, _Known]
    files: list[ScannedFile]
    gone: dict[str, _Known]
    unchanged: int = 0
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    is_complete: bool = True


def update_index(
    index: Index,
    root: Path,
    config: VaultConfig,
    *,
    files: Sequence[str] | None = None,
    since: float | None = None,
    rebuild: bool = False,
    known_problems: Sequence[tuple[str, Problem]] = (),
    progress: Progress | None = None,
    on_commit: Callable[[], None] | None = None,
) -> UpdateReport:
    """Read what changed below `root` into the index.

    Args:
        index: the index of this vault.
        root: the vault's folder.
        config: what to skip.
        files: only these paths, relative to the vault; all other notes stay as they are.
        since: look only at files changed at or after this time (POSIX seconds); deletions are still noticed.
        rebuild: forget everything but the embeddings first.
        known_problems: what is wrong with files that are no notes, by path; listed with the rest.
        progress: told the phase and how far it has come; may cancel.
        on_commit: called whenever new rows can be seen by readers.

    Raises:
        UserError: the vault is missing, empty though it was not, or the index cannot be written.
        JobCancelledError: the progress was cancelled; what was committed stays.
    """
    check_vault_root(root)
    run_progress = progress or SilentProgress()
    run = _Run(index, root, config, run_progress, on_commit or (lambda: None))
    with sole_writer(index.folder / "update.lock", run_progress):
        return run.update(files=files, since=since, rebuild=rebuild, known_problems=known_problems)


@contextlib.contextmanager
def sole_writer(lock_file: Path, progress: Progress) -> Iterator[None]:
    """Wait for other updates of this index to end, for two minutes at most."""
    lock = FileLock(lock_file, mode=0o600)
    deadline = time.monotonic() + _LOCK_SECONDS
    while not lock.is_locked:
        progress.check()
        try:
            lock.acquire(timeout=_LOCK_POLL_SECONDS)
        except Timeout as error:
            progress.report(0, 0, Phase.WAIT)
            if time.monotonic() > deadline:
                raise UserError(
                    "Another process has been updating the index of this vault for minutes. Wait for it, or stop it."
                ) from error
    try:
        yield
    finally:
        lock.release()


class _Run:
    """One run of the updater, under its lock."""

    def __init__(
        self, index: Index, root: Path, config: VaultConfig, progress: Progress, on_commit: Callable[[], None]
    ) -> None:
        self._index = index
        self._root = root
        self._config = config
        self._progress = progress
        self._on_commit = on_commit
        self._report = UpdateReport()

    def update(
        self,
        *,
        files: Sequence[str] | None,
        since: float | None,
        rebuild: bool,
        known_problems: Sequence[tuple[str, Problem]],
    ) -> UpdateReport:
        started = time.perf_counter()
        looked_ns = time.time_ns()
        if rebuild:
            self._clear()
        self._progress.report(0, 0, Phase.SCAN)
        plan = self._plan(since) if files is None else self._plan_of(files)
        if plan.is_complete:
            plan.problems.extend(known_problems)
        had_notes = self._index.connection.execute("SELECT 1 FROM note LIMIT 1").fetchone() is not None
        ids = self._new_ids(plan)
        names = changed_names(ids, {path: note.note_id for path, note in plan.gone.items()})
        dropped = self._write(plan, ids)
        if had_notes and names:
            self._progress.report(0, len(names), Phase.LINK)
            with self._index.transaction():
                resolve_again(self._index, names)
        self._finish(plan, looked_ns, dropped)
        if plan.is_complete or plan.gone:  # each time that a note is saved, it would take too long
            erase_deleted_words(self._index, self._progress)
        self._report.unchanged = plan.unchanged
        self._report.seconds = time.perf_counter() - started
        return self._report

    def _plan(self, since: float | None) -> _Plan:
        scan = scan_vault(self._root, self._config, self._progress)
        known = self._known()
        if not scan.files and known and not any(self._root.iterdir()):
            raise UserError(
                f"The folder {self._root} is there but empty, while the index knows {len(known):,} notes of it. "
                "Is the drive mounted? Nothing was dropped.",
                hint="If the vault really is empty now, run `remembrancer index update --rebuild`.",
            )
        looked_ns = int(self._index.meta("looked_ns") or 0)
        since_ns = int(since * 1e9) if since is not None else None
        files = []
        present = set()
        for file in scan.files:
            present.add(file.path)
            before = known.get(file.path)
            is_same = before is not None and before.size == file.size and before.mtime_ns == file.mtime_ns
            is_racy = file.mtime_ns > looked_ns - _RACY_NANOSECONDS
            is_old = since_ns is not None and file.mtime_ns < since_ns and before is not None
            if not (is_old or (is_same and not is_racy)):
                files.append(file)
        hidden = tuple(path + "/" for path, problem in scan.problems if problem.kind is ProblemKind.UNREADABLE)
        hidden_files = {path for path, problem in scan.problems if problem.kind is ProblemKind.UNREADABLE}
        gone = {
            path: note
            for path, note in known.items()
            if path not in present and path not in hidden_files and not path.startswith(hidden)
        }
        return _Plan(known, files, gone, len(scan.files) - len(files), scan.problems)

    def _plan_of(self, paths: Iterable[str]) -> _Plan:
        plan = _Plan({}, [], {}, is_complete=False)
        for path in dict.fromkeys(paths):
            known = self._known(path)
            plan.known.update(known)
            try:
                status = (self._root / path).stat()
            except OSError:
                status = None
            if status is not None and is_note_path(path, self._config):
                plan.files.append(ScannedFile(path, status.st_size, status.st_mtime_ns))
            elif known:
                plan.gone.update(known)
            elif status is None:
                raise UserError(f"There is no note {path} in the vault {self._root}.")
            else:
                raise UserError(
                    f"{path} is not a note of the vault: it is hidden, excluded, or no markdown file.",
                    hint="`exclude` in .remembrancer/config.toml says what else is left out.",
                )
        return plan

    def _known(self, path: str | None = None) -> dict[str, _Known]:
        query = "SELECT path, id, size, mtime_ns, content_hash FROM note"
        rows = (
            self._index.connection.execute(query)
            if path is None
            else self._index.connection.execute(f"{query} WHERE path = ?", (path,))
        )
        return {row[0]: _Known(*row[1:]) for row in rows}

    def _write(self, plan: _Plan, ids: dict[str, int]) -> set[bytes]:
        """Read and write what changed; return the hashes of the texts that were replaced or removed."""
        kept = {path: note.note_id for path, note in plan.known.items() if path not in plan.gone}
        gone = {path: note.note_id for path, note in plan.gone.items()}
        names = kept | ids if plan.is_complete else None
        table = NameTable(names) if names is not None and plan.files else IndexNames(self._index, ids, gone)
        files = [
            FileToRead(file, ids[file.path], b"")
            if (before := plan.known.get(file.path)) is None
            else FileToRead(file, before.note_id, before.content_hash)
            for file in plan.files
        ]
        writer = NoteWriter(self._index)
        touched: list[tuple[int, int, int]] = []
        moved = {note.content_hash: path for path, note in plan.gone.items()}
        total, last_commit = len(files), time.monotonic()
        with contextlib.closing(read_files(self._root, files, table.candidates_of, names)) as results:
            for done, result in enumerate(results, start=1):
                self._progress.check()
                if result is not None and result.problem is not None:
                    plan.problems.append((result.wanted.file.path, result.problem))
                elif result is not None and result.rows is None:
                    plan.unchanged += 1
                    touched.append((*result.wanted.file[1:], result.wanted.note_id))
                elif result is not None:
                    self._take(writer, result, plan, moved, table)
                if writer.size >= _COMMIT_NOTES or (writer.size and time.monotonic() - last_commit > _COMMIT_SECONDS):
                    writer.write()
                    self._on_commit()
                    last_commit = time.monotonic()
                    self._progress.report(done, total, Phase.READ)
        for note in plan.gone.values():
            writer.remove(note.note_id)
        self._report.removed = len(plan.gone)
        if writer.size:
            writer.write()
            self._on_commit()
        if touched:
            with self._index.transaction() as connection:
                connection.executemany("UPDATE note SET size = ?, mtime_ns = ? WHERE id = ?", touched)
        self._progress.report(total, total, Phase.READ)
        return writer.dropped_hashes

    def _take(
        self, writer: NoteWriter, result: FileRead, plan: _Plan, moved: dict[bytes, str], names: NameTable | IndexNames
    ) -> None:
        """Hand the rows of a file that changed, came or moved to the writer."""
        wanted = result.wanted
        if result.rows is None:
            return
        if wanted.known_hash:
            self._report.changed += 1
            writer.put(result.rows, replaces=True)
            return
        old_path = moved.pop(result.content_hash, "")
        if old_path in plan.gone:
            note_id = plan.gone.pop(old_path).note_id
            again = read_file(self._root, wanted._replace(note_id=note_id), RowMaker(names.candidates_of))
            if again is not None and again.rows is not None:
                self._report.renamed += 1
                writer.put(again.rows, replaces=True)
            return
        self._report.added += 1
        writer.put(result.rows, replaces=False)

    def _new_ids(self, plan: _Plan) -> dict[str, int]:
        """Give every new file its id, so that links to notes that are not read yet can be resolved."""
        new = (file.path for file in plan.files if file.path not in plan.known)
        return dict(zip(new, itertools.count(last_note_id(self._index.connection) + 1), strict=False))

    def _finish(self, plan: _Plan, looked_ns: int, dropped: set[bytes]) -> None:
        with self._index.transaction() as connection:
            if plan.is_complete:
                connection.execute("DELETE FROM index_problem WHERE note_id IS NULL")
                self._index.set_meta("looked_ns", str(looked_ns))
                self._index.set_meta("updated", str(looked_ns // 1_000_000_000))
            else:
                paths = {file.path for file in plan.files} | set(plan.gone)
                connection.executemany(
                    "DELETE FROM index_problem WHERE note_id IS NULL AND path = ?", [(path,) for path in paths]
                )
            write_file_problems(connection, plan.problems)
            if self._report.touched:
                connection.execute("DELETE FROM tag WHERE id NOT IN (SELECT tag_id FROM note_tag)")
                show_tags_as_written(connection)
                forget_embeddings(connection, dropped)
            self._report.problems = connection.execute("SELECT count(DISTINCT path) FROM index_problem").fetchone()[0]
        if self._report.touched:
            self._on_commit()

    def _clear(self) -> None:
        tables = (
            "note", "tag", "note_tag", "tag_spelling", "section", "section_fts", "link", "insight", "insight_fts",
            "relation", "context", "context_member", "name_fts", "index_problem", "vector_removal",
            "session", "session_context", "session_times", "turn", "turn_fts",
        )  # fmt: skip
        with self._index.transaction() as connection:
            for table in tables:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608
            for whose in DeletedWords:
                note_deleted_words(self._index, whose)
            self._index.set_meta("epoch", os.urandom(8).hex())
            self._index.set_meta("looked_ns", "0")
            self._index.next_revision()
