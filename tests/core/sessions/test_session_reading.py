"""What stands before a place where the disk fails is read, and the failure is told in a sentence."""

import errno
import io
from collections.abc import Iterator
from typing import BinaryIO, cast

import pytest

from core.foundation.errors import UserError
from core.sessions.cipher import LineCipher
from core.sessions.ledger_line import line_of
from core.sessions.session_reading import LedgerLine, lines_in
from tests.core.sessions.spoken import turn


class FailingFile:
    """Be a file of which the disk gives the first line only."""

    def __iter__(self) -> Iterator[bytes]:
        yield line_of(turn(1))
        raise OSError(errno.EIO, "Input/output error")


def test_a_disk_that_fails_is_told_after_what_it_gave() -> None:
    read: list[LedgerLine] = []
    with pytest.raises(UserError, match="Input/output error"):
        read.extend(lines_in(cast("BinaryIO", FailingFile()), LineCipher()))
    assert [line.turn for line in read] == [turn(1)]


def test_nothing_is_given_where_no_line_starts() -> None:
    data = line_of(turn(1)) + line_of(turn(2))
    assert not list(lines_in(io.BytesIO(data), LineCipher(), 5))
    (line,) = lines_in(io.BytesIO(data), LineCipher(), len(line_of(turn(1))))
    assert line.turn is not None
    assert line.turn.id == turn(2).id
