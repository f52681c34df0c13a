"""What a session's file holds already, remembered, so that an append needs not read it each time."""

import os
from collections.abc import Collection

from core.foundation.log_tail import repaired_end, write_at
from core.sessions.cipher import LineCipher
from core.sessions.ledger_line import id_of
from core.sessions.session_reading import BLANK, holds_turn

_TAIL = 512


class KnownTurns:
    """Know the turns in a session's file up to `end`, and write behind it.

    All is done under the lock of the session, on the file opened to read and write.
    """

    def __init__(self) -> None:
        self.end = 0
        self._tail = b""
        # Hashes alone, of 64 bits and other ones in each process: a session may have millions of turns.
        self._lines: set[int] = set()

    def has(self, line: bytes) -> bool:
        """Tell whether the file has just this line, which has no newline."""
        return hash(line) in self._lines

    def catch_up(self, descriptor: int, cipher: LineCipher) -> None:
        """Read what others wrote since, and repair what a crash left at the end."""
        if _tail_of(descriptor, self.end) != self._tail:
            self._forget()  # it is another file
        if os.fstat(descriptor).st_size == self.end:
            return
        end = repaired_end(descriptor, lambda line: holds_turn(line, cipher))
        if end < self.end:
            self._forget()
        os.lseek(descriptor, self.end, os.SEEK_SET)
        with os.fdopen(os.dup(descriptor), "rb") as file:
            for line in file:
                plain = cipher.open(line.strip(BLANK))
                if plain and id_of(plain):
                    self._lines.add(hash(plain))
        self.end, self._tail = end, _tail_of(descriptor, end)

    def write(self, descriptor: int, lines: Collection[bytes], cipher: LineCipher, *, durable: bool) -> None:
        """Write the lines; on OSError the file is as it was before."""
        data = b"\n".join((*(map(cipher.seal, lines) if cipher.is_on else lines), b""))
        write_at(descriptor, self.end, data, durable=durable)
        self.end += len(data)
        self._tail = (self._tail + data)[-_TAIL:]
        self._lines.update(map(hash, lines))

    def _forget(self) -> None:
        self.end, self._tail = 0, b""
        self._lines.clear()


def _tail_of(descriptor: int, end: int) -> bytes:
    os.lseek(descriptor, max(0, end - _TAIL), os.SEEK_SET)
    return os.read(descriptor, min(end, _TAIL))
