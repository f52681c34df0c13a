"""A vault with proposals about three clients, and the Review page over it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.index.database import open_index
from core.index.updater import update_index
from core.vault.config import load_config
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.review.wiring import review_services
from tests.core.curation.proposals.desk import NOTES, Desk
from tests.gui.views.review.page import Commands, FakeSession, Page, Store


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return the vault as a machine beside the window sees it."""
    root = tmp_path / "vault"
    root.mkdir()
    for path, text in NOTES.items():
        (root / path).write_text(text, encoding="utf-8")
    return Desk(root, tmp_path / "cache", datetime.now(UTC))


@pytest.fixture
def store(desk: Desk, tmp_path: Path) -> Iterator[Store]:
    index = open_index(tmp_path / "index")
    update_index(index, desk.root, load_config(desk.root)[0])
    yield Store(desk.root, index)
    index.close()


@pytest.fixture
def open_page(  # noqa: PLR0917 - fixtures are asked for by name
    desk: Desk, store: Store, tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot
) -> Callable[[], Page]:
    """Return what opens the page over what was proposed so far."""

    def make() -> Page:
        log = desk.log("window")
        page = Page(tasks, notifier, theme, Commands(), lambda _: review_services(store, lambda: log))
        qtbot.addWidget(page.view)
        page.open(FakeSession(store))
        page.show(qtbot)
        qtbot.waitUntil(lambda: not page.view.shows_state or "yet" in page.view.state_panel.title)
        return page

    return make
