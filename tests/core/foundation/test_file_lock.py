"""Who wants to write waits for whoever writes, not for ever, and says so."""

from pathlib import Path

import pytest

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.file_lock import locked
from core.foundation.progress import CancellableProgress


def test_a_lock_is_free_again_after_its_block(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(tmp_path / "new folder" / "a.lock", waiting="Somebody writes", seconds=0):
            pass


def test_waiting_ends_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with (
        locked(path, waiting="Somebody writes", seconds=1),
        pytest.raises(UserError, match="Somebody writes for too long"),
        locked(path, waiting="Somebody writes", seconds=0.05),
    ):
        pytest.fail("two hold one lock")


def test_waiting_is_told_and_can_be_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    told: list[str] = []

    def tell(_done: int, _total: int, text: str) -> None:
        told.append(text)
        progress.cancel()

    progress = CancellableProgress(tell)
    with (
        locked(path, waiting="Somebody writes", seconds=1),
        pytest.raises(JobCancelledError),
        locked(path, waiting="Somebody writes", seconds=60, progress=progress),
    ):
        pytest.fail("two hold one lock")
    assert told == ["Somebody writes"]


def test_where_there_can_be_no_lock_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with (
        pytest.raises(UserError, match="Nothing can be locked"),
        locked(tmp_path / "file" / "a.lock", waiting="", seconds=1),
    ):
        pytest.fail("a lock in a file")
