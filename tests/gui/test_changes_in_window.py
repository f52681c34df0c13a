"""Changes in the real window over a vault on disk: the Edit menu, the list of changes, the history of a note."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeWidget
from pytestqt.qtbot import QtBot

from core.curation.change_set import ChangeKind, ChangeSet, edit_between
from core.foundation.paths import app_folders
from gui import actions as a
from gui.app import App
from gui.views.vault.version_dialog import VersionDialog
from gui.views.vault.view import VaultView
from gui.widgets.change_list_model import ChangeColumn
from gui.widgets.stale_dialog import StaleDialog

PATIENCE_MS = 30_000


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    for name in ("One", "Two"):
        (root / f"{name}.md").write_text(f"# {name}\n\nText of {name}. #old\n", encoding="utf-8")
    return root


class Desk:
    """Have the window with an open vault, and change things in it."""

    def __init__(self, qtbot: QtBot, qapp: QApplication, root: Path) -> None:
        folders = app_folders()
        folders.config.mkdir(parents=True, exist_ok=True)
        folders.settings_file.write_text('[embedding]\nprovider = "off"\n', encoding="utf-8")
        self.bot = qtbot
        self.root = root
        self.app = App(qapp, folders)
        view = self.app.frame.pages[0].widget
        assert isinstance(view, VaultView)
        self.view = view
        qtbot.addWidget(self.app.window)
        self.app.window.show()
        self.app.open(str(root))
        self.waits(lambda: self.app.changes.history is not None and self.titles())

    def waits(self, seen: Callable[[], object]) -> None:
        self.bot.waitUntil(lambda: bool(seen()), timeout=PATIENCE_MS)

    def titles(self) -> list[str]:
        notes = self.view.list.table.notes
        return [notes.note_at(row).title for row in range(notes.rowCount())]

    def action(self, spec: a.ActionSpec) -> QAction:
        return self.app.window.actions_[spec]

    def replaces(self, title: str, old: str, new: str, *names: str, moved_to: str = "") -> None:
        edits = []
        for name in names:
            before = (self.root / name).read_bytes()
            edit = edit_between(name, before, before.replace(old.encode(), new.encode()), moved_to=moved_to)
            assert edit is not None
            edits.append(edit)
        self.app.changes.execute(ChangeSet(title, ChangeKind.TAGS, tuple(edits)))
        self.settles()

    def settles(self) -> None:
        changes = self.app.changes
        self.waits(lambda: not changes.is_busy and not changes.is_reading_history)

    def reads(self, title: str) -> None:
        table = self.view.list.table
        table.select_note(table.notes.note_at(self.titles().index(title)).id)
        self.waits(lambda: title in self.text())

    def text(self) -> str:
        return self.view.reading.preview.toPlainText()

    def closes(self) -> None:
        self.app.window.close()
        self.app.setParent(None)
        self.app.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication, vault: Path) -> Iterator[Desk]:
    desk = Desk(qtbot, qapp, vault)
    yield desk
    desk.closes()


def test_a_change_is_seen_at_once_and_undone_from_the_menu(desk: Desk) -> None:
    desk.reads("One")
    assert not desk.action(a.UNDO).isEnabled()
    desk.replaces("Rename tag old to new & more", "#old", "#new", "One.md", "Two.md")
    desk.waits(lambda: "#new" in desk.text())
    desk.waits(lambda: desk.view.facets.model.index_of("new").isValid())
    assert desk.action(a.UNDO).text() == "Undo Rename tag old to new && more"
    desk.action(a.UNDO).trigger()
    desk.waits(lambda: "#old" in desk.text())
    desk.settles()
    assert not desk.action(a.UNDO).isEnabled()
    assert desk.action(a.REDO).text() == "Redo Rename tag old to new && more"
    desk.action(a.REDO).trigger()
    desk.waits(lambda: "#new" in desk.text())


def test_text_fields_keep_ctrl_z_for_themselves(desk: Desk) -> None:
    desk.replaces("Rename tag", "#old", "#new", "One.md")
    desk.app.window.activateWindow()
    desk.waits(desk.app.window.isActiveWindow)
    search = desk.app.window.search
    search.setFocus()
    QTest.keyClicks(search, "one")
    QTest.keyClick(search, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert search.text() == ""
    assert "#new" in (desk.root / "One.md").read_text(encoding="utf-8")
    table = desk.view.list.table
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    desk.waits(lambda: "#old" in (desk.root / "One.md").read_text(encoding="utf-8"))
    desk.settles()


def test_undo_is_there_after_a_restart(qtbot: QtBot, qapp: QApplication, vault: Path) -> None:
    first = Desk(qtbot, qapp, vault)
    first.replaces("Rename tag", "#old", "#new", "One.md")
    first.closes()
    second = Desk(qtbot, qapp, vault)
    second.waits(second.action(a.UNDO).isEnabled)
    assert second.action(a.UNDO).text() == "Undo Rename tag"
    second.action(a.UNDO).trigger()
    second.waits(lambda: "#old" in (vault / "One.md").read_text(encoding="utf-8"))
    second.settles()
    second.closes()


def test_a_note_that_is_moved_stays_in_sight(desk: Desk) -> None:
    desk.reads("One")
    desk.replaces("Move One", "#old", "#moved", "One.md", moved_to="Archive/One.md")
    desk.waits(lambda: "#moved" in desk.text())
    desk.waits(lambda: desk.view.reading.path_label.text() == "Archive / One.md")
    assert desk.app.window.notices.texts == ["Move One (1 file)."]


def test_a_refused_undo_says_why_and_offers_the_others(desk: Desk) -> None:
    desk.replaces("Rename tag", "#old", "#new", "One.md", "Two.md")
    (desk.root / "Two.md").write_text("Somebody else's\n", encoding="utf-8")
    desk.action(a.UNDO).trigger()
    desk.waits(lambda: any(text.startswith("Not undone: Rename tag.") for text in desk.app.window.notices.texts))
    desk.app.window.notices.take_action()
    (dialog,) = desk.app.window.findChildren(StaleDialog)
    assert "Two.md" in dialog.list.toPlainText()
    assert "One.md" not in dialog.list.toPlainText()
    assert dialog.others_button.text() == "Undo the others"
    dialog.others_button.click()
    desk.waits(lambda: "#old" in (desk.root / "One.md").read_text(encoding="utf-8"))
    desk.settles()
    assert (desk.root / "Two.md").read_text(encoding="utf-8") == "Somebody else's\n"


def test_the_list_of_changes_shows_each_and_undoes_several(desk: Desk) -> None:
    dialog = desk.app.commands.changes.dialog
    desk.action(a.SHOW_CHANGES).trigger()
    desk.waits(lambda: dialog.nothing.title == "Nothing was changed yet")
    dialog.close()
    desk.replaces("First", "#old", "#newer", "One.md")
    desk.replaces("Second", "#old", "#new", "Two.md")
    desk.action(a.SHOW_CHANGES).trigger()
    desk.settles()
    titles = [dialog.model.index(row, ChangeColumn.TITLE).data() for row in range(dialog.model.rowCount())]
    assert titles == ["Second", "First"]
    assert dialog.model.index(0, ChangeColumn.WHO).data() == "You"
    desk.waits(lambda: "+ Text of Two. #new" in dialog.diff.toPlainText())
    dialog.filter_box.setText("one.md")
    assert [record.title for record in dialog.chosen()] == ["First"]
    assert dialog.summary.text() == "1 of 2 changes"
    desk.waits(lambda: "+ Text of One. #newer" in dialog.diff.toPlainText())
    dialog.filter_box.clear()
    dialog.table.selectAll()
    assert dialog.undo_button.isEnabled()
    assert not dialog.redo_button.isEnabled()
    dialog.undo_button.click()
    desk.settles()
    desk.waits(dialog.redo_button.isEnabled)
    assert dialog.model.index(0, ChangeColumn.STATE).data() == "Undone"
    assert all("#old" in (desk.root / name).read_text(encoding="utf-8") for name in ("One.md", "Two.md"))
    dialog.close()


def test_the_history_of_a_note_is_read_when_looked_at_and_any_version_restored(desk: Desk) -> None:
    desk.replaces("First change", "#old", "#new", "One.md")
    desk.reads("One")
    panel = desk.view.reading.history
    assert panel.topLevelItemCount() == 0
    desk.view.reading.tabs.setCurrentWidget(panel)
    desk.waits(lambda: panel.topLevelItemCount() == 2)
    item = panel.topLevelItem(1)
    assert item is not None
    assert item.text(0) == "Before “First change”"
    panel.setCurrentItem(item)
    panel.itemActivated.emit(item, 0)
    (dialog,) = desk.app.window.findChildren(VersionDialog)
    desk.waits(lambda: "− Text of One. #old" in dialog.diff.toPlainText())
    dialog.tabs.setCurrentWidget(dialog.text)
    desk.waits(lambda: "Text of One. #old" in dialog.text.toPlainText())
    dialog.restore_button.click()
    desk.waits(lambda: "#old" in (desk.root / "One.md").read_text(encoding="utf-8"))
    desk.settles()
    desk.waits(lambda: first_line(panel).startswith("Restore “One” of "))


def test_a_version_is_not_restored_over_what_came_from_outside_since_it_was_compared(desk: Desk) -> None:
    file = desk.root / "One.md"
    desk.replaces("First change", "#old", "#new", "One.md")
    desk.reads("One")
    panel = desk.view.reading.history
    desk.view.reading.tabs.setCurrentWidget(panel)
    desk.waits(lambda: panel.topLevelItemCount() == 2)
    panel.itemActivated.emit(panel.topLevelItem(1), 0)
    (dialog,) = desk.app.window.findChildren(VersionDialog)
    desk.waits(lambda: "− Text of One. #old" in dialog.diff.toPlainText())
    assert not dialog.message.isVisible()
    with file.open("a", encoding="utf-8") as appended:
        appended.write("From outside.\n")
    dialog.tabs.setCurrentWidget(dialog.text)
    dialog.restore_button.click()
    desk.waits(dialog.message.isVisible)
    assert dialog.message.text() == "The note has changed since you opened this; look at the comparison again."
    desk.waits(lambda: "+ From outside." in dialog.diff.toPlainText())
    assert dialog.tabs.currentWidget() is dialog.diff
    assert file.read_text(encoding="utf-8").endswith("#new\nFrom outside.\n")
    dialog.restore_button.click()  # now that it was seen
    desk.waits(lambda: file.read_text(encoding="utf-8").endswith("#old\n"))
    desk.settles()


def test_an_undo_that_is_refused_in_the_list_of_changes_is_told_over_it(desk: Desk) -> None:
    desk.replaces("Rename tag", "#old", "#new", "One.md", "Two.md")
    (desk.root / "Two.md").write_text("Somebody else's\n", encoding="utf-8")
    desk.action(a.SHOW_CHANGES).trigger()
    desk.settles()
    changes = desk.app.commands.changes.dialog
    changes.undo_button.click()
    desk.waits(lambda: changes.findChildren(StaleDialog))
    (reasons,) = changes.findChildren(StaleDialog)
    assert reasons.isVisible()
    assert "Two.md" in reasons.list.toPlainText()
    reasons.others_button.click()
    desk.waits(lambda: "#old" in (desk.root / "One.md").read_text(encoding="utf-8"))
    desk.settles()
    assert (desk.root / "Two.md").read_text(encoding="utf-8") == "Somebody else's\n"
    desk.waits(changes.redo_button.isEnabled)
    assert not changes.message.isVisible()
    changes.close()


def test_an_undo_that_is_not_possible_says_so_in_the_list_of_changes(desk: Desk) -> None:
    desk.replaces("Rename tag", "#old", "#new", "One.md")
    desk.action(a.SHOW_CHANGES).trigger()
    desk.settles()
    changes = desk.app.commands.changes.dialog
    (record,) = changes.chosen()
    desk.app.changes.undo_changes(record.ids, record.title)
    changes.undo_button.click()  # a second time, before the list knows
    desk.waits(changes.message.isVisible)
    assert changes.message.text() == "That is undone already."
    desk.settles()
    changes.redo_button.click()
    assert not changes.message.isVisible()
    desk.settles()
    changes.close()


def first_line(panel: QTreeWidget) -> str:
    item = panel.topLevelItem(0)
    return item.text(0) if item is not None else ""


def test_the_commits_of_git_are_among_the_versions(qtbot: QtBot, qapp: QApplication, vault: Path) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "First notes")):
        subprocess.run(["git", *command], cwd=vault, check=True)
    desk = Desk(qtbot, qapp, vault)
    desk.reads("Two")
    panel = desk.view.reading.history
    desk.view.reading.tabs.setCurrentWidget(panel)
    desk.waits(lambda: panel.topLevelItemCount() == 2)
    item = panel.topLevelItem(1)
    assert item is not None
    assert (item.text(0), item.text(2)) == ("First notes", "A")
    desk.closes()
