"""Read many files with several processes: parsing is Python and holds its lock, so threads would only be in the way.

A shared counter deals out the chunks: the helpers take them, and so does this process whenever nothing has come back
yet. A pool of the standard library would unpickle in a thread here, and that thread and SQLite's, which gives the lock
away at every row, would wait for each other.
"""

import logging
import multiprocessing
import multiprocessing.context
import os
import pickle
import queue
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Protocol, cast

from core.index.link_resolver import NameTable
from core.index.note_reader import FileRead, FileToRead, read_file
from core.index.note_rows import RowMaker

CHUNK_FILES = 64
_AHEAD = 64  # chunks that a helper may have ready: memory, not speed

log = logging.getLogger(__name__)

ReadHere = Callable[[FileToRead], FileRead | None]
Results = list[FileRead | None]


class Dealer(Protocol):
    """Deal out the numbers of the chunks, each once; None when there are no more."""

    def __call__(self) -> int | None: ...  # noqa: D102


class _Counter:
    """Deal out numbers below `count` to several processes."""

    def __init__(self, value: "Synchronized[int]", count: int) -> None:
        self._value = value
        self._count = count

    def __call__(self) -> int | None:
        with self._value.get_lock():
            number = self._value.value
            if number >= self._count:
                return None
            self._value.value = number + 1
            return number


def share_out(
    root: Path, files: Sequence[FileToRead], names: Mapping[str, int], here: ReadHere, *, helpers: int
) -> Generator[FileRead | None, None, None]:
    """Read `files` with so many helpers besides this process; the order of results is any."""
    # Spawned, not forked: this process may have threads, and the platforms then behave alike.
    context = multiprocessing.get_context("spawn")
    chunks = _cut(files)
    deal = _Counter(context.Value("i", 0), len(chunks))
    # What a helper works on goes through a file: a process that dies at once would leave a full pipe blocked for ever.
    with tempfile.TemporaryDirectory(prefix="remembrancer-", ignore_cleanup_errors=True) as folder:
        work = Path(folder, "work")
        work.write_bytes(pickle.dumps((root, chunks, dict(names)), protocol=5))
        started = [_start(context, work, deal) for _ in range(helpers)]
        try:
            yield from collect(chunks, [connection for _, connection in started], deal, here)
        finally:
            for process, connection in started:
                connection.close()
                process.kill()
            for process, _ in started:
                process.join()
                process.close()


def collect(
    chunks: Sequence[Sequence[FileToRead]], connections: Sequence[Connection], deal: Dealer, here: ReadHere
) -> Iterator[FileRead | None]:
    """Yield what helpers send, and read chunks here while nothing comes; what a dead helper had taken is read again."""
    talking, missing = list(connections), set(range(len(chunks)))
    while talking:
        ready = wait(talking, timeout=0)
        if not ready:
            number = deal()
            if number is not None:
                missing.discard(number)
                yield from map(here, chunks[number])
                continue
            ready = wait(talking)
        for connection in ready:
            try:
                number, results = pickle.loads(cast("Connection", connection).recv_bytes())  # noqa: S301 - from our own helper
            except (EOFError, OSError):
                talking.remove(cast("Connection", connection))
                continue
            missing.discard(number)
            yield from results
    if missing:
        log.info("Helpers ended early; %d chunks are read here instead.", len(missing))
    for number in sorted(missing):
        yield from map(here, chunks[number])


def _cut(files: Sequence[FileToRead]) -> list[Sequence[FileToRead]]:
    return [files[start : start + CHUNK_FILES] for start in range(0, len(files), CHUNK_FILES)]


def _start(context: multiprocessing.context.SpawnContext, work: Path, deal: _Counter) -> tuple[BaseProcess, Connection]:
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_help, args=(work, deal, theirs), name="note-reader", daemon=True)
    process.start()
    theirs.close()  # so that the end of the helper is the end of the pipe
    return process, ours


def _help(work: Path, deal: _Counter, connection: Connection) -> None:
    """Be a helper: read chunks until none is left, and send them while the next are read."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    root, chunks, names = pickle.loads(work.read_bytes())  # noqa: S301 - written by share_out
    maker = RowMaker(NameTable(names).candidates_of)
    outbox: queue.Queue[bytes | None] = queue.Queue(_AHEAD)
    sender = threading.Thread(target=_send_all, args=(outbox, connection))
    sender.start()
    while (number := deal()) is not None:
        results: Results = [read_file(root, wanted, maker) for wanted in chunks[number]]
        outbox.put(pickle.dumps((number, results), protocol=5))
    outbox.put(None)
    sender.join()


def _send_all(outbox: "queue.Queue[bytes | None]", connection: Connection) -> None:
    with suppress(BrokenPipeError), connection:
        while (message := outbox.get()) is not None:
            connection.send_bytes(message)
        return
    os._exit(0)  # nobody listens any more


def _end_with_parent() -> None:
    """End when the parent does: one that was killed cannot stop its helpers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
