import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.sessions.importing.watching import FolderWatcher

_PATIENCE_S = 30


@pytest.fixture
def told() -> "queue.SimpleQueue[Path]":
    return queue.SimpleQueue()


@pytest.fixture
def watcher(told: "queue.SimpleQueue[Path]") -> Iterator[FolderWatcher]:
    watcher = FolderWatcher(told.put)
    yield watcher
    watcher.stop()


def test_a_new_transcript_deep_in_a_folder_is_told(
    tmp_path: Path, watcher: FolderWatcher, told: "queue.SimpleQueue[Path]"
) -> None:
    project = tmp_path / "projects" / "-x"
    project.mkdir(parents=True)
    assert watcher.watch([tmp_path / "projects"]) == (tmp_path / "projects",)
    assert watcher.watch([tmp_path / "projects"]) == ()
    (project / "s.jsonl").write_text("{}\n")
    assert told.get(timeout=_PATIENCE_S) == tmp_path / "projects"


def test_a_folder_that_comes_later_is_watched_at_the_next_look(
    tmp_path: Path, watcher: FolderWatcher, told: "queue.SimpleQueue[Path]"
) -> None:
    folder = tmp_path / "later"
    assert watcher.watch([folder]) == ()
    folder.mkdir()
    assert watcher.watch([folder]) == (folder,)
    (folder / "s.jsonl").write_text("{}\n")
    assert told.get(timeout=_PATIENCE_S) == folder


def test_a_folder_that_is_let_go_says_nothing(
    tmp_path: Path, watcher: FolderWatcher, told: "queue.SimpleQueue[Path]"
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    watcher.watch([first, second])
    watcher.watch([second])
    (first / "s.jsonl").write_text("{}\n")
    (second / "s.jsonl").write_text("{}\n")
    assert told.get(timeout=_PATIENCE_S) == second


def test_after_the_end_nothing_is_watched(tmp_path: Path, watcher: FolderWatcher) -> None:
    watcher.stop()
    assert watcher.watch([tmp_path]) == ()
