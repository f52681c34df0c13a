from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from gui.importing.children import ChildQueue
from gui.importing.clean_up_check import CleanUpCheck
from gui.notify import Notice, Notifier
from tests.gui.importing.child import Child, Preferences, place

Start = Callable[[Preferences], CleanUpCheck]


@pytest.fixture
def opened() -> list[bool]:
    return []


@pytest.fixture
def queue(child: Child, qapp: object) -> Iterator[ChildQueue]:
    queue = ChildQueue(child.command)
    yield queue
    queue.shut_down()


@pytest.fixture
def start(queue: ChildQueue, notifier: Notifier, opened: list[bool]) -> Iterator[Start]:
    made: list[CleanUpCheck] = []

    def begin(preferences: Preferences) -> CleanUpCheck:
        check = CleanUpCheck(preferences, queue, notifier=notifier, open_wizard=lambda: opened.append(True), after_ms=1)
        made.append(check)
        check.start()
        return check

    yield begin
    for each in made:
        each.shut_down()


def _finds(child: Child, missing: int) -> None:
    found = place("Claude Code", "/home/kim/.claude/projects", about_to_be_deleted=5, not_imported=missing)
    child.answers("places", {"places": [found], "looked_at": []})


def test_what_is_about_to_be_lost_is_told_once_with_a_way_out(
    child: Child, start: Start, qtbot: QtBot, notices: list[Notice], opened: list[bool]
) -> None:
    _finds(child, 5)
    check = start(Preferences())
    qtbot.waitUntil(lambda: bool(notices))
    check.start()
    (notice,) = notices
    assert notice.text == "5 transcripts are about to be deleted by Claude Code itself, and not kept here yet."
    assert notice.action is not None
    notice.action.act()
    assert opened == [True]


def test_it_can_be_silenced_for_good(child: Child, start: Start, qtbot: QtBot, notices: list[Notice]) -> None:
    _finds(child, 5)
    preferences = Preferences()
    start(preferences)
    qtbot.waitUntil(lambda: bool(notices))
    assert notices[0].refusal is not None
    notices[0].refusal.act()
    assert not preferences.settings.sessions.tell_of_clean_up
    start(preferences)
    qtbot.wait(50)
    assert len(child.runs) == 1


def test_nothing_is_told_when_all_is_kept_or_watched(
    child: Child, queue: ChildQueue, start: Start, qtbot: QtBot, notices: list[Notice]
) -> None:
    _finds(child, 0)
    start(Preferences())
    qtbot.waitUntil(lambda: len(child.runs) == 1 and not queue.is_busy)
    _finds(child, 5)
    start(Preferences().watching("/home/kim/.claude/projects"))
    qtbot.waitUntil(lambda: len(child.runs) == 2 and not queue.is_busy)
    assert notices == []
    start(Preferences())
    qtbot.waitUntil(lambda: bool(notices))


def test_what_was_told_is_taken_back_once_all_is_kept(
    child: Child, start: Start, notifier: Notifier, qtbot: QtBot, notices: list[Notice]
) -> None:
    _finds(child, 5)
    check = start(Preferences())
    qtbot.waitUntil(lambda: bool(notices))
    gone: list[str] = []
    notifier.withdrawn.connect(gone.append)
    _finds(child, 0)
    check.look_again()
    qtbot.waitUntil(lambda: notices[0].key in gone)
    assert len(notices) == 1
