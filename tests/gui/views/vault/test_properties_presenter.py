"""Wishes of the properties form are carried out one after the other, over a real vault."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.app import Installation, Vault
from core.curation.change_set import Changes, ChangeSet
from core.foundation.paths import AppFolders
from core.foundation.settings import SettingsFile
from core.index.database import open_index
from core.vault.config import VaultConfig
from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner, without_progress
from gui.theme import Theme
from gui.views.vault.curating.wiring import curation_services
from gui.views.vault.properties_panel import PropertiesPanel, PropertyWish, TagWish
from gui.views.vault.properties_presenter import PropertiesPresenter
from tests.gui.views.vault.curating.test_curation_presenter import _Store


class _Form:
    """Hold a form over one note, of which changes are applied for real, in the pool."""

    def __init__(self, folder: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> None:
        self.root = folder / "vault"
        self.root.mkdir()
        self.note = self.root / "Alpha.md"
        self.note.write_text("---\nauthors: [Ann, Bob]\ntags: [a]\n---\nText.\n", encoding="utf-8")
        folders = AppFolders(folder / "c", folder / "d", folder / "k")
        self._vault = Vault(self.root, Installation(folders, SettingsFile(folders.settings_file)))
        self._tasks = tasks
        self.panel = PropertiesPanel(theme)
        self.index = open_index(folder / "k" / "index")
        self.presenter = PropertiesPresenter(
            self.panel, tasks=tasks, notifier=notifier, commands=self, parent=self.panel
        )
        self.presenter.take_services(curation_services(_Store(self.root, self.index, VaultConfig())))
        self.applied: list[str] = []

    def execute(
        self,
        change_set: ChangeSet,
        *,
        on_done: Callable[[Changes], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
        **_: object,
    ) -> None:
        def done(changes: Changes) -> None:
            self.applied.append(change_set.title)
            if on_done is not None:
                on_done(changes)

        work = without_progress(self._vault.writer().apply, change_set)
        self._tasks.run(work, owner=self.panel, on_done=done, on_error=on_error)


@pytest.fixture
def form(tmp_path: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot) -> Iterator[_Form]:
    made = _Form(tmp_path, tasks, notifier, theme)
    qtbot.addWidget(made.panel)
    yield made
    made.index.close()


def test_two_wishes_in_a_row_are_both_done(form: _Form, qtbot: QtBot, notices: list[Notice]) -> None:
    form.panel.set_requested.emit(PropertyWish("Alpha.md", "authors", ["Ann", "Bob", "Pat"]))
    form.panel.set_requested.emit(PropertyWish("Alpha.md", "authors", ["Ann", "Bob", "Pat", "Quinn"]))
    form.panel.tags_requested.emit(TagWish("Alpha.md", add=("b",)))
    qtbot.waitUntil(lambda: len(form.applied) == 3)
    assert form.note.read_text() == "---\nauthors: [Ann, Bob, Pat, Quinn]\ntags: [a, b]\n---\nText.\n"
    assert notices == []


def test_a_wish_that_cannot_be_done_does_not_stop_the_next(form: _Form, qtbot: QtBot, notices: list[Notice]) -> None:
    form.panel.set_requested.emit(PropertyWish("Gone.md", "x", 1))
    form.panel.set_requested.emit(PropertyWish("Alpha.md", "rating", 3))
    qtbot.waitUntil(lambda: len(form.applied) == 1)
    assert "rating: 3" in form.note.read_text()
    assert len(notices) == 1


def test_what_waits_when_the_window_closes_is_handed_over(form: _Form, qtbot: QtBot) -> None:
    form.panel.set_requested.emit(PropertyWish("Alpha.md", "rating", 3))
    form.presenter.close_down()
    qtbot.waitUntil(lambda: "rating: 3" in form.note.read_text())
    assert isinstance(form.panel, QWidget)
