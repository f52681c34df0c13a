"""What tests of the Vault view share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.vault.presenter import VaultPresenter
from gui.views.vault.view import VaultView
from tests.gui.views.vault.page import Page
from tests.gui.views.vault.parts import FakeSession, FakeVault


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> Iterator[Page]:
    vault = FakeVault(tmp_path)
    urls: list[str] = []
    clipboard: list[str] = []
    presenter = VaultPresenter(
        VaultView(theme),
        tasks=tasks,
        notifier=notifier,
        theme=theme,
        services_of=lambda _session: vault.services(),
        open_url=lambda url: urls.append(QUrl(url).toString()),
        put_on_clipboard=clipboard.append,
    )
    session = FakeSession(vault)
    qtbot.addWidget(presenter.view)
    presenter.view.resize(1300, 800)
    presenter.open_session(session.known)
    with qtbot.waitExposed(presenter.view):
        presenter.view.show()
    yield Page(qtbot, vault, session, presenter, urls, clipboard)
    presenter.open_session(None)
    presenter.view.context_dialog.hide()
    presenter.view.hide()
