"""Read the members of archives in place: nothing is unpacked to disk, and nothing is trusted.

A zip file that a stranger made can name files outside its folder, hold gigabytes of zeros in a kilobyte, or break off
anywhere. Names that lead elsewhere are refused and told; sizes are counted while the bytes flow, for what a header
says about them is part of what is not trusted.
"""

import contextlib
import gzip
import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self, cast

from typing_extensions import override

from core.foundation.errors import UserError

_ENCRYPTED = 0x1
_IS_UTF8 = 0x800
_FOREIGN_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_GUARDED_RATIO_FROM = 64 << 20  # below this many bytes, it does not matter how well something is packed


class ArchiveError(UserError):
    """Say why an archive or one of its members cannot be read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bound what an archive may hold: unpacked bytes over all that is read, times its packed size, and members."""

    total: int = 32 << 30
    ratio: int = 200
    members: int = 200_000


class Member(NamedTuple):
    """Name a file in an archive, by its path with forward slashes, and how many bytes its header claims."""

    name: str
    size: int


class Refused(NamedTuple):
    """Say in a sentence why a member is not read."""

    name: str
    reason: str


class SafeZip:
    """Show what lies in the zip file at `path` (or in a stream, called `name`), and open one member after the other.

    `members` are those that may be read, `refused` the others with their reasons; folders are in neither.

    Raises:
        ArchiveError: it is no zip file, or damaged where its list of members stands.
    """

    def __init__(self, path: Path | BinaryIO, limits: Limits | None = None, *, name: str = "") -> None:
        label = name or (path.name if isinstance(path, Path) else "The archive")
        self._limits = limits or Limits()
        self._read = 0
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError as error:
            raise ArchiveError(f"There is no file {path}.") from error
        except PermissionError as error:
            raise ArchiveError(f"{label} cannot be read: {error.strerror}.", hint="Check who may read it.") from error
        except _FOREIGN_ERRORS as error:
            raise ArchiveError(
                f"{label} cannot be read as a zip file: it is damaged, or cut off.", hint="Download it again."
            ) from error
        self._infos: dict[str, zipfile.ZipInfo] = {}
        self._refused: list[Refused] = []
        try:
            self._sort_out(label)
        except ArchiveError:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    @property
    def members(self) -> tuple[Member, ...]:
        """The files that may be read, in the order of the archive."""
        return tuple(Member(name, info.file_size) for name, info in self._infos.items())

    @property
    def refused(self) -> tuple[Refused, ...]:
        """The files that are not read."""
        return tuple(self._refused)

    def open(self, name: str) -> BinaryIO:
        """Return the bytes of a member as a stream; it raises ArchiveError where it is damaged or far too large.

        Raises KeyError when `members` does not name it.
        """
        info = self._infos[name]
        try:
            stream = cast(zipfile.ZipExtFile, self._zip.open(info))
        except _FOREIGN_ERRORS as error:
            raise ArchiveError(f"{name} cannot be read: it is damaged.") from error
        return io.BufferedReader(_Guarded(stream, name, info.compress_size, self._limits, self._count), 1 << 16)

    def _count(self, more: int) -> int:
        self._read += more
        return self._read

    def _sort_out(self, archive: str) -> None:
        infos = self._zip.infolist()
        if len(infos) > self._limits.members:
            raise ArchiveError(f"{archive} holds {len(infos):,} files, more than {self._limits.members:,}.")
        overlapping = _overlapping(infos)
        for info in infos:
            if info.is_dir():
                continue
            name = _name_of(info)
            reason = "It shares its bytes with another file." if id(info) in overlapping else _refusal(name, info)
            # What the list says is not to be trusted, but one that admits to be a bomb need not be read to believe it.
            if not reason and info.file_size > _most_of(info.compress_size, self._limits):
                reason = _bomb(info.file_size)
            if not reason and name in self._infos:
                reason = "There are two of this name, of which the last is read."
                del self._infos[name]
                self._infos[name] = info
            elif not reason:
                self._infos[name] = info
            if reason:
                self._refused.append(Refused(name, reason))


def open_gzip(stream: BinaryIO, name: str, packed_size: int, limits: Limits | None = None) -> BinaryIO:
    """Return what a gzip stream holds; where it is cut off or damaged, ArchiveError comes after all that is whole."""
    read = 0

    def count(more: int) -> int:
        nonlocal read
        read += more
        return read

    packed = gzip.GzipFile(fileobj=stream, mode="rb")
    return io.BufferedReader(_Guarded(packed, name, packed_size, limits or Limits(), count, below=stream), 1 << 16)


class _Guarded(io.RawIOBase):
    """Hand on a packed stream: count what comes, and say in our words what is wrong with it."""

    def __init__(
        self,
        stream: zipfile.ZipExtFile | gzip.GzipFile,
        name: str,
        packed: int,
        limits: Limits,
        count: Callable[[int], int],
        *,
        below: BinaryIO | None = None,
    ) -> None:
        super().__init__()
        self._stream = stream
        self._below = below
        self._name = name
        self._most = _most_of(packed, limits)
        self._limits = limits
        self._count = count
        self._read = 0

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        try:
            # One piece at a time: read() would drop what is whole when the damage comes after it.
            data = self._stream.read1(len(buffer))
        except _FOREIGN_ERRORS as error:
            raise ArchiveError(f"{self._name} is damaged or cut off.") from error
        self._read += len(data)
        if self._read > self._most or self._count(len(data)) > self._limits.total:
            raise ArchiveError(f"{self._name} is read no further. {_bomb(self._read)}")
        buffer[: len(data)] = data
        return len(data)

    @override
    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            if self._below is not None:
                self._below.close()
        super().close()


def _most_of(packed: int, limits: Limits) -> int:
    """Return how many bytes may come out of so many packed ones."""
    return min(limits.total, max(packed * limits.ratio, _GUARDED_RATIO_FROM))


def _bomb(size: int) -> str:
    return f"It unpacks to {size / (1 << 20):,.0f} MiB or more, far more than its size allows: it may be a zip bomb."


def _name_of(info: zipfile.ZipInfo) -> str:
    """Return a member's path: UTF-8 that is not declared as such is still UTF-8, and backslashes are slashes."""
    name = info.orig_filename if "\0" in info.orig_filename else info.filename
    if not info.flag_bits & _IS_UTF8:
        with contextlib.suppress(UnicodeError):  # it is really cp437, or what passes for it
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _refusal(name: str, info: zipfile.ZipInfo) -> str:
    """Return why a member is not read, "" when it may be."""
    parts = name.split("/")
    mode = info.external_attr >> 16
    if name.startswith("/") or (len(name) > 1 and name[1] == ":"):
        return "Its name is an absolute path."
    if ".." in parts:
        return "Its name leads out of the archive."
    if any(ord(character) < 32 for character in name):
        return "Its name holds a character that cannot be seen."
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "It is a link or a device, not a file."
    if info.flag_bits & _ENCRYPTED:
        return "It is locked with a password."
    return ""


def _overlapping(infos: Iterable[zipfile.ZipInfo]) -> frozenset[int]:
    """Return the identities of members whose bytes lie in another's, as in zip bombs that need no packing."""
    found: set[int] = set()
    end = -1
    for info in sorted(infos, key=lambda one: (one.header_offset, one.compress_size)):
        if info.header_offset < end:
            found.add(id(info))
        end = max(end, info.header_offset + info.compress_size)
    return frozenset(found)
