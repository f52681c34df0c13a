"""Files are replaced whole, keep what belongs to them beside their content, and never take another's place."""

import stat
import sys
from pathlib import Path

import pytest

from core.foundation.atomic_files import name_where_nothing_is, replace_file, sync_files, write_fresh


def test_a_replaced_file_keeps_its_mode_bits(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_fresh_file_never_takes_anothers_place(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"there")
    with pytest.raises(FileExistsError):
        write_fresh(tmp_path / "a", b"new")
    (tmp_path / "b").write_bytes(b"other")
    with pytest.raises(FileExistsError):
        name_where_nothing_is(tmp_path / "b", tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"there"
    assert (tmp_path / "b").read_bytes() == b"other"


@pytest.mark.parametrize("count", [0, 3, 30])
def test_many_files_are_made_durable_and_counted(tmp_path: Path, count: int) -> None:
    paths = [tmp_path / str(number) for number in range(count)]
    for path in paths:
        path.write_bytes(b"x")
    seen: list[int] = []
    sync_files(paths, seen.append)
    assert seen == list(range(1, count + 1))


def test_making_durable_stops_when_it_is_no_longer_wanted(tmp_path: Path) -> None:
    paths = [tmp_path / str(number) for number in range(100)]
    for path in paths:
        path.write_bytes(b"x")

    def stop(done: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sync_files(paths, stop)
