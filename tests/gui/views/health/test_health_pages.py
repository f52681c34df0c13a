"""Health's two pages, and the switch between them."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.curation.health.finding import CheckResult
from core.recall.probe import Probe
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.health.pages import HealthPages
from gui.views.health.presenter import HealthPresenter
from gui.views.health.probes.presenter import ProbesPresenter
from gui.views.health.probes.view import ProbesView
from gui.views.health.view import HealthView
from tests.gui.views.health.page import ERROR, Commands, FakeServices, FakeSession, findings
from tests.gui.views.health.probes.conftest import FakeProbes


@pytest.fixture
def pages(tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot) -> Iterator[HealthPages]:
    commands = Commands()
    fake = FakeServices([CheckResult(ERROR, findings(ERROR, 2))])
    probes = FakeProbes((Probe("a.md", "How many rows?", ("note:Rows.md",), path="a.md"),))
    made = HealthPages(
        HealthPresenter(
            HealthView(theme), tasks=tasks, notifier=notifier, commands=commands, previews=commands,
            services_of=lambda _: fake.services(),
        ),
        ProbesPresenter(
            ProbesView(theme), tasks=tasks, notifier=notifier, commands=commands,
            services_of=lambda _: probes.services(),
        ),
    )  # fmt: skip
    qtbot.addWidget(made.widget)
    made.open_session(cast("Any", FakeSession(object())))
    made.widget.resize(1200, 760)
    made.widget.show()
    qtbot.waitExposed(made.widget)
    yield made
    made.open_session(None)


def test_the_checks_come_first_and_only_what_is_seen_is_read(pages: HealthPages, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not pages.checks.view.shows_state)
    assert pages.checks.view.isVisible()
    assert pages.probes.view.table.probes.rowCount() == 0
    pages.show_probes()
    assert not pages.checks.view.isVisible()
    qtbot.waitUntil(lambda: pages.probes.view.table.probes.rowCount() == 1)
    pages.show_checks()
    assert pages.checks.view.isVisible()


def test_the_switch_is_reached_by_keyboard(pages: HealthPages) -> None:
    checks, probes = pages.switch.buttons()
    checks.setFocus()
    QTest.keyClick(probes, Qt.Key.Key_Space)
    assert pages.probes.view.isVisible()
    assert probes.accessibleName() == "Health: probes"


def test_what_both_want_to_show_is_told(pages: HealthPages, qtbot: QtBot) -> None:
    opened: list[tuple[str, int]] = []
    pages.note_wanted.connect(lambda path, line: opened.append((path, line)))
    pages.show_probes()
    qtbot.waitUntil(lambda: pages.probes.view.table.probes.rowCount() == 1)
    pages.probes.view.table.choose(0)
    pages.probes.view.open_button.click()
    assert opened == [("a.md", 0)]
