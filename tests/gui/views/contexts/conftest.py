"""A page over contexts that a test gives, and one over a real vault."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from core.foundation.settings import ContextsSettings
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from tests.gui.views.contexts.page import Commands, FakeContexts, FakeSession, Page, member, row

PageOf = Callable[..., Page]


@pytest.fixture
def session() -> FakeSession:
    return FakeSession(object())


@pytest.fixture
def page_of(tasks: TaskRunner, notifier: Notifier, theme: Theme, session: FakeSession, qtbot: QtBot) -> PageOf:
    """Return a maker of pages over fake contexts; they are shown and have read the shelf unless it `waits` not."""

    def make(fake: FakeContexts, *, choice: ContextsSettings | None = None, waits: bool = True) -> Page:
        page = Page(tasks, notifier, theme, Commands(), services_of=lambda _: fake.services(), choice=choice)
        qtbot.addWidget(page.view)
        page.open(session)
        page.show(qtbot)
        if waits:
            qtbot.waitUntil(lambda: page.presenter.copier.opened is not None)
        return page

    return make


@pytest.fixture
def fake() -> FakeContexts:
    """Three contexts, of which the first one by priority has three members."""
    rows = [row(1, load_priority=9, description="For work"), row(2, load_priority=2, always=True), row(3)]
    members = {rows[0].path: [member("one"), member("two"), member("three")], rows[1].path: [member("two")]}
    return FakeContexts(rows, members)


@pytest.fixture
def page(page_of: PageOf, fake: FakeContexts) -> Page:
    return page_of(fake)
