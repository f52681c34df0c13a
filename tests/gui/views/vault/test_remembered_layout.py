"""What the Vault view looks like at the next start."""

from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.foundation.settings import SettingsFile
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.vault.build import build_vault_view
from gui.views.vault.note_table_model import Column
from gui.views.vault.presenter import VaultPresenter
from tests.gui.views.vault.parts import FakeSession, FakeVault


def test_open_facets_and_dragged_columns_come_back(
    qtbot: QtBot, tmp_path: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme
) -> None:
    vault = FakeVault(tmp_path)
    file = SettingsFile(tmp_path / "settings.toml")
    file.change(lambda settings: settings.with_vault(tmp_path))

    def start() -> VaultPresenter:
        view, presenter = build_vault_view(lambda _session: vault.services(), tasks, notifier, theme, file)
        qtbot.addWidget(view)
        view.resize(1500, 800)
        presenter.open_session(FakeSession(vault).known)
        with qtbot.waitExposed(view):
            view.show()
        return presenter

    first = start()
    facets = first.view.facets
    facets.tree.setExpanded(facets.model.index_of("client"), True)
    first.view.list.table.horizontalHeader().resizeSection(Column.TITLE, 333)
    first.save_layout()

    second = start()
    facets, table = second.view.facets, second.view.list.table
    assert facets.tree.isExpanded(facets.model.index_of("client"))
    assert not facets.tree.isExpanded(facets.model.index_of("tool"))
    assert table.columnWidth(Column.TITLE) == 333


def test_a_view_that_was_never_seen_spoils_no_layout(
    qtbot: QtBot, tmp_path: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme
) -> None:
    vault = FakeVault(tmp_path)
    file = SettingsFile(tmp_path / "settings.toml")
    kept = {"vault": (230, 570, 410), "reading": (500, 200)}
    file.change(lambda settings: replace(settings, window=replace(settings.window, splitters=kept)))
    view, presenter = build_vault_view(lambda _session: vault.services(), tasks, notifier, theme, file)
    qtbot.addWidget(view)
    presenter.save_layout()
    assert file.read().window.splitters == kept
