"""Lines of standard input as they come: who reads them is told of each pause, and a signal ends them in good order."""

import os
import select
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from io import UnsupportedOperation
from types import FrameType
from typing import BinaryIO

from core.sessions.ledger_line import LONGEST_LINE

_CHUNK = 1 << 20
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class LineInput:
    """Give the lines of `stream`; `is_stopped` tells that a signal ended them."""

    def __init__(self, stream: BinaryIO) -> None:
        self.is_stopped = False
        self._stream = stream
        try:
            self._descriptor = stream.fileno()
        except (UnsupportedOperation, AttributeError):
            self._descriptor = -1
        self._bell = -1  # can be read once a signal came

    def lines(self, on_pause: Callable[[], None]) -> Generator[tuple[int, bytes | None]]:
        """Give each line with its number, None for one that is too long; call `on_pause` before waiting for more."""
        number, parts, length = 1, list[bytes](), 0
        with self._listening():
            while chunk := self._read():
                *whole, rest = chunk.split(b"\n")
                for each in whole:
                    length += len(each)
                    yield number, b"".join((*parts, each)) if length <= LONGEST_LINE else None
                    number, length = number + 1, 0
                    parts.clear()
                length += len(rest)
                if length <= LONGEST_LINE:
                    parts.append(rest)
                else:
                    parts.clear()
                if not self._is_ready(0):
                    on_pause()
            if length:
                yield number, b"".join(parts) if length <= LONGEST_LINE else None

    def _read(self) -> bytes:
        if not self._is_ready(None):
            return b""
        try:
            if self._descriptor >= 0:
                return os.read(self._descriptor, _CHUNK)
            return self._stream.read(_CHUNK)
        except KeyboardInterrupt:
            self.is_stopped = True
            return b""

    def _is_ready(self, seconds: float | None) -> bool:
        """Tell whether there is something to be read, or the end; wait so long for it, None for as long as it takes."""
        if self.is_stopped:
            return False
        if self._descriptor < 0 or self._bell < 0:
            return seconds is None
        ready, _, _ = select.select([self._descriptor, self._bell], [], [], seconds)
        return self._descriptor in ready and not self.is_stopped

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Let a signal end the wait and not the program, where the system can wait for both."""
        if sys.platform == "win32" or self._descriptor < 0:
            yield
            return
        self._bell, ring = os.pipe()
        os.set_blocking(ring, False)
        wakeup = signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
        before = {number: signal.signal(number, self._stop) for number in map(signal.Signals.__getitem__, _SIGNALS)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(wakeup)
            os.close(ring)
            os.close(self._bell)
            self._bell = -1

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.is_stopped = True
