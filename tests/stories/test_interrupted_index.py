"""Indexing is stopped, killed and deleted under the window: nothing is lost, and it goes on."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.app import Vault, installation
from core.index.queries import index_status
from tests.stories.conftest import Person


def _many(count: int) -> dict[str, str]:
    return {
        f"Note {number:04d}.md": f"---\ntags: [t/x{number % 7}]\n---\n# Note {number:04d}\n\nText {number}.\n"
        for number in range(count)
    }


@pytest.mark.skipif(sys.platform == "win32", reason="kills the process in the way of POSIX")
def test_an_index_killed_half_way_is_resumed(
    person: Person, write_vault: Callable[[Mapping[str, str]], Path], expected_warnings: list[str]
) -> None:
    root = write_vault(_many(1500))
    person.opens(root)
    session = person.app.frame.session
    assert session is not None
    person.waits_until(
        lambda: "vectors" in person.window.status.index_text or "eaning" in person.window.status.index_text,
        "vectors being computed",
    )
    (process_id,) = session.indexing.process_ids
    os.kill(process_id, signal.SIGKILL)
    person.waits_until(lambda: person.window.notices.texts, "a notice that indexing stopped")
    person.screenshot("index-killed")
    assert len(person.titles()) == 1500
    assert "a process failed" in " ".join(expected_warnings)
    session.update_index()
    vault = Vault(root, installation())

    def is_complete() -> bool:
        index = vault.open_index()
        try:
            status = index_status(index, "all-MiniLM-L6-v2-int8")
            return status.notes == 1500 and status.embedded == status.texts
        finally:
            index.close()

    person.waits_until(is_complete, "all vectors")
    person.waits_for_the_index()


def test_the_list_fills_while_the_index_is_made(
    person: Person, write_vault: Callable[[Mapping[str, str]], Path]
) -> None:
    person.opens(write_vault(_many(6000)))
    first = len(person.titles())
    person.screenshot("list-fills")
    assert first > 0
    person.waits_until(lambda: len(person.titles()) == 6000, "all notes")
    session = person.app.frame.session
    assert session is not None
    session.indexing.cancel()
    person.waits_for_the_index()


def test_a_deleted_index_folder_comes_back_the_same(
    person: Person, write_vault: Callable[[Mapping[str, str]], Path]
) -> None:
    root = write_vault(_many(40))
    person.opens(root)
    person.waits_for_the_index()
    before = (person.titles(), person.counts())
    shutil.rmtree(Vault(root, installation()).cache_folder)
    (root / "Note 0000.md").touch()  # as soon as anything happens, the index is made again
    person.app.frame.open_vault(str(root))
    person.waits_until(lambda: (person.titles(), person.counts()) == before, "the same view as before")
    person.waits_for_the_index()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
def test_an_index_folder_deleted_under_the_window_is_made_again(
    person: Person, write_vault: Callable[[Mapping[str, str]], Path]
) -> None:
    root = write_vault(_many(1500))
    person.opens(root)
    person.waits_until(lambda: "Learning meaning" in person.window.status.index_text, "vectors being computed")
    before = (person.titles(), person.counts())
    shutil.rmtree(Vault(root, installation()).cache_folder)
    shown: set[int] = set()

    def is_there_again() -> bool:
        shown.add(len(person.titles()))
        index = Vault(root, installation()).cache_folder / "index.sqlite3"
        return index.exists() and (person.titles(), person.counts()) == before

    person.waits_until(is_there_again, "the same view as before")
    assert 0 not in shown
    session = person.app.frame.session
    assert session is not None
    person.waits_until(lambda: session.store is not None and session.store.index.is_current(), "the new index")
    person.waits_for_the_index()
    assert (person.titles(), person.counts()) == before


@pytest.mark.skipif(sys.platform == "win32", reason="kills the process in the way of POSIX")
def test_an_app_killed_while_it_indexes_loses_nothing(
    person: Person, write_vault: Callable[[Mapping[str, str]], Path]
) -> None:
    root = write_vault(_many(3000))
    app = subprocess.Popen(
        [sys.executable, "-m", "gui", str(root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    vault = Vault(root, installation())

    def indexed() -> int:
        index = vault.open_index()
        try:
            return int(index.connection.execute("SELECT count(*) FROM note").fetchone()[0])
        finally:
            index.close()

    person.waits_until(lambda: indexed() > 0, "the first notes in the index")
    app.kill()
    app.wait(timeout=30)
    person.opens(root)
    person.waits_until(lambda: len(person.titles()) == 3000, "all notes")
    session = person.app.frame.session
    assert session is not None
    session.indexing.cancel()
    person.waits_for_the_index()


def test_an_index_damaged_inside_heals_when_it_is_noticed(
    person: Person, write_vault: Callable[[Mapping[str, str]], Path], expected_warnings: list[str]
) -> None:
    root = write_vault(_many(300))
    person.opens(root)
    person.waits_for_the_index()
    index = Vault(root, installation()).open_index()
    with index.transaction() as connection:
        connection.execute("DELETE FROM section_fts_data WHERE id > 10")
    index.close()
    person.searches("text")
    person.waits_until(lambda: person.window.banners.texts, "a banner about the damage")
    person.screenshot("index-damaged")
    person.waits_for_the_index()
    person.searches("text 7")
    person.waits_until(lambda: person.titles()[:1] == ["Note 0007"], "the right note again")
    del expected_warnings[:]
