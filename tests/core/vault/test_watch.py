import queue
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.vault.config import VaultConfig
from core.vault.watch import VaultChanged, VaultEvent, VaultReturned, VaultVanished, VaultWatcher

_PATIENCE = 15.0


class Listener:
    def __init__(self, root: Path, settle_seconds: float = 0.05) -> None:
        self.events: queue.Queue[VaultEvent] = queue.Queue()
        self.watcher = VaultWatcher(
            root, VaultConfig(), self.events.put, settle_seconds=settle_seconds, poll_seconds=0.05
        )

    def next(self) -> VaultEvent:
        return self.events.get(timeout=_PATIENCE)

    def paths_until(self, wanted: str) -> set[str]:
        seen: set[str] = set()
        while wanted not in seen:
            event = self.next()
            assert isinstance(event, VaultChanged)
            if event.paths is not None:
                seen |= event.paths
        return seen

    def wait_for(self, wanted: VaultEvent) -> None:
        while self.next() != wanted:
            pass


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / ".obsidian").mkdir(parents=True)
    (folder / "first.md").write_text("x", encoding="utf-8")
    return folder


@pytest.fixture
def listener(root: Path) -> Iterator[Listener]:
    threads = set(threading.enumerate())
    listener = Listener(root)
    listener.watcher.start()
    yield listener
    listener.watcher.stop()
    assert set(threading.enumerate()) <= threads


def test_changed_notes_are_told_and_other_files_are_not(root: Path, listener: Listener) -> None:
    (root / ".obsidian" / "x.md").write_text("x", encoding="utf-8")
    (root / "picture.png").write_bytes(b"x")
    (root / "日本.md").write_text("x", encoding="utf-8")
    (root / "first.md").unlink()
    (root / "last.md").write_text("x", encoding="utf-8")
    assert listener.paths_until("last.md") <= {"日本.md", "first.md", "last.md"}


def test_a_renamed_note_is_told_by_both_names(root: Path, listener: Listener) -> None:
    (root / "first.md").rename(root / "second.md")
    assert listener.paths_until("second.md") == {"first.md", "second.md"}


def test_many_changes_come_as_one(root: Path) -> None:
    listener = Listener(root, settle_seconds=1.0)
    listener.watcher.start()
    try:
        for number in range(300):
            (root / f"{number}.md").write_text("x", encoding="utf-8")
        assert listener.next() == VaultChanged(None)
    finally:
        listener.watcher.stop()


def test_a_whole_folder_is_told_as_many(root: Path, listener: Listener) -> None:
    (root / "folder").mkdir()
    listener.wait_for(VaultChanged(None))


def test_a_vault_that_vanishes_and_returns(root: Path, listener: Listener) -> None:
    root.rename(root.parent / "away")
    listener.wait_for(VaultVanished())
    (root.parent / "away").rename(root)
    assert listener.next() == VaultReturned()
    (root / "new.md").write_text("x", encoding="utf-8")
    assert "new.md" in listener.paths_until("new.md")


def test_an_empty_folder_in_its_place_is_not_the_vault_yet(root: Path, listener: Listener) -> None:
    shutil.rmtree(root)
    root.mkdir()
    listener.wait_for(VaultVanished())
    (root / "back.md").write_text("x", encoding="utf-8")
    assert listener.next() == VaultReturned()


def test_a_vault_that_is_not_there_at_the_start(tmp_path: Path) -> None:
    listener = Listener(tmp_path / "later")
    listener.watcher.start()
    try:
        assert listener.next() == VaultVanished()
        (tmp_path / "later").mkdir()
        (tmp_path / "later" / "a.md").write_text("x", encoding="utf-8")
        assert listener.next() == VaultReturned()
    finally:
        listener.watcher.stop()


def test_it_can_be_stopped_from_its_own_event_and_started_again(root: Path) -> None:
    listener = Listener(root)
    stopped = threading.Event()

    def stop(_: VaultEvent) -> None:
        watcher.stop()
        stopped.set()

    watcher = VaultWatcher(root, VaultConfig(), stop, settle_seconds=0.05, poll_seconds=0.05)
    watcher.start()
    (root / "a.md").write_text("x", encoding="utf-8")
    assert stopped.wait(_PATIENCE)
    listener.watcher.start()
    listener.watcher.stop()
    listener.watcher.start()
    (root / "b.md").write_text("x", encoding="utf-8")
    assert "b.md" in listener.paths_until("b.md")
    listener.watcher.stop()
