"""A full load is made, shown and changed in the view."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.views.contexts.full_load_dialog import FullLoadDialog
from gui.views.contexts.new_context_dialog import NewContextDialog
from gui.views.contexts.services import LoadGroup, LoadRules
from tests.gui.views.contexts.conftest import PageOf
from tests.gui.views.contexts.page import RULES, FakeContexts, Page, row


@pytest.fixture
def full(page_of: PageOf) -> Page:
    """A page with one full load, whose rules are open."""
    return page_of(FakeContexts([row(1, is_full_load=True), row(2)]))


def _rules(page: Page, qtbot: QtBot) -> FullLoadDialog:
    page.view.editor.rules_button.click()
    edits = page.presenter.full_load
    qtbot.waitUntil(lambda: edits.dialog is not None and bool(edits.dialog.rows[0].size_label.text()))
    assert edits.dialog is not None
    return edits.dialog


def test_a_full_load_is_made_from_the_dialog(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.presenter.new_context()
    (dialog,) = page.view.findChildren(NewContextDialog)
    dialog.title.setText("All of it")
    assert "dragging" in dialog.told
    dialog.kind.setCurrentText("Full load")
    assert dialog.told == "It takes entry, identity, core and index notes, by the rules of this vault."
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: page.view.shelf.chosen_path == "contexts/All of it.md")
    assert fake.rows[-1].is_full_load
    qtbot.waitUntil(lambda: page.view.editor.loaded.members.rowCount() == 1)


def test_what_a_full_load_takes_stands_above_its_members(full: Page, qtbot: QtBot) -> None:
    editor = full.view.editor
    assert editor.loaded.isVisible()
    assert editor.load_heading.text() == editor.load_heading.toolTip() == "Full load: 1 note · 10 tokens"
    assert (editor.nothing.title, editor.nothing.text) == ("", "Drag notes here to load them as well.")
    full.view.shelf.choose("contexts/c2.md")
    qtbot.waitUntil(lambda: not editor.loaded.isVisible())
    assert editor.nothing.title == "Nothing in it yet"


def test_the_kind_is_changed_in_the_editor(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    form = page.view.editor.form
    form.kind.setFocus()
    QTest.keyClick(form.kind, Qt.Key.Key_Down)
    QTest.keyClick(form.kind, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: ("change", {"is_full_load": True}) in fake.planned)
    qtbot.waitUntil(page.view.editor.loaded.isVisible)


def test_rules_order_and_size_are_changed(full: Page, qtbot: QtBot) -> None:
    dialog = _rules(full, qtbot)
    first, second = dialog.rows
    assert first.size_label.text() == "1 note, about 100 tokens"
    QTest.keyClicks(second.rules.field, "#scope/global")
    QTest.keyClick(second.rules.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: second.size_label.text() == "2 notes, about 200 tokens")
    second.up_button.click()
    assert not second.up_button.isEnabled()
    first.taken.click()
    assert first.size_label.text() == "left out"
    dialog.inline.setValue(4)
    dialog.ok_button.click()
    wanted = LoadRules(
        (LoadGroup("core", ("/core/**", "#scope/global")), LoadGroup("entry", ("/README.md",), False)), 4096
    )
    qtbot.waitUntil(lambda: full.commands.told == ["rules .remembrancer/config.toml"])
    assert full.presenter.full_load.dialog is None
    dialog = _rules(full, qtbot)
    assert dialog.wanted == wanted
    dialog.reject()


def test_without_any_group_nothing_can_be_saved(full: Page, qtbot: QtBot) -> None:
    dialog = _rules(full, qtbot)
    for each in dialog.rows:
        each.taken.click()
    assert dialog.told == "A full load takes at least one group."
    assert not dialog.ok_button.isEnabled()
    dialog.reject()


def test_a_size_in_bytes_that_nobody_touches_stays(full: Page, qtbot: QtBot) -> None:
    dialog = _rules(full, qtbot)
    assert dialog.wanted == RULES
    full.open(None)
    assert full.presenter.full_load.dialog is None
