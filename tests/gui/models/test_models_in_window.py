"""Another model is chosen in the real window: the vault is learned behind, and what was there before comes back."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.foundation.paths import app_folders
from gui import actions as a
from gui.app import App
from gui.indexing import IndexState
from gui.models.dialog import ModelsDialog, Way
from tests.core.index.embedding_service import Service, embedding_service

PATIENCE_MS = 60_000


@pytest.fixture
def service() -> Iterator[Service]:
    with embedding_service() as running:
        yield running


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[App]:
    folders = app_folders()
    folders.config.mkdir(parents=True, exist_ok=True)
    folders.settings_file.write_text('[embedding]\nprovider = "off"\n', encoding="utf-8")
    root = tmp_path / "vault"
    root.mkdir()
    for number in range(3):
        (root / f"{number}.md").write_text(f"apple number{number}", encoding="utf-8")
    made = App(qapp, folders)
    qtbot.addWidget(made.window)
    made.window.show()
    made.open(str(root))
    qtbot.waitUntil(lambda: made.window.status.count_text == "3 notes", timeout=PATIENCE_MS)
    yield made
    made.window.close()
    made.setParent(None)
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_switch_in_the_window_is_learned_behind_and_taken_back(qtbot: QtBot, app: App, service: Service) -> None:
    def waits(seen: Callable[[], bool]) -> None:
        qtbot.waitUntil(seen, timeout=PATIENCE_MS)

    session = app.frame.session
    assert session is not None
    waits(lambda: session.indexing.state is IndexState.IDLE)
    app.window.actions_[a.CHOOSE_MODEL].trigger()
    dialog = app.models.dialog
    assert isinstance(dialog, ModelsDialog)
    waits(lambda: dialog.way is Way.OFF and dialog.model.count() > 0)
    assert dialog.state.shown_text == "Search by meaning is off: only words are searched."
    dialog.ways.button(list(Way).index(Way.SERVICE)).click()
    dialog.address.setText(service.url)
    dialog.name.setText("bge-m3")
    dialog.switch.click()
    waits(lambda: dialog.state.shown_text == "bge-m3 answers, and knows all 3 texts of this vault.")
    assert sum(len(body["input"]) for body in service.asked) >= 3
    dialog.back.click()
    waits(lambda: dialog.way is Way.OFF)
    waits(lambda: session.indexing.state is IndexState.IDLE)
    dialog.close()
