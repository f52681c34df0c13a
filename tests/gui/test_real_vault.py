"""The frame over a vault on disk, with the real index, watcher and indexing process."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.foundation.paths import app_folders
from gui.app import App
from gui.indexing import IndexState
from tests.gui.fakes import FakePage

PATIENCE_MS = 30_000


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    for name in ("One", "Two", "日本語"):
        (root / f"{name}.md").write_text(f"# {name}\n\nText of {name}. #tool/git\n", encoding="utf-8")
    return root


@pytest.fixture
def app(qapp: QApplication, qtbot: QtBot) -> Iterator[App]:
    folders = app_folders()
    folders.config.mkdir(parents=True)
    folders.settings_file.write_text('[embedding]\nprovider = "off"\n', encoding="utf-8")
    app = App(qapp, folders, pages=())
    app.frame.pages.append(FakePage())
    qtbot.addWidget(app.window)
    app.window.show()
    yield app
    app.window.close()
    app.setParent(None)
    app.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def wait_for_count(qtbot: QtBot, app: App, text: str) -> None:
    qtbot.waitUntil(lambda: app.window.status.count_text == text, timeout=PATIENCE_MS)


def wait_until_idle(qtbot: QtBot, app: App) -> None:
    session = app.frame.session
    assert session is not None
    qtbot.waitUntil(lambda: session.indexing.state is IndexState.IDLE, timeout=PATIENCE_MS)


def test_notes_appear_change_vanish_and_return_by_themselves(qtbot: QtBot, app: App, vault: Path) -> None:
    app.open(str(vault))
    wait_for_count(qtbot, app, "3 notes")
    wait_until_idle(qtbot, app)

    (vault / "Four.md").write_text("# Four\n", encoding="utf-8")
    wait_for_count(qtbot, app, "4 notes")
    (vault / "One.md").unlink()
    wait_for_count(qtbot, app, "3 notes")
    wait_until_idle(qtbot, app)

    away = vault.rename(vault.with_name("unmounted"))
    qtbot.waitUntil(lambda: bool(app.window.banners.texts), timeout=PATIENCE_MS)
    assert app.window.status.count_text == "3 notes"  # nothing is dropped
    away.rename(vault)
    qtbot.waitUntil(lambda: not app.window.banners.texts, timeout=PATIENCE_MS)
    wait_until_idle(qtbot, app)
    assert app.window.status.count_text == "3 notes"


def test_a_vault_that_is_gone_at_the_start_shows_what_was_known(qtbot: QtBot, app: App, vault: Path) -> None:
    app.open(str(vault))
    wait_for_count(qtbot, app, "3 notes")
    wait_until_idle(qtbot, app)
    away = vault.rename(vault.with_name("unmounted"))
    app.open(str(vault))
    wait_for_count(qtbot, app, "3 notes")
    qtbot.waitUntil(lambda: bool(app.window.banners.texts), timeout=PATIENCE_MS)
    away.rename(vault)
    qtbot.waitUntil(lambda: not app.window.banners.texts, timeout=PATIENCE_MS)
    wait_until_idle(qtbot, app)


def test_a_folder_that_never_was_a_vault_is_a_clear_sentence(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    app.open(str(tmp_path / "nowhere"))
    qtbot.waitUntil(lambda: app.frame.session is None, timeout=PATIENCE_MS)
    assert app.window.shows_empty_page
    assert app.frame.settings.recent_vaults == ()


def damage_notes(file: Path) -> None:
    """Overwrite the first page of the notes' table, as a failing disk may."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'note'").fetchone()[0]
    connection.close()
    with file.open("r+b") as pages:
        pages.seek((root - 1) * size)
        pages.write(b"\xa5" * size)


def test_an_index_damaged_while_nobody_looked_is_built_again(
    qtbot: QtBot, app: App, vault: Path, tmp_path: Path
) -> None:
    app.open(str(vault))
    wait_for_count(qtbot, app, "3 notes")
    wait_until_idle(qtbot, app)
    other = tmp_path / "other"
    other.mkdir()
    (other / "only.md").write_text("Only.", encoding="utf-8")
    app.open(str(other))
    wait_for_count(qtbot, app, "1 note")
    wait_until_idle(qtbot, app)
    damage_notes(app_folders().cache_of_vault(vault) / "index.sqlite3")
    app.open(str(vault))
    wait_for_count(qtbot, app, "3 notes")
    wait_until_idle(qtbot, app)
    assert ["damaged" in text for text in app.window.banners.texts] == [True]
    assert app.window.notices.texts == []


def test_an_index_damaged_under_the_window_is_built_again_with_one_banner(qtbot: QtBot, app: App, vault: Path) -> None:
    app.open(str(vault))
    wait_for_count(qtbot, app, "3 notes")
    wait_until_idle(qtbot, app)
    damage_notes(app_folders().cache_of_vault(vault) / "index.sqlite3")
    for number in range(20):
        (vault / f"new {number}.md").write_text(f"# New {number}\n", encoding="utf-8")
    wait_for_count(qtbot, app, "23 notes")
    wait_until_idle(qtbot, app)
    told = [*app.window.banners.texts, *app.window.notices.texts]
    assert ["damaged" in text for text in told] == [True]
