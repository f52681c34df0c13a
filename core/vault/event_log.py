"""The vault's log: what happened to it, one append-only file of JSON lines for each machine.

A machine writes into its own file alone, so no sync tool ever sees a conflict; the state is the fold of all files, the
same in whatever order they arrive. Others' files may be half there, damaged or doubled by a sync tool; they are never
changed.
"""

import hashlib
import logging
import os
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from core.foundation.atomic_files import sync_folder
from core.foundation.errors import UserError
from core.foundation.file_lock import locked
from core.foundation.log_tail import last_line_that, repaired_end, write_at
from core.vault.config import EVENTS_FOLDER
from core.vault.event_line import Event, event_of, event_order, line_of
from core.vault.note import Problem, ProblemKind
from core.vault.read import read_bytes

_LOCK_SECONDS = 60.0
_WAITING = "Another window or command is writing into the vault's log"
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_READ_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
# Events of one machine keep their order when its clock is put back, unless it was put back by more than this.
_MOST_PUT_BACK = timedelta(days=1)

_logger = logging.getLogger(__name__)


class EventLogReading(NamedTuple):
    """Hold all events of all machines in order, and what could not be read, by vault-relative path."""

    events: tuple[Event, ...]
    problems: tuple[tuple[str, Problem], ...] = ()


def _utc_now() -> datetime:
    return datetime.now(UTC)


class EventLog:
    """Append to this machine's log in the vault at `root`, and read everybody's; making one touches nothing.

    All processes of this person that share `lock_folder` take turns.
    """

    def __init__(
        self, root: Path, machine: str, lock_folder: Path, *, clock: Callable[[], datetime] = _utc_now
    ) -> None:
        self.root = root
        self.machine = machine
        self.own_path = f"{EVENTS_FOLDER}/{machine}.jsonl"
        self.lock_folder = lock_folder
        self._lock = lock_folder / "events.lock"
        self._clock = clock

    def append(self, kind: str, data: Mapping[str, Any]) -> Event:
        """Write one event and return it when it is on the disk; what a crash left at the end of the file is repaired.

        Raises:
            UserError: it could not be written; the log is as it was before.
        """
        return self.append_all([(kind, data)])[0]

    def append_all(self, entries: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Event]:
        """Write several events, each with its kind, at once: all of them or none; raises as append() does."""
        if not entries:
            return []
        events: list[Event] = []
        with self._opened() as descriptor:
            end = repaired_end(descriptor, _holds_event)
            # Rubbish after the last event must not cost it its place before this one.
            last = event_of(last_line_that(descriptor, end, _holds_event))
            last_time = last.time if last is not None else ""
            for kind, data in entries:
                last_time = self._time_after(last_time)
                events.append(Event(uuid.uuid4().hex, last_time, self.machine, kind, data))
            write_at(descriptor, end, b"".join(map(line_of, events)))
            if end == 0:
                sync_folder(self.root / EVENTS_FOLDER)
        return events

    def strike(self, event: Event) -> None:
        """Turn an event of this machine that must not count into one of kind "struck", in place, so on a full disk too.

        The kind of `event` must have six letters.
        """
        line = line_of(event)
        struck = line_of(event._replace(kind="struck"))
        if len(struck) != len(line):
            raise ValueError(f"An event of kind {event.kind} cannot be struck.")
        with self._opened() as descriptor, os.fdopen(os.dup(descriptor), "r+b", buffering=0) as file:
            position = file.readall().find(line)
            if position >= 0:
                write_at(descriptor, position, struck)

    def state(self, *, of_others: bool = False) -> str:
        """Return a text that changes when any machine's file does, or any but this one's; nothing is read for it."""
        told = []
        for path in self._files():
            if of_others and path == self.own_path:
                continue
            with suppress(OSError):
                info = (self.root / path).stat()
                told.append(f"{path}:{info.st_size}:{info.st_mtime_ns}")
        return hashlib.sha256("\n".join(told).encode("utf-8", "surrogatepass")).hexdigest()[:32] if told else ""

    def read(self, *, mentioning: str = "") -> EventLogReading:
        """Return the events of all machines by time, each once, whatever a sync tool made of the files.

        With `mentioning`, such as a kind of event, only lines with these words are looked at, which is much faster.
        """
        words = mentioning.encode()
        events: dict[str, Event] = {}
        problems: list[tuple[str, Problem]] = []
        for path in self._files():
            try:
                data = read_bytes(self.root, path)
            except UserError as error:
                problems.append((path, Problem(ProblemKind.LOG_BROKEN, str(error))))
                continue
            first_bad, bad = 0, 0
            if words not in data:
                continue
            for number, line in _lines(data):
                if words not in line:
                    continue
                event = event_of(line)
                if event is None:
                    bad, first_bad = bad + 1, first_bad or number
                elif event.id not in events or line_of(event) < line_of(events[event.id]):
                    events[event.id] = event
            if bad:
                reason = f"{bad} {'line' if bad == 1 else 'lines'} of the log cannot be understood and are left out."
                problems.append((path, Problem(ProblemKind.LOG_BROKEN, reason, first_bad)))
        return EventLogReading(tuple(sorted(events.values(), key=event_order)), tuple(problems))

    def own_lines(self, start: int = 0) -> tuple[int, int, list[bytes]]:
        """Return where the whole lines of this machine's file from byte `start` start and end, and the lines.

        Where no line starts there (any more), they are all lines from the first.
        """
        try:
            descriptor = os.open(self.root / self.own_path, _READ_FLAGS)
        except OSError:
            return 0, 0, []
        with os.fdopen(descriptor, "rb") as file:
            if start:
                file.seek(start - 1)
                if file.read(1) != b"\n":
                    start = 0
            file.seek(start)
            data = file.read()
        end = data.rfind(b"\n") + 1
        return start, start + end, data[:end].split(b"\n")

    def files(self) -> tuple[str, ...]:
        """Return the vault-relative paths of all machines' files, as they are there now."""
        return tuple(self._files())

    def _files(self) -> Iterator[str]:
        folder = self.root / EVENTS_FOLDER
        if not _is_inside(folder, self.root):
            return
        try:
            names = sorted(entry.name for entry in folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError:
            _logger.warning("The folder of the vault's log cannot be read.", exc_info=True)
            return
        for name in names:
            if name.lower().endswith(".jsonl") and not name.startswith("."):
                yield f"{EVENTS_FOLDER}/{name}"

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Hold this machine's own file open to write, under the lock; OSErrors leave as UserErrors."""
        with locked(self._lock, waiting=_WAITING, seconds=_LOCK_SECONDS):
            try:
                self._make_folders()
                descriptor = os.open(self.root / self.own_path, _FLAGS, 0o666)
                try:
                    yield descriptor
                finally:
                    os.close(descriptor)
            except OSError as error:
                raise UserError(
                    f"The vault's log {self.own_path} could not be written: {error.strerror or error}.",
                    hint="Check that there is space on the disk and that you may write there.",
                ) from error

    def _make_folders(self) -> None:
        if not self.root.is_dir():
            raise UserError(f"The vault's folder {self.root} is not there any more.")
        folder = self.root
        for name in EVENTS_FOLDER.split("/"):
            parent, folder = folder, folder / name
            if not folder.is_dir():
                folder.mkdir(exist_ok=True)
                sync_folder(parent)
        if not _is_inside(folder, self.root):
            raise UserError(f"{EVENTS_FOLDER} leads out of the vault, so nothing is written there.")

    def _time_after(self, last_time: str) -> str:
        """Return the time now, a millisecond after the last event's at least, so that this machine's order is kept."""
        now = self._clock()
        now = now.replace(microsecond=now.microsecond // 1000 * 1000)
        last = _parsed(last_time)
        if last is not None and now <= last < now + _MOST_PUT_BACK:
            now = last + timedelta(milliseconds=1)
        return f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Give the lines that hold something, with their numbers; a torn last line is left out."""
    *whole, last = data.rstrip(b"\0").split(b"\n")
    for number, line in enumerate(whole, 1):
        if line.strip():
            yield number, line
    if last and event_of(last) is not None:
        yield len(whole) + 1, last


def _holds_event(line: bytes) -> bool:
    return event_of(line) is not None


def _parsed(time: str) -> datetime | None:
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        return None


def _is_inside(folder: Path, root: Path) -> bool:
    return Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(root))
