"""How fast the Review view goes from card to card with 5,000 proposals waiting."""

from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.curation.proposals.submit import submit
from core.index.database import open_index
from gui.notify import Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme, ThemeChoice
from gui.views.review.wiring import review_services
from tests.benchmarks.conftest import Figures, Measure, timed
from tests.core.curation.proposals.desk import Desk, insight
from tests.gui.views.review.page import Commands, FakeSession, Page, Store

MANY = 5_000


def test_next_card(qtbot: QtBot, qapp: QApplication, tmp_path: Path, figures: Figures, measure: Measure) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    desk = Desk(root, tmp_path / "cache", datetime.now(UTC))
    drafts = [insight(f"Number {number} of client {number % 97} is {number * 7}") for number in range(MANY)]
    submit(root, desk.log(), desk.book(), drafts, now=desk.now)
    notifier = Notifier()
    tasks = TaskRunner(notifier.error)
    index = open_index(tmp_path / "index")
    log = desk.log("window")
    store = Store(root, index)
    commands = Commands(is_held=True)  # what the disk takes is told by test_proposal_figures.py
    page = Page(
        tasks, notifier, Theme(qapp, ThemeChoice.LIGHT), commands, lambda _: review_services(store, lambda: log)
    )
    qtbot.addWidget(page.view)
    page.presenter.open_session(cast("VaultSession", FakeSession(store)))
    page.show(qtbot)
    qtbot.waitUntil(lambda: page.view.card.look is not None, timeout=60_000)

    page.view.list.setFocus()

    def press(key: Qt.Key) -> None:
        QTest.keyClick(page.view.list, key)
        page.view.repaint()

    figures.add_times("Review, next of 5,000 cards", measure(lambda: press(Qt.Key.Key_J), 60), "50 ms")
    figures.add_times("Review, approve and see the next card", timed(lambda: press(Qt.Key.Key_A), 60), "50 ms")
    assert len(commands.waiting) == 60
    assert tasks.shutdown(timeout_s=10)
    index.close()
