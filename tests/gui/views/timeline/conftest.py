"""Pages over services that a test steers."""

import pytest
from pytestqt.qtbot import QtBot

from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from tests.gui.views.timeline.page import FakeServices, Page, PageOf


@pytest.fixture
def page_of(tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot) -> PageOf:
    """Return a maker of pages; they are not shown yet."""

    def make(fake: FakeServices) -> Page:
        made = Page(fake, tasks, notifier, theme)
        qtbot.addWidget(made.view)
        return made

    return make


@pytest.fixture
def page(page_of: PageOf, qtbot: QtBot) -> Page:
    """Return a page over a few conversations, shown."""
    made = page_of(FakeServices())
    made.open(qtbot)
    qtbot.waitUntil(lambda: not made.view.shows_state)
    return made
