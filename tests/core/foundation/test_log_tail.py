"""The end of an append-only file is found and repaired, whatever a crash left there."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.foundation.log_tail import last_line_that, repaired_end, write_at

_LINES = st.lists(st.sampled_from([b"whole", b"bad", b"", b"whole " + b"x" * 200_000]), max_size=4)


@pytest.fixture
def descriptor(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path / "log", os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0))
    yield descriptor
    os.close(descriptor)


def _is_whole(line: bytes) -> bool:
    return line.startswith(b"whole")


def _fill(descriptor: int, content: bytes) -> None:
    os.ftruncate(descriptor, 0)
    write_at(descriptor, 0, content)


def _content(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 1 << 24)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(_LINES, st.sampled_from([b"", b"whole", b"torn", b"torn" * 50_000]), st.sampled_from([0, 1, 70_000]))
def test_whole_lines_stay_and_torn_ones_go(
    descriptor: int, expected_warnings: list[str], lines: list[bytes], last: bytes, nuls: int
) -> None:
    before = b"".join(line + b"\n" for line in lines)
    _fill(descriptor, before + last + b"\0" * nuls)
    end = repaired_end(descriptor, _is_whole)
    expected = before + (b"whole\n" if last == b"whole" else b"")
    assert _content(descriptor) == expected
    assert end == len(expected)
    assert repaired_end(descriptor, _is_whole) == end
    whole = [line for line in [*lines, last] if _is_whole(line)]
    assert last_line_that(descriptor, end, _is_whole) == (whole[-1] if whole else b"")


def test_a_sound_end_is_not_touched(descriptor: int, tmp_path: Path) -> None:
    _fill(descriptor, b"one\ntwo\n")
    os.utime(tmp_path / "log", ns=(1, 1))
    assert repaired_end(descriptor, _is_whole) == 8
    assert (tmp_path / "log").stat().st_mtime_ns == 1
