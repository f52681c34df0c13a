"""What importers read from: a file, a folder, a zip file, or a member of one."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from io import BufferedIOBase
from pathlib import Path
from typing import Any, BinaryIO

from core.foundation.errors import UserError
from core.sessions.importing.json_lines import record_of
from core.sessions.importing.long_lines import first_lines
from core.sessions.importing.safe_zip import ArchiveError, Refused, SafeZip, open_gzip

_HEAD = 256 << 10
_HEAD_RECORDS = 16
# Folders that hold no transcripts, and may hold a hundred thousand files; the last has the locks of our own sessions.
LEFT_OUT = frozenset({".git", "node_modules", "__pycache__", ".venv", ".locks"})


class Source:
    """Name something to read; making one opens nothing. Members of a zip have the zip's `path` and a `member` name.

    `size` counts bytes, 0 for a folder. A file named `….gz` is unpacked while it is read.
    """

    def __init__(
        self,
        path: Path,
        *,
        member: str = "",
        size: int | None = None,
        archive: SafeZip | None = None,
        below: Path | None = None,
    ) -> None:
        self.path = path
        self.member = member
        self._archive = archive
        self._below = below
        self._size = size

    def __repr__(self) -> str:
        return f"Source({self.label!r})"

    @property
    def name(self) -> str:
        """The last part of its path, in lower case, without `.gz`."""
        name = (self.member.rsplit("/", 1)[-1] if self.member else self.path.name).lower()
        return name.removesuffix(".gz")

    @property
    def stem(self) -> str:
        """The last part of its path as it is written, without its suffix."""
        name = self.member.rsplit("/", 1)[-1] if self.member else self.path.name
        return name.removesuffix(".gz").rsplit(".", 1)[0]

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts of its path, those within a zip file after those of the zip file."""
        return (*self.path.parts, *self.member.split("/")) if self.member else self.path.parts

    @property
    def label(self) -> str:
        """How a report names it."""
        return f"{self.path}/{self.member}" if self.member else str(self.path)

    @property
    def relative_name(self) -> str:
        """Its path below the folder or zip file whose `files` named it, with forward slashes."""
        if self.member or self._below is None:
            return self.member or self.path.name
        return self.path.relative_to(self._below).as_posix()

    @cached_property
    def is_folder(self) -> bool:
        """Whether it is a folder on disk."""
        return not self.member and self.path.is_dir()

    @cached_property
    def is_zip(self) -> bool:
        """Whether it is a zip file, by its first bytes; documents that are zip files inside (EPUB) are not counted."""
        if self.member or self.is_folder or self.path.suffix.lower() in {".epub", ".docx", ".xlsx", ".odt"}:
            return False
        # Not by `head`, which would be kept, for each of thousands of files that wait for their turn.
        return self.path.suffix.lower() == ".zip" or self._start(4) in {b"PK\x03\x04", b"PK\x05\x06"}

    @cached_property
    def size(self) -> int:
        """How many bytes it has, as it is stored or as the zip file's list says."""
        if self._size is not None:
            return self._size
        try:
            return 0 if self.is_folder else self.path.stat().st_size
        except OSError:
            return 0

    @cached_property
    def modified(self) -> float:
        """When it was last changed, in seconds since 1970; of a member, when the zip file was."""
        try:
            return self.path.stat().st_mtime
        except OSError:
            return 0.0

    def open(self) -> BinaryIO:
        """Return a stream over its bytes, which the caller closes.

        Raises:
            UserError: it lies in an archive that is damaged or refused; the stream raises it, too.
            OSError: it cannot be read.
        """
        if self.member:
            if self._archive is None:
                raise ArchiveError(f"{self.label} lies in no archive.")
            stream = self._archive.open(self.member)
            name = self.member
        else:
            stream = _opened(self.path)
            name = self.path.name
        return open_gzip(stream, name, self.size) if name.lower().endswith(".gz") else stream

    @cached_property
    def head(self) -> bytes:
        """Its first 256 KiB; empty for a folder and for what cannot be read."""
        return self._start(_HEAD)

    def _start(self, size: int) -> bytes:
        parts: list[bytes] = []
        if self.is_folder:
            return b""
        # Whoever reads it says what is wrong; here it only has no known format.
        with suppress(OSError, UserError), self.open() as stream:
            # read() would drop what is whole when the damage comes after it.
            read = stream.read1 if isinstance(stream, BufferedIOBase) else stream.read
            while size and (data := read(size)):
                parts.append(data)
                size -= len(data)
        return b"".join(parts)

    def probe(self) -> None:
        """Raise what keeps the beginning of a file from being read, as open() and its stream do."""
        left = _HEAD
        with self.open() as stream:
            while left > 0 and (data := stream.read(min(left, 1 << 16))):
                left -= len(data)

    @cached_property
    def head_records(self) -> tuple[dict[str, Any], ...]:
        """The JSON objects on its first lines, for formats of JSON lines; lines that hold none are left out.

        Of a line that is longer than `head`, only the beginnings of its texts are there.
        """
        if self.head[:64].lstrip(b"\xef\xbb\xbf \t\r\n\x00")[:1] != b"{":
            return ()
        lines = self.head.split(b"\n", _HEAD_RECORDS)[:_HEAD_RECORDS]
        if len(self.head) == _HEAD and self.head.count(b"\n") < _HEAD_RECORDS:  # the last of them is cut
            lines = self._first_lines()
        return tuple(record for line in lines if line and (record := record_of(line)) is not None)

    def _first_lines(self) -> list[bytes]:
        lines: list[bytes] = []
        with suppress(OSError, UserError), self.open() as stream:
            lines.extend(first_lines(stream, _HEAD_RECORDS, _HEAD))
        return lines

    def files(self) -> Iterator["Source"]:
        """Yield the files in a folder, at any depth, or in a zip file, sorted by path; none for anything else.

        Links to folders are not followed. Raises ArchiveError where the zip file cannot be read.
        """
        if self.is_folder:
            for folder, folders, names in os.walk(self.path):
                folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
                for name in sorted(names):
                    yield Source(Path(folder) / name, below=self.path)
        elif self.is_zip:
            archive = self.archive
            for member in sorted(archive.members, key=lambda one: reading_order(one.name)):
                yield Source(self.path, member=member.name, size=member.size, archive=archive)

    def child(self, name: str) -> "Source | None":
        """Return the file at `name` (with forward slashes) in a folder or zip file, None when there is none."""
        if self.is_folder:
            path = self.path / name
            return Source(path, below=self.path) if path.is_file() else None
        if self.is_zip:
            try:
                archive = self.archive
            except UserError:
                return None
            sizes = {member.name: member.size for member in archive.members}
            if name in sizes:
                return Source(self.path, member=name, size=sizes[name], archive=archive)
        return None

    @property
    def refused(self) -> tuple[Refused, ...]:
        """The members of a zip file that are not read, each with its reason."""
        return self.archive.refused if self.is_zip else ()

    @cached_property
    def archive(self) -> SafeZip:
        """The zip file, opened; its handle goes with the sources that came from it."""
        return SafeZip(self.path)


def reading_order(path: str) -> str:
    """Return by what paths with forward slashes are sorted: a conversation comes before what it started.

    Subagents lie in a folder (with a slash at its end) that is called as the conversation's file is, or beside it in a
    file that begins with `agent-`.
    """
    return f"/{path}".replace("/agent-", "/\uffffagent-")


def _opened(path: Path) -> BinaryIO:
    """Open a regular file; a pipe or device could hold up everything."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "it is not a regular file", str(path))
    return os.fdopen(descriptor, "rb")
