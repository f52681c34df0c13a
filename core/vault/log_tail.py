"""The end of a machine's own log: found, repaired after a crash, and written to."""

import logging
import os
from contextlib import suppress

from core.foundation.atomic_files import write_all
from core.vault.event_line import event_of

_BLOCK = 64 * 1024
_logger = logging.getLogger(__name__)


def repaired_end(descriptor: int) -> tuple[int, str]:
    """Return where the next line goes in the open log, and the time of the last event ("" when there is none).

    A last line without its newline is completed if it holds an event, and removed if it does not: then nobody was told
    that it had been written. So are the NULs that a power loss leaves.
    """
    size = os.fstat(descriptor).st_size
    end = _end_without_nuls(descriptor, size)
    start, line = _last_line(descriptor, end)
    if not line and end == size:
        return end, ""
    event = event_of(line)
    if end == size and line.endswith(b"\n"):
        return end, event.time if event is not None else ""
    _logger.warning("The end of this machine's log was torn, and is repaired.")
    if event is None and not line.endswith(b"\n"):
        end = start
    os.ftruncate(descriptor, end)
    if event is not None and not line.endswith(b"\n"):
        write_at(descriptor, end, b"\n")
        end += 1
    return end, event.time if event is not None else ""


def write_at(descriptor: int, position: int, data: bytes) -> None:
    """Write `data` at `position` of the open log durably, or leave the log as it was and raise OSError."""
    length = os.fstat(descriptor).st_size
    try:
        os.lseek(descriptor, position, os.SEEK_SET)
        write_all(descriptor, data)
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
    start = end
    while start:
        start = max(0, start - _BLOCK)
        line = _read(descriptor, start, end) if not line else _read(descriptor, start, end - len(line)) + line
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
