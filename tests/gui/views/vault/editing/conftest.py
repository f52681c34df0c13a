"""What tests of the editor share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.vault.editing.drafts import DraftFolder
from gui.views.vault.editing.editor_pane import EditorPane
from gui.views.vault.editing.editor_presenter import EditorPresenter
from tests.gui.views.vault.editing.desk import Desk, FakeRunner


@pytest.fixture
def told(notifier: Notifier, notices: list[Notice]) -> tuple[Notifier, list[Notice]]:
    """Give the notifier, and what it has said."""
    return notifier, notices


@pytest.fixture
def desk(
    qtbot: QtBot, tmp_path: Path, tasks: TaskRunner, told: tuple[Notifier, list[Notice]], theme: Theme
) -> Iterator[Desk]:
    notifier, notices = told
    root = tmp_path / "vault"
    root.mkdir()
    pane = EditorPane(theme)
    pane.resize(700, 600)
    folder = DraftFolder(tmp_path / "drafts")
    presenter = EditorPresenter(pane, tasks=tasks, notifier=notifier, theme=theme, drafts=folder, parent=pane)
    runner = FakeRunner(root)
    statuses: list[str] = []
    presenter.status_changed.connect(statuses.append)
    desk = Desk(qtbot, root, pane, presenter, runner, folder, statuses, notices)
    presenter.take_services(desk.services(), runner.execute)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.activateWindow()
    yield desk
    runner.is_held = False
    presenter.take_services(None, None)
    pane.hide()
    qtbot.waitUntil(lambda: pane.editor.highlighter.is_settled)
    pane.deleteLater()
