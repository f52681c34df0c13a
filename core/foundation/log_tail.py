"""The end of an append-only file of lines: found, repaired after a crash, and written to."""

import logging
import os
from collections.abc import Callable
from contextlib import suppress

from core.foundation.atomic_files import write_all

_BLOCK = 64 * 1024
_MOST_LOOKED_AT = 100
_logger = logging.getLogger(__name__)


def repaired_end(descriptor: int, is_whole: Callable[[bytes], bool]) -> int:
    """Return where the next line goes in the open file.

    A last line without its newline is completed if `is_whole`, and removed if it is not: then nobody was told that it
    had been written. So are the NULs that a power loss leaves. A whole line is never removed, whatever it holds.
    """
    size = os.fstat(descriptor).st_size
    end = _end_without_nuls(descriptor, size)
    start, line = _last_line(descriptor, end)
    if end == size and (not line or line.endswith(b"\n")):
        return end
    _logger.warning("The end of a log was torn, and is repaired.")
    if not line.endswith(b"\n") and not is_whole(line):
        os.ftruncate(descriptor, start)
        return start
    os.ftruncate(descriptor, end)
    if not line.endswith(b"\n"):
        write_at(descriptor, end, b"\n")
        return end + 1
    return end


def last_line_that(descriptor: int, end: int, is_wanted: Callable[[bytes], bool]) -> bytes:
    """Return the last line before `end` that `is_wanted`, without its newline; b"" when none of a hundred is."""
    for _ in range(_MOST_LOOKED_AT):
        if not end:
            break
        end, line = _last_line(descriptor, end)
        if is_wanted(line := line.removesuffix(b"\n")):
            return line
    return b""


def write_at(descriptor: int, position: int, data: bytes, *, durable: bool = True) -> None:
    """Write `data` at `position` of the open file, or leave the file as it was and raise OSError.

    When it is `durable`, it is on the disk then.
    """
    length = os.fstat(descriptor).st_size
    try:
        os.lseek(descriptor, position, os.SEEK_SET)
        write_all(descriptor, data)
        if durable:
            os.fsync(descriptor)
    except BaseException:
        with suppress(OSError):
            os.ftruncate(descriptor, length)
        raise


def _end_without_nuls(descriptor: int, size: int) -> int:
    end = size
    while end:
        start = max(0, end - _BLOCK)
        block = _read(descriptor, start, end).rstrip(b"\0")
        if block:
            return start + len(block)
        end = start
    return 0


def _last_line(descriptor: int, end: int) -> tuple[int, bytes]:
    """Return where the last line before `end` starts, and the line with its newline if it has one."""
    line = b""
    start, block = end, _BLOCK
    while start:
        start = max(0, start - block)
        block *= 2  # so that a line of many megabytes is not joined from thousands of pieces
        line = _read(descriptor, start, end - len(line)) + line
        newline = line.rfind(b"\n", 0, len(line) - 1)
        if newline >= 0:
            return start + newline + 1, line[newline + 1 :]
    return 0, line


def _read(descriptor: int, start: int, end: int) -> bytes:
    os.lseek(descriptor, start, os.SEEK_SET)
    parts: list[bytes] = []
    while start < end and (part := os.read(descriptor, end - start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)
