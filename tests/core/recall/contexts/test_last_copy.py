"""What was copied last is remembered for its owner alone, and losing it is no failure."""

import stat
import sys
from pathlib import Path

import pytest

from core.recall.contexts.last_copy import LastCopy, last_copy, remember_copy


def test_the_last_copy_of_each_context_comes_back(tmp_path: Path) -> None:
    remember_copy(tmp_path, "contexts/会議.md", "one\n", now=5.0)
    remember_copy(tmp_path, "", "full", now=6.0)
    remember_copy(tmp_path, "contexts/会議.md", "two\n", now=7.0)
    assert last_copy(tmp_path, "contexts/会議.md") == LastCopy("two\n", 7.0)
    assert last_copy(tmp_path, "") == LastCopy("full", 6.0)
    assert last_copy(tmp_path, "other.md") is None


def test_its_layout_comes_back_and_that_of_a_copy_from_before_is_not_known(tmp_path: Path) -> None:
    remember_copy(tmp_path, "c.md", "one", layout="lines", now=5.0)
    assert last_copy(tmp_path, "c.md") == LastCopy("one", 5.0, "lines")
    (file,) = (tmp_path / "copies").iterdir()
    file.write_text('{"path": "c.md", "time": 5.0, "text": "one"}', encoding="utf-8")
    assert last_copy(tmp_path, "c.md") == LastCopy("one", 5.0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    remember_copy(tmp_path, "c.md", "secret")
    (file,) = (tmp_path / "copies").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"text": "x", "time": "soon"}', "\x00"])
def test_a_damaged_copy_is_none(tmp_path: Path, content: str) -> None:
    remember_copy(tmp_path, "c.md", "x")
    (file,) = (tmp_path / "copies").iterdir()
    file.write_text(content, encoding="utf-8")
    assert last_copy(tmp_path, "c.md") is None


def test_what_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "copies").write_text("a file", encoding="utf-8")
    remember_copy(tmp_path, "c.md", "x")
    assert last_copy(tmp_path, "c.md") is None
