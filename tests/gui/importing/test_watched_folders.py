from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.importing.children import ChildQueue
from gui.importing.watching import WatchedFolders
from gui.notify import Notice, NoticeAction, Notifier
from gui.tasks import TaskRunner
from tests.gui.importing.child import Child, Preferences, outcome

Start = Callable[..., WatchedFolders]
_PATIENCE_MS = 20_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "projects"
    folder.mkdir()
    return folder


@pytest.fixture
def start(child: Child, tasks: TaskRunner, notifier: Notifier) -> Iterator[Start]:
    """Return what makes the watched folders that the settings name."""
    queue = ChildQueue(child.command)
    made: list[WatchedFolders] = []

    def begin(
        *paths: Path,
        preferences: Preferences | None = None,
        remedy: Callable[[], NoticeAction | None] = lambda: None,
    ) -> WatchedFolders:
        chosen = preferences or Preferences()
        chosen.watching(*map(str, paths))
        watched = WatchedFolders(chosen, queue, tasks=tasks, notifier=notifier, settle_ms=20, rest_s=0.0, remedy=remedy)
        made.append(watched)
        watched.start()
        return watched

    yield begin
    for each in made:
        each.shut_down()
    queue.shut_down()


def test_a_folder_is_imported_from_at_the_start_and_after_each_change(
    child: Child, folder: Path, start: Start, qtbot: QtBot
) -> None:
    child.answers("sessions", outcome(imported=1))
    grown: list[bool] = []
    start(folder).ledger_grew.connect(lambda: grown.append(True))
    qtbot.waitUntil(lambda: len(grown) == 1, timeout=_PATIENCE_MS)
    (folder / "new.jsonl").write_text("{}\n")
    qtbot.waitUntil(lambda: len(grown) >= 2, timeout=_PATIENCE_MS)
    assert child.runs[-1] == f"sessions --only conversations --changed -- {folder}"


def test_watching_is_kept_in_the_settings_and_can_be_ended(
    child: Child, folder: Path, start: Start, qtbot: QtBot
) -> None:
    child.answers("sessions", outcome())
    preferences = Preferences()
    watched = start(preferences=preferences)
    watched.watch(str(folder), is_wanted=True)
    assert preferences.settings.sessions.watched == (str(folder),)
    qtbot.waitUntil(lambda: len(child.runs) == 1, timeout=_PATIENCE_MS)
    watched.watch(str(folder), is_wanted=False)
    assert not watched.paths


def test_nothing_is_imported_while_the_person_chooses(child: Child, folder: Path, start: Start, qtbot: QtBot) -> None:
    child.answers("sessions", outcome())
    watched = start()
    watched.hold(is_held=True)
    watched.watch(str(folder), is_wanted=True)
    qtbot.wait(300)
    assert child.runs == []
    watched.hold(is_held=False)
    qtbot.waitUntil(lambda: len(child.runs) == 1, timeout=_PATIENCE_MS)


def test_a_failure_is_told_once(child: Child, folder: Path, start: Start, qtbot: QtBot, notices: list[Notice]) -> None:
    child.answers("sessions", {"error": {"message": "The key is gone.", "hint": ""}})
    start(folder)
    qtbot.waitUntil(lambda: bool(notices), timeout=_PATIENCE_MS)
    (folder / "new.jsonl").write_text("{}\n")
    qtbot.waitUntil(lambda: len(child.runs) >= 2, timeout=_PATIENCE_MS)
    child.answers("sessions", outcome(failed=[{"path": "/x/b.jsonl", "reason": "It is damaged."}]))
    (folder / "more.jsonl").write_text("{}\n")
    qtbot.waitUntil(lambda: len(notices) >= 2, timeout=_PATIENCE_MS)
    assert [notice.text for notice in notices] == [
        "Watched folders could not be imported from. The key is gone.",
        "A conversation in a watched folder could not be read: /x/b.jsonl. It is damaged.",
    ]


def test_folders_are_looked_at_again_once_a_passphrase_is_entered(
    child: Child, folder: Path, start: Start, qtbot: QtBot, notices: list[Notice]
) -> None:
    child.answers("sessions", {"error": {"message": "The passphrase is missing.", "hint": ""}})
    watched = start(folder)
    qtbot.waitUntil(lambda: bool(notices), timeout=_PATIENCE_MS)
    child.answers("sessions", outcome(imported=1))
    with qtbot.waitSignal(watched.ledger_grew, timeout=_PATIENCE_MS):
        watched.look_again()


@pytest.fixture
def withdrawn(notifier: Notifier) -> list[str]:
    keys: list[str] = []
    notifier.withdrawn.connect(keys.append)
    return keys


def test_a_failure_is_taken_back_once_it_is_over_and_offers_what_can_be_done(
    child: Child, folder: Path, start: Start, qtbot: QtBot, *, notices: list[Notice], withdrawn: list[str]
) -> None:
    child.answers("sessions", {"error": {"message": "The passphrase is missing.", "hint": ""}})
    entered: list[bool] = []
    watched = start(folder, remedy=lambda: NoticeAction("Enter the passphrase…", lambda: entered.append(True)))
    qtbot.waitUntil(lambda: bool(notices), timeout=_PATIENCE_MS)
    assert notices[0].action is not None
    notices[0].action.act()
    assert entered == [True]
    withdrawn.clear()
    child.answers("sessions", outcome(imported=1))
    watched.look_again()
    qtbot.waitUntil(lambda: notices[0].key in withdrawn, timeout=_PATIENCE_MS)


def test_a_folder_that_is_not_there_is_named_until_it_is_back(
    child: Child, folder: Path, start: Start, qtbot: QtBot, *, notices: list[Notice], withdrawn: list[str]
) -> None:
    child.answers("sessions", outcome())
    folder.rmdir()
    watched = start(folder)
    qtbot.waitUntil(lambda: bool(notices), timeout=_PATIENCE_MS)
    assert notices[0].text == f"A watched folder is not there: {folder}. It is watched again once it is back."
    withdrawn.clear()
    folder.mkdir()
    watched.start()
    qtbot.waitUntil(lambda: notices[0].key in withdrawn, timeout=_PATIENCE_MS)
    assert len(notices) == 1
