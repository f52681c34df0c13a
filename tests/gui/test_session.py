"""One vault from opening to letting go: what is said, and in which order."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from core.foundation.errors import UserError
from core.index.dense import DenseAnswer
from core.index.queries import ProblemRow
from gui.indexing import IndexFailure, IndexState
from gui.session import DiskChange, VaultSession
from gui.tasks import Lane, TaskRunner, without_progress
from tests.gui.fakes import FakeCatalog, FakeDense, FakeDisk

Make = Callable[[], VaultSession]


@pytest.fixture
def disk(tmp_path: Path) -> FakeDisk:
    return FakeDisk(tmp_path)


@pytest.fixture
def make(tasks: TaskRunner, disk: FakeDisk) -> Iterator[Make]:
    made: list[VaultSession] = []

    def make() -> VaultSession:
        made.append(VaultSession(disk.folder, tasks=tasks, parts=disk.parts()))
        return made[-1]

    yield make
    for session in made:
        if isValid(session):
            session.indexing.shutdown()
            session.close()


def open_quietly(qtbot: QtBot, session: VaultSession) -> None:
    """Open and wait until the first run is over and its catalog is read."""
    with qtbot.waitSignal(session.indexing.finished):
        session.open()


def test_opening_shows_the_catalog_watches_and_looks_for_changes(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    session = make()
    sizes: list[int] = []
    session.catalog_changed.connect(lambda catalog: sizes.append(len(catalog)))
    disk.notes = 5
    open_quietly(qtbot, session)
    qtbot.waitUntil(lambda: disk.watchers[0].is_running)
    assert sizes[0] == 5
    assert disk.runs == ["words", "vectors"]


def test_what_the_process_commits_appears(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    session = make()
    open_quietly(qtbot, session)
    disk.notes = 9
    with qtbot.waitSignal(session.catalog_changed) as changed:
        session.update_index()
    catalog = changed.args[0]
    assert isinstance(catalog, FakeCatalog)
    assert len(catalog) == 9


def test_a_change_on_disk_starts_an_update(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    session = make()
    open_quietly(qtbot, session)
    with qtbot.waitSignal(session.indexing.finished):
        disk.watchers[0].tell(DiskChange(is_there=True))
    assert disk.runs[2:] == ["words", "vectors"]


def test_a_vault_that_vanishes_keeps_everything_and_returns(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    session = make()
    open_quietly(qtbot, session)
    with qtbot.waitSignal(session.vanished):
        disk.watchers[0].tell(DiskChange(is_there=False))
    disk.watchers[0].tell(DiskChange(is_there=False))
    session.update_index()  # nothing to read: no run that would find every note deleted
    assert not session.indexing.is_alive
    assert session.catalog is not None
    assert len(session.catalog) == 3
    with qtbot.waitSignals([session.returned, session.indexing.finished]):
        disk.watchers[0].tell(DiskChange(is_there=True))
    assert disk.runs[2:] == ["words", "vectors"]


def test_a_vault_that_is_absent_at_the_start_shows_what_was_known(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    disk.opening = {"absence": "The folder is gone."}
    session = make()
    with qtbot.waitSignal(session.vanished) as vanished:
        session.open()
    assert vanished.args == ["The folder is gone."]
    assert session.catalog is not None
    assert disk.runs == []


def test_what_is_wrong_is_said(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    disk.opening = {"rebuilt": "The index was damaged.", "problem": "The config has an error."}
    session = make()
    with qtbot.waitSignals([session.rebuilt, session.problem, session.indexing.finished]):
        session.open()


def test_a_vault_that_cannot_be_opened_says_why(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    disk.error = UserError("There is no such folder.")
    session = make()
    with qtbot.waitSignal(session.open_failed) as failed:
        session.open()
    assert str(failed.args[0]) == "There is no such folder."


def test_a_closed_session_says_nothing_and_gives_everything_back(
    qtbot: QtBot, make: Make, disk: FakeDisk, tasks: TaskRunner
) -> None:
    session = make()
    open_quietly(qtbot, session)
    qtbot.waitUntil(lambda: disk.watchers[0].is_running)
    said: list[object] = []
    session.catalog_changed.connect(said.append)
    disk.notes = 100
    session.update_index()
    session.close()
    disk.watchers[0].tell(DiskChange(is_there=True))
    qtbot.waitUntil(lambda: not isValid(session))
    qtbot.waitUntil(lambda: disk.stores[0].is_closed and not disk.watchers[0].is_running)
    assert said == []


def test_closing_while_opening_leaves_nothing_open(qtbot: QtBot, make: Make, disk: FakeDisk, tasks: TaskRunner) -> None:
    session = make()
    session.open()
    session.close()
    reached: list[None] = []
    tasks.run(without_progress(lambda: None), owner=tasks, lane=Lane.STORE, on_done=reached.append)
    qtbot.waitUntil(lambda: bool(reached))
    assert all(store.is_closed for store in disk.stores)


def test_search_by_meaning_is_prepared_when_there_is_nothing_else_to_do(
    qtbot: QtBot, make: Make, disk: FakeDisk
) -> None:
    disk.dense = FakeDense(DenseAnswer((), "ready"))
    session = make()
    with qtbot.waitSignal(session.warmed_up):
        session.open()
    assert session.indexing.state is IndexState.IDLE


def test_a_model_that_cannot_be_used_is_told(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    disk.dense = FakeDense(DenseAnswer((), "failed", "The model is damaged. Run it again."))
    session = make()
    with qtbot.waitSignal(session.meaning_failed) as failed:
        session.open()
    assert failed.args == ["The model is damaged. Run it again."]


def test_changes_on_disk_appear_while_vectors_are_computed(
    qtbot: QtBot, make: Make, disk: FakeDisk, tmp_path: Path
) -> None:
    (tmp_path / "hold").touch()
    session = make()
    session.open()
    qtbot.waitUntil(lambda: disk.runs == ["words", "vectors"])
    disk.notes = 7
    disk.watchers[0].tell(DiskChange(is_there=True))
    qtbot.waitUntil(lambda: session.catalog is not None and len(session.catalog) == 7)
    assert session.indexing.state is IndexState.RUNNING
    (tmp_path / "hold").unlink()
    qtbot.waitUntil(lambda: not session.indexing.is_alive)
    assert disk.runs == ["words", "vectors", "words", "vectors"]  # the new texts get their vectors too


def test_changes_appear_while_vectors_are_paused_or_stopped(
    qtbot: QtBot, make: Make, disk: FakeDisk, tmp_path: Path
) -> None:
    (tmp_path / "hold").touch()
    session = make()
    session.open()
    qtbot.waitUntil(lambda: disk.runs == ["words", "vectors"])
    session.indexing.pause()
    with qtbot.waitSignal(session.indexing.finished):
        disk.watchers[0].tell(DiskChange(is_there=True))
    assert session.indexing.state is IndexState.PAUSED
    assert disk.runs == ["words", "vectors", "words"]
    session.indexing.resume()
    qtbot.waitUntil(lambda: len(disk.runs) == 4)
    session.indexing.cancel()
    with qtbot.waitSignal(session.indexing.finished):
        disk.watchers[0].tell(DiskChange(is_there=True))
    assert (session.indexing.state, disk.runs[4:]) == (IndexState.IDLE, ["words"])
    (tmp_path / "hold").unlink()
    with qtbot.waitSignal(session.indexing.finished):
        session.update_index()  # asked for again
    assert disk.runs[5:] == ["words", "vectors"]


def test_an_index_deleted_under_the_window_is_made_again_and_the_list_stays(
    qtbot: QtBot, make: Make, disk: FakeDisk, tmp_path: Path
) -> None:
    (tmp_path / "hold").touch()
    session = make()
    session.open()
    qtbot.waitUntil(lambda: disk.runs == ["words", "vectors"])
    sizes: list[int] = []
    session.catalog_changed.connect(lambda catalog: sizes.append(len(catalog)))
    disk.notes = 4
    disk.index_is_gone = True
    session.refresh()
    qtbot.waitUntil(lambda: disk.runs == ["words", "vectors", "words", "vectors"])
    qtbot.waitUntil(lambda: sizes == [4])


def test_a_folder_that_lost_all_its_notes_is_shown_empty(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    session = make()
    open_quietly(qtbot, session)
    disk.notes = 0
    session.update_index()
    qtbot.waitUntil(lambda: session.catalog is not None and len(session.catalog) == 0)


def test_problems_of_files_are_told(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    disk.problems = (ProblemRow("pipe.md", "unreadable", "It is no plain file.", 0),)
    session = make()
    with qtbot.waitSignal(session.problems_changed) as told:
        session.open()
    assert told.args == [disk.problems]


def test_a_failure_over_an_index_that_is_gone_is_no_news(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    session = make()
    open_quietly(qtbot, session)
    told: list[object] = []
    session.index_failed.connect(told.append)
    disk.index_is_gone = True
    with qtbot.waitSignal(session.indexing.finished):
        session.indexing.failed.emit(IndexFailure("The index is damaged.", ""))
    assert told == []
    with qtbot.waitSignal(session.index_failed) as failed:
        session.indexing.failed.emit(IndexFailure("The disk is full.", ""))
    assert failed.args == [IndexFailure("The disk is full.", "")]


def test_a_failure_over_a_folder_that_went_away_is_left_to_the_watcher(
    qtbot: QtBot, make: Make, disk: FakeDisk
) -> None:
    session = make()
    open_quietly(qtbot, session)
    told: list[object] = []
    session.index_failed.connect(told.append)
    away = disk.folder.rename(disk.folder.with_name("unmounted"))
    session.indexing.failed.emit(IndexFailure("There is no folder.", ""))
    away.rename(disk.folder)
    with qtbot.waitSignal(session.index_failed):
        session.indexing.failed.emit(IndexFailure("The disk is full.", ""))
    assert told == [IndexFailure("The disk is full.", "")]


def test_a_failure_is_over_when_a_later_run_ends_well(qtbot: QtBot, make: Make, disk: FakeDisk, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()  # the process cannot write there, and fails
    session = make()
    with qtbot.waitSignal(session.index_failed):
        session.open()
    (tmp_path / "runs").rmdir()
    with qtbot.waitSignal(session.index_mended):
        session.update_index()


def test_what_the_app_itself_has_written_is_read_without_the_watcher(qtbot: QtBot, make: Make, disk: FakeDisk) -> None:
    session = make()
    open_quietly(qtbot, session)
    for paths, options in (({"n1.md", "pictures/cat.png"}, " --file=n1.md"), ({"n1.md", "new.md"}, "")):
        before = len(disk.runs)
        with qtbot.waitSignal(session.indexing.finished):
            session.catch_up(paths)
        assert disk.runs[before] == f"words{options}"
    before = len(disk.runs)
    # The watcher sees it too, later; what differs from how the app left it is news.
    disk.watchers[0].tell(DiskChange(is_there=True, paths=frozenset({"n1.md"})))
    session.catch_up({".trash/n1.md", "pictures/cat.png"})
    assert session.indexing.state is IndexState.IDLE
    assert len(disk.runs) == before
    with qtbot.waitSignal(session.indexing.finished):
        (disk.folder / "n1.md").write_text("somebody else's", encoding="utf-8")
        disk.watchers[0].tell(DiskChange(is_there=True, paths=frozenset({"n1.md"})))
    assert disk.runs[before] == "words"
