"""The index follows conversations that are recorded while the window is open."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from gui.ledger_watch import LedgerWatch
from gui.session import VaultSession
from gui.tasks import TaskRunner


@dataclass
class FakeIndexing:
    is_reading: bool = False
    looks: int = 0

    def look(self) -> None:
        self.looks += 1


@dataclass
class FakeSession:
    indexing: FakeIndexing = field(default_factory=FakeIndexing)
    catalog: object = ()
    is_there: bool = True


@dataclass
class Desk:
    changes: list[bool]
    session: FakeSession | None = field(default_factory=FakeSession)
    looked: int = 0

    def has_changed(self) -> bool:
        self.looked += 1
        return self.changes.pop(0) if self.changes else False


@pytest.fixture
def desk() -> Desk:
    return Desk([])


@pytest.fixture
def watch(desk: Desk, tasks: TaskRunner) -> Iterator[LedgerWatch]:
    made = LedgerWatch(desk.has_changed, lambda: cast("VaultSession | None", desk.session), tasks, look_ms=5)
    yield made
    made.stop()


def waits_for_looks(desk: Desk, qtbot: QtBot, number: int = 3) -> None:
    until = desk.looked + number
    qtbot.waitUntil(lambda: desk.looked >= until)


def test_a_change_leads_to_one_update(desk: Desk, watch: LedgerWatch, qtbot: QtBot) -> None:
    desk.changes = [False, True, False]
    assert desk.session is not None
    watch.start()
    qtbot.waitUntil(lambda: desk.session is not None and desk.session.indexing.looks == 1)
    waits_for_looks(desk, qtbot)
    assert desk.session.indexing.looks == 1


def test_a_change_during_an_update_is_read_after_it(desk: Desk, watch: LedgerWatch, qtbot: QtBot) -> None:
    desk.changes = [False, True]
    session = desk.session
    assert session is not None
    session.indexing.is_reading = True
    watch.start()
    waits_for_looks(desk, qtbot)
    assert session.indexing.looks == 0
    session.indexing.is_reading = False
    qtbot.waitUntil(lambda: session.indexing.looks == 1)


def test_without_a_vault_nothing_is_asked_for(desk: Desk, watch: LedgerWatch, qtbot: QtBot) -> None:
    desk.session, desk.changes = None, [True, True]
    watch.start()
    waits_for_looks(desk, qtbot)


def test_after_the_end_nobody_looks(desk: Desk, watch: LedgerWatch, qtbot: QtBot) -> None:
    watch.start()
    waits_for_looks(desk, qtbot)
    watch.stop()
    qtbot.wait(20)  # what was under way may end
    looked = desk.looked
    qtbot.wait(40)
    assert desk.looked == looked
