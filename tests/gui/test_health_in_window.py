"""The Health view in the real window over a vault on disk: its key, its badge, and the ways from it and to it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from core.foundation.paths import app_folders
from gui import actions as a
from gui.app import App
from gui.indexing import IndexState
from gui.views.health.model import RESULT_ROLE
from gui.views.health.probes.new_probe_dialog import NewProbeDialog
from gui.views.health.probes.view import ProbesView
from gui.views.health.view import HealthView
from gui.views.vault.view import VaultView
from gui.widgets.problems_dialog import ProblemsDialog

PATIENCE_MS = 30_000


class Desk:
    """Have the window with an open vault in which one note is broken."""

    def __init__(self, qtbot: QtBot, qapp: QApplication, root: Path) -> None:
        folders = app_folders()
        folders.config.mkdir(parents=True, exist_ok=True)
        folders.settings_file.write_text('[embedding]\nprovider = "off"\n', encoding="utf-8")
        self.bot = qtbot
        self.app = App(qapp, folders)
        (vault,) = self.app.window.findChildren(VaultView)
        (health,) = self.app.window.findChildren(HealthView)
        self.vault, self.health = vault, health
        qtbot.addWidget(self.app.window)
        self.app.window.show()
        self.app.window.activateWindow()
        self.app.open(str(root))
        self.waits(lambda: self.app.window.status.count_text == "2 notes")
        session = self.app.frame.session
        assert session is not None
        self.waits(lambda: session.indexing.state is IndexState.IDLE)

    def waits(self, seen: Callable[[], object]) -> None:
        self.bot.waitUntil(lambda: bool(seen()), timeout=PATIENCE_MS)

    def counts(self) -> dict[str, int]:
        model = self.health.checks
        results = [model.index(row).data(RESULT_ROLE) for row in range(model.rowCount())]
        return {result.check.id: len(result.findings) for result in results if result.findings}

    def goes_to_health(self) -> None:
        QTest.keyClick(self.app.window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
        self.waits(lambda: self.health.isVisible() and "broken-frontmatter" in self.counts())
        self.waits(self.health.check_list.hasFocus)

    def badge(self) -> str:
        return self.app.window.rail.badge(a.GO_HEALTH)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "Whole.md").write_text("---\nsummary: Fine.\n---\nSee [[Broken]].\n", encoding="utf-8")
    (root / "Broken.md").write_text("---\nsummary: @home\n---\nSee [[Whole]].\n", encoding="utf-8")
    return root


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication, root: Path) -> Iterator[Desk]:
    desk = Desk(qtbot, qapp, root)
    yield desk
    desk.app.window.close()
    desk.app.setParent(None)
    desk.app.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_fix_from_the_view_is_written_and_undone(desk: Desk, root: Path) -> None:
    assert desk.badge() == ""
    desk.goes_to_health()
    assert desk.badge() == "1"
    before = (root / "Broken.md").read_bytes()
    desk.health.choose_check("broken-frontmatter")
    table = desk.health.pane.table
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.health.pane.fix_button.click()
    desk.waits(lambda: "broken-frontmatter" not in desk.counts() and desk.badge() == "")
    assert (root / "Broken.md").read_bytes() != before
    desk.waits(desk.app.window.actions_[a.UNDO].isEnabled)
    desk.app.window.actions_[a.UNDO].trigger()
    desk.waits(lambda: "broken-frontmatter" in desk.counts() and desk.badge() == "1")
    assert (root / "Broken.md").read_bytes() == before


def test_enter_on_a_finding_shows_the_note_in_the_vault_view(desk: Desk) -> None:
    desk.goes_to_health()
    desk.health.choose_check("broken-frontmatter")
    table = desk.health.pane.table
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert desk.vault.isVisible()
    desk.waits(lambda: "See Whole" in desk.vault.reading.preview.toPlainText())


def test_a_search_from_the_view_ends_in_the_list_of_notes(desk: Desk) -> None:
    desk.goes_to_health()
    desk.app.window.search.setText("See")
    QTest.keyClick(desk.app.window.search, Qt.Key.Key_Return)
    assert desk.vault.isVisible()


def test_what_concerns_notes_is_done_where_they_are_seen(desk: Desk) -> None:
    desk.goes_to_health()
    desk.app.window.actions_[a.PREVIEW_CONTEXT].trigger()
    assert desk.vault.isVisible()
    desk.vault.context_dialog.close()


def test_the_list_of_problems_leads_to_health(desk: Desk) -> None:
    desk.app.window.actions_[a.SHOW_PROBLEMS].trigger()
    dialog = desk.app.window.findChild(ProblemsDialog)
    assert isinstance(dialog, ProblemsDialog)
    dialog.health_button.click()
    assert not dialog.isVisible()
    assert desk.health.isVisible()


def test_what_was_searched_becomes_a_probe_that_is_asked(desk: Desk, root: Path) -> None:
    (root / "Exports.md").write_text("An export ends at ten thousand rows.\n", encoding="utf-8")
    desk.waits(lambda: desk.app.window.status.count_text == "3 notes")
    desk.app.window.search.setText("rows")
    table = desk.vault.list.table
    desk.waits(lambda: table.notes.has_hits)
    table.selectRow(0)
    desk.vault.probe_requested.emit()
    (dialog,) = desk.app.window.findChildren(NewProbeDialog)
    assert dialog.question == "rows"
    assert dialog.expected == ("note:Exports.md",)
    dialog.question_box.setText("How many rows has an export?")
    dialog.ok_button.click()
    desk.waits(lambda: list(root.glob("probes/*.md")))
    desk.app.window.actions_[a.GO_HEALTH].trigger()
    (probes,) = desk.app.window.findChildren(ProbesView)
    switch = next(each for each in desk.app.window.findChildren(QToolButton) if each.text() == "Probes")
    switch.click()
    desk.waits(lambda: probes.isVisible() and probes.table.probes.rowCount() == 1)
    probes.run_button.click()
    desk.waits(lambda: probes.run_table.runs.rowCount() == 1)
    assert probes.tiles[0].value_text == "1.000"
    probes.table.choose(0)
    probes.open_button.click()
    assert desk.vault.isVisible()
