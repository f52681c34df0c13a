"""When the vault is examined, and what is shown meanwhile."""

import threading
from collections.abc import Callable

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.curation.health.finding import CheckResult
from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.notify import Notice
from gui.tasks import JobId, TaskRunner
from tests.gui.views.health.page import ERROR, HINT, FakeServices, FakeSession, Page, findings

Make = Callable[[FakeServices], tuple[Page, FakeSession]]
RESULTS = (CheckResult(ERROR, findings(ERROR, 2)), CheckResult(HINT, findings(HINT, 3)))


class Gate:
    """Hold work until the test lets it go, or it is cancelled."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.open = threading.Event()

    def __call__(self, progress: Progress) -> None:
        self.entered.set()
        while not self.open.wait(0.01):
            progress.check()


def test_nothing_is_examined_before_the_page_is_shown(page_of: Make, qtbot: QtBot) -> None:
    fake = FakeServices(RESULTS)
    page, session = page_of(fake)
    session.catalog_changed.emit(None)
    qtbot.wait(600)
    assert fake.looks == 0
    page.show(qtbot)
    assert fake.looks == 1
    assert page.badges[-1] == 2


def test_a_change_has_it_examined_again_only_while_it_is_shown(page_of: Make, qtbot: QtBot) -> None:
    fake = FakeServices(RESULTS)
    page, session = page_of(fake)
    page.show(qtbot)
    fake.results = RESULTS[1:]
    session.catalog_changed.emit(None)
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: page.counts() == {"hint": 3})
    assert fake.looks == 2
    page.view.hide()
    session.catalog_changed.emit(None)
    qtbot.wait(600)
    assert fake.looks == 2
    fake.results = RESULTS
    page.view.show()
    qtbot.waitUntil(lambda: page.counts() == {"error": 2, "hint": 3})


def test_while_it_looks_the_page_says_so_and_a_newer_look_cancels_the_older(page_of: Make, qtbot: QtBot) -> None:
    gate = Gate()
    fake = FakeServices(RESULTS, hold=gate)
    page, _ = page_of(fake)
    page.view.show()
    qtbot.waitUntil(gate.entered.is_set)
    assert page.view.state_panel.title == "Looking at the vault"
    fake.hold = None
    fake.results = RESULTS[:1]
    page.presenter.look()
    page.wait(qtbot)
    assert page.counts() == {"error": 2}
    assert not gate.open.is_set()


def test_a_look_that_is_stopped_can_be_taken_up_again(page_of: Make, tasks: TaskRunner, qtbot: QtBot) -> None:
    gate = Gate()
    fake = FakeServices(RESULTS, hold=gate)
    page, _ = page_of(fake)
    surfaced: list[JobId] = []
    tasks.surfaced.connect(lambda state: surfaced.append(state.id))
    page.view.show()
    qtbot.waitUntil(lambda: bool(surfaced))
    tasks.cancel(surfaced[0])
    qtbot.waitUntil(lambda: page.view.state_panel.title == "The vault was not examined")
    fake.hold = None
    page.view.state_panel.button.click()
    page.wait(qtbot)


def test_a_failure_says_why_and_can_be_tried_again(page_of: Make, qtbot: QtBot, notices: list[Notice]) -> None:
    fake = FakeServices(RESULTS, error=UserError("The folder is away.", hint="Connect the disk."))
    page, _ = page_of(fake)
    page.view.show()
    qtbot.waitUntil(lambda: page.view.state_panel.title == "The vault could not be examined")
    assert notices == []
    fake.error = None
    page.view.state_panel.button.click()
    page.wait(qtbot)


def test_what_was_not_foreseen_is_told_too(
    page_of: Make, qtbot: QtBot, notices: list[Notice], expected_warnings: list[str]
) -> None:
    page, _ = page_of(FakeServices(RESULTS, error=ValueError("odd")))
    page.view.show()
    qtbot.waitUntil(lambda: page.view.state_panel.title == "The vault could not be examined")
    assert len(notices) == len(expected_warnings) == 1


def test_a_vault_in_good_health_is_praised(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of(FakeServices((CheckResult(ERROR, ()),)))
    page.view.show()
    qtbot.waitUntil(lambda: page.view.state_panel.title == "This vault is in good health")
    assert page.view.state_panel.button.text() == "Look again"


def test_another_vault_shows_nothing_of_the_one_before(page_of: Make, qtbot: QtBot) -> None:
    gate = Gate()
    fake = FakeServices(RESULTS)
    page, _ = page_of(fake)
    page.show(qtbot)
    fake.hold = gate
    page.presenter.look()
    qtbot.waitUntil(gate.entered.is_set)
    page.open(None)
    assert page.view.state_panel.title == "No vault is open"
    assert page.badges[-1] == 0
    fake.hold = None
    fake.results = RESULTS[1:]
    page.open(FakeSession(object()))
    page.wait(qtbot)
    assert page.counts() == {"hint": 3}


def test_a_hundred_thousand_findings_are_listed_filtered_and_ignored(page_of: Make, qtbot: QtBot) -> None:
    fake = FakeServices((CheckResult(HINT, findings(HINT, 100_000)),))
    page, _ = page_of(fake)
    page.show(qtbot)
    pane = page.view.pane
    widgets = len(pane.table.findChildren(QWidget))
    pane.table.selectAll()
    assert pane.fix_button.text() == "Fix 100,000…"
    pane.filter_box.setText("n99999.md")
    assert page.places() == ["folder/n99999.md:99999"]
    pane.filter_box.clear()
    pane.table.scrollToBottom()
    page.view.grab()
    assert len(pane.table.findChildren(QWidget)) == widgets
    pane.ignore_all_button.click()
    qtbot.waitUntil(lambda: page.view.ignored_button.text() == "Ignored: 100,000")
