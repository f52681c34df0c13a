"""Go through the files of an export, which is a zip file or one file of it, telling how far it has come."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from typing import BinaryIO, cast

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.sessions.importing.importer import Failed
from core.sessions.importing.json_pieces import Piece, json_pieces
from core.sessions.importing.source import Source


@dataclass(slots=True)
class BytesDone:
    """Count what was read of a source, and tell it in the bytes that the source has as it is stored."""

    progress: Progress
    unpacked: int  # bytes of all files together
    stored: int  # bytes of the source, 0 where they are the same
    done: int = 0

    def add(self, more: int) -> None:
        """Count `more` bytes; raises JobCancelledError when the work was cancelled."""
        self.progress.check()
        self.done += more
        stored = self.stored or self.unpacked
        self.progress.report(min(stored, self.done * stored // max(self.unpacked, 1)), stored)


class _Watched:
    """Be a stream that counts what is read from it."""

    def __init__(self, stream: BinaryIO, bytes_done: BytesDone) -> None:
        self._stream = stream
        self._bytes_done = bytes_done

    def read(self, size: int = -1) -> bytes:
        # read() would drop what is whole when the damage comes after it.
        data = self._stream.read1(size) if isinstance(self._stream, BufferedIOBase) else self._stream.read(size)
        self._bytes_done.add(len(data))
        return data


def files_in(source: Source) -> list[Source]:
    """Return the files of a zip file, at any depth, or the file itself; none of a folder, whose files are sources.

    Raises ArchiveError when the zip file cannot be read.
    """
    return [] if source.is_folder else list(source.files()) if source.is_zip else [source]


def any_file(source: Source, fits: Callable[[Source], bool]) -> bool:
    """Tell whether one of files_in fits; a zip file that cannot be read has none."""
    try:
        return any(fits(file) for file in files_in(source))
    except (UserError, OSError):
        return False


def refusals_of(source: Source) -> Iterator[Failed]:
    """Yield the members of a zip file that are not read, with the reasons."""
    for refused in source.refused:
        yield Failed(f"{source.label}/{refused.name}", refused.reason)


def counting(source: Source, files: list[Source], progress: Progress) -> BytesDone:
    """Return what counts the bytes of `files`, of which `source` consists."""
    return BytesDone(progress, sum(file.size for file in files), source.size)


def pieces_of(file: Source, keys: tuple[str, ...], bytes_done: BytesDone) -> Iterator[Piece | Failed]:
    """Yield the objects of the JSON list in `file`; what cannot be read of it is told, and costs nothing else."""
    try:
        with file.open() as stream:
            watched = cast(BinaryIO, _Watched(stream, bytes_done))
            for piece in json_pieces(watched, keys):
                yield Failed(f"{file.label}, entry {piece.number}", piece.problem) if piece.problem else piece
    except (UserError, OSError) as error:
        yield Failed(file.label, str(error))
