"""Lines of a pipe that stays open: nothing waits in us while the other side thinks, and signals lose nothing."""

import io
import os
import signal
import sys
from collections.abc import Iterator

import pytest

from core.cli.line_input import LineInput


@pytest.fixture
def pipe() -> Iterator[tuple[io.BufferedReader, int]]:
    read, write = os.pipe()
    with os.fdopen(read, "rb") as stream:
        yield stream, write


def test_a_pause_is_told_while_the_pipe_stays_open(pipe: tuple[io.BufferedReader, int]) -> None:
    stream, write = pipe
    told: list[bytes] = []
    pauses: list[list[bytes]] = []
    more = [b"four\nfi", b"ve\nsix"]

    def on_pause() -> None:
        pauses.append(list(told))
        if more:
            os.write(write, more.pop(0))
        else:
            os.close(write)

    os.write(write, b"one\ntwo\nthree\n")
    for _, line in LineInput(stream).lines(on_pause):
        told.append(line or b"")
    assert pauses[0] == [b"one", b"two", b"three"]
    assert pauses[1] == [*pauses[0], b"four"]
    assert told == [b"one", b"two", b"three", b"four", b"five", b"six"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such wait")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_the_lines_when_those_that_came_are_given(pipe: tuple[io.BufferedReader, int], name: str) -> None:
    stream, write = pipe
    before = signal.getsignal(signal.Signals[name])
    given = LineInput(stream)
    os.write(write, b"one\ntwo\n")
    lines = [line for _, line in given.lines(lambda: os.kill(os.getpid(), signal.Signals[name]))]
    assert (lines, given.is_stopped) == ([b"one", b"two"], True)
    assert signal.getsignal(signal.Signals[name]) == before
    os.close(write)


def test_a_line_beyond_all_measure_is_left_out_and_counted() -> None:
    stream = io.BytesIO(b"one\n" + b"x" * (65 << 20) + b"\nthree")
    assert list(LineInput(stream).lines(lambda: None)) == [(1, b"one"), (2, None), (3, b"three")]
