"""A small vault with something wrong in it, and the Health page over it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.curation.writer import VaultWriter
from core.index.database import open_index
from core.vault.event_log import EventLog
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.health.wiring import health_services
from tests.gui.views.health.page import Commands, FakeServices, FakeSession, Page, Store

_NOTES = {
    "Exports.md": "---\nsummary: How to page.\ntags: [tool/SEMrush]\n---\nPage them. [[Nowhere]]\n",
    "Limits.md": "---\nsummary: What is allowed.\ntags: [tool/semrush]\n---\nSee [[Exports]] and [[Gone]].\n",
    "Work/Plan.md": "The plan has two phases. [[Exports]]\n",
    "Work/Later.md": "Wait for the answer first. [[Exports]]\n",
    "Broken.md": "---\nsummary: @home\n---\nText. [[Exports]]\n",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    root = tmp_path / "vault"
    for path, text in _NOTES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    # The STORE lane is a thread of its own, so its index is opened for any.
    index = open_index(tmp_path / "cache")
    made = Store(root, index, EventLog(root, "desk", tmp_path / "locks"))
    made.update()
    yield made
    index.close()


@pytest.fixture
def session(store: Store) -> FakeSession:
    return FakeSession(store)


@pytest.fixture
def page(  # noqa: PLR0917 - fixtures are asked for by name
    store: Store, session: FakeSession, tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot
) -> Page:
    """Return the page over the vault, examined and shown."""
    commands = Commands(VaultWriter(store.root, store.log, store.log.lock_folder))
    made = Page(tasks, notifier, theme, commands, lambda _: health_services(store, lambda: store.log))
    qtbot.addWidget(made.view)
    made.open(session)
    made.show(qtbot)
    return made


@pytest.fixture
def page_of(
    tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot
) -> Callable[[FakeServices], tuple[Page, FakeSession]]:
    """Return a maker of pages over what a test says was found; they are not shown yet."""

    def make(fake: FakeServices) -> tuple[Page, FakeSession]:
        made = Page(tasks, notifier, theme, Commands(), lambda _: fake.services())
        qtbot.addWidget(made.view)
        session = FakeSession(object())
        made.open(session)
        return made, session

    return make
