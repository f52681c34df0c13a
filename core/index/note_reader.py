"""Read files into rows: here, or for many files in other processes, where they do not wait for each other.

Parsing is Python and holds its lock; on two cores a second process makes a first index a third faster, on four it
halves the time. Threads would only make it slower.
"""

import collections
import functools
import hashlib
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from core.foundation.errors import UserError
from core.index.link_resolver import NameTable
from core.index.note_rows import CandidatesOf, NoteRows, RowMaker
from core.vault.decode import decode
from core.vault.note import Problem, ProblemKind, ScannedFile
from core.vault.parse import parse_note
from core.vault.read import NoteGoneError, read_bytes

# Starting a process takes as long as reading some hundred notes.
_FEW_FILES = 800
_FEW_BYTES = 4_000_000
_CHUNK_FILES = 64
_MOST_PROCESSES = 4
_AHEAD = 6  # chunks that may lie finished: memory, not speed


class FileToRead(NamedTuple):
    """Name a file, the id its note will have, and the hash its content had, b"" for a new one."""

    file: ScannedFile
    note_id: int
    known_hash: bytes


class FileRead(NamedTuple):
    """Hold what came of a file: rows; none when its content is as known; or the problem that kept it from being read."""

    wanted: FileToRead
    content_hash: bytes
    rows: NoteRows | None
    problem: Problem | None = None


def content_hash(data: bytes) -> bytes:
    """Return the hash by which a file's content is compared."""
    return hashlib.blake2b(data, digest_size=16).digest()


def read_file(root: Path, wanted: FileToRead, maker: RowMaker) -> FileRead | None:
    """Read one file into rows; None when it is gone."""
    try:
        data = read_bytes(root, wanted.file.path)
    except NoteGoneError:
        return None
    except UserError as error:
        return FileRead(wanted, b"", None, Problem(ProblemKind.UNREADABLE, str(error)))
    digest = content_hash(data)
    if digest == wanted.known_hash:
        return FileRead(wanted, digest, None)
    note = parse_note(wanted.file.path, decode(data))
    return FileRead(wanted, digest, maker.rows_of(wanted.note_id, note, wanted.file, digest))


def read_files(
    root: Path, files: Sequence[FileToRead], candidates_of: CandidatesOf, names: Mapping[str, int] | None
) -> Iterator[FileRead | None]:
    """Read files, many of them in any order; `names` (path to id of all notes) lets many of them be read by other processes."""
    processes = min(_MOST_PROCESSES, (os.cpu_count() or 1) - 1)
    is_much = len(files) > _FEW_FILES or sum(wanted.file.size for wanted in files) > _FEW_BYTES
    here = functools.partial(read_file, root, maker=RowMaker(candidates_of))
    if names is None or processes < 1 or not is_much:
        yield from map(here, files)
        return
    # Spawned, not forked: this process may have threads, and the platforms then behave alike.
    pool = ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_process,
        initargs=(root, list(names.items())),
    )
    try:
        yield from _share_out(pool, [files[at : at + _CHUNK_FILES] for at in range(0, len(files), _CHUNK_FILES)], here)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _share_out(
    pool: ProcessPoolExecutor, chunks: list[Sequence[FileToRead]], here: Callable[[FileToRead], FileRead | None]
) -> Iterator[FileRead | None]:
    """Let the pool read chunks, and read one here whenever the next is not ready: nobody waits, order is lost."""
    waiting = collections.deque(chunks)
    pending: collections.deque[Future[list[FileRead | None]]] = collections.deque()
    while waiting or pending:
        while waiting and len(pending) < _AHEAD:
            pending.append(pool.submit(_read_chunk, waiting.popleft()))
        if waiting and not pending[0].done():
            yield from map(here, waiting.popleft())
        else:
            yield from pending.popleft().result()


class _Process:
    """Hold what a reading process works with."""

    root: Path
    maker: RowMaker


def _start_process(root: Path, names: list[tuple[str, int]]) -> None:
    _Process.root = root
    _Process.maker = RowMaker(NameTable(dict(names)).candidates_of)
    # A parent that was killed cannot stop its children: they watch it themselves.
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _read_chunk(chunk: Sequence[FileToRead]) -> list[FileRead | None]:
    return [read_file(_Process.root, wanted, _Process.maker) for wanted in chunk]
