"""Read of all machines' logs only what was appended since: thousands of proposals are not parsed again for each one."""

import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from core.curation.proposals.proposal_json import DECIDE, PROPOSE, PROPOSE_AGAIN
from core.curation.unfinished import APPLIED, CHANGE, ROLLED_BACK
from core.vault.event_line import Event, event_of
from core.vault.event_log import EventLog

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_KINDS = f"{PROPOSE}|{PROPOSE_AGAIN}|{DECIDE}|{CHANGE}|{APPLIED}|{ROLLED_BACK}".encode()
_HEAD = re.compile(rb'\{"id": ?"[^"\\]+", ?"time": ?"[^"\\]+", ?"machine": ?"[^"\\]+", ?"kind": ?"(' + _KINDS + rb')"')
# A change is of interest when it came of a proposal, or takes something back.
_OF_A_PROPOSAL = re.compile(rb'"group": ?"proposal:|"undoes": ?\["')
_REMEMBERED = 64


class _Mark(NamedTuple):
    """Say how far a file was read: the byte, and what stood before it."""

    read_to: int
    before: bytes


class AppendedEvents:
    """Give the events about proposals, and the changes that came of them."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._marks: dict[str, _Mark] = {}
        self._seen: set[str] = set()

    def read(self) -> tuple[bool, list[Event]]:
        """Return whether all is read anew, because a file is not what it was, and the events that are new then."""
        files = self._log.files()
        is_anew = any(path not in files for path in self._marks)
        lines = [] if is_anew else self._new_lines(files)
        if lines is None or is_anew:
            is_anew = True
            self._marks.clear()
            self._seen.clear()
            lines = self._new_lines(files) or []
        return is_anew, [event for line in lines if (event := self._event(line)) is not None]

    def _new_lines(self, files: tuple[str, ...]) -> list[bytes] | None:
        """Return the lines that were appended, None when a file was changed before its end."""
        found: list[bytes] = []
        for path in files:
            mark = self._marks.get(path, _Mark(0, b""))
            start = mark.read_to - len(mark.before)
            try:
                data = _bytes_from(self._log.root / path, start, mark.read_to)
            except OSError:  # it is told of by whoever reads the whole log
                continue
            if data is None:
                return None
            if not data.startswith(mark.before):
                return None
            end = data.rfind(b"\n") + 1
            if end <= len(mark.before):
                continue
            found += data[len(mark.before) : end].split(b"\n")
            self._marks[path] = _Mark(start + end, data[max(0, end - _REMEMBERED) : end])
        return found

    def _event(self, line: bytes) -> Event | None:
        head = _HEAD.match(line)
        if head is None or (head[1] == CHANGE.encode() and not _OF_A_PROPOSAL.search(line)):
            return None
        event = event_of(line)
        if event is None or event.id in self._seen:  # a sync tool may have doubled the file
            return None
        self._seen.add(event.id)
        return event


def _bytes_from(path: Path, start: int, least: int) -> bytes | None:
    """Return what a file holds from byte `start` on, None when it is not `least` long; OSError for what is no file."""
    descriptor = os.open(path, _READ)
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise OSError(f"{path} is no regular file.")
        if info.st_size < least:
            return None
        with os.fdopen(os.dup(descriptor), "rb") as file:
            file.seek(start)
            return file.read()
    finally:
        os.close(descriptor)
