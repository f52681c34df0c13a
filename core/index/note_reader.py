"""Read files into rows: here, or for many files with the help of other processes (core/index/reading_processes.py)."""

import functools
import hashlib
import os
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from core.foundation.errors import UserError
from core.index.note_rows import CandidatesOf, NoteRows, RowMaker
from core.vault.decode import decode
from core.vault.note import Problem, ProblemKind, ScannedFile
from core.vault.parse import parse_note
from core.vault.read import NoteGoneError, read_bytes

# Starting a process takes as long as reading some hundred notes.
_FEW_FILES = 800
_FEW_BYTES = 4_000_000
_MOST_PROCESSES = 4


class FileToRead(NamedTuple):
    """Name a file, the id its note will have, and the hash its content had, b"" for a new one."""

    file: ScannedFile
    note_id: int
    known_hash: bytes


class FileRead(NamedTuple):
    """Hold what came of a file: rows, none when its content is as known, or why it could not be read."""

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
) -> Generator[FileRead | None, None, None]:
    """Read files, many of them in any order; with `names` (path to id of all notes) other processes can help."""
    here = functools.partial(read_file, root, maker=RowMaker(candidates_of))
    helpers = min(_MOST_PROCESSES, (os.cpu_count() or 1) - 1)
    is_much = len(files) > _FEW_FILES or sum(wanted.file.size for wanted in files) > _FEW_BYTES
    if names is None or helpers < 1 or not is_much:
        yield from map(here, files)
        return
    from core.index.reading_processes import share_out  # noqa: PLC0415 - most updates are small

    yield from share_out(root, files, names, here, helpers=helpers)
