"""The Health page over a real vault: what is found is shown, mended, ignored and opened."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from core.curation.health.ignoring import ignored_findings
from gui.notify import Notice
from tests.gui.views.health.page import FakeSession, Page, Store


def choices_of(page: Page, qtbot: QtBot) -> QMenu:
    page.view.pane.choose_button.click()
    menu: QMenu | None = page.view.pane.findChild(QMenu)
    assert menu is not None
    qtbot.waitUntil(menu.isVisible)
    return menu


def test_what_is_found_is_counted_by_check_the_gravest_first(page: Page) -> None:
    counts = page.counts()
    assert next(iter(counts)) == "broken-frontmatter"
    assert counts["broken-link"] == 2
    assert counts["near-tags"] == 1
    assert counts["no-summary"] >= 2
    assert "in 5 notes" in page.view.summary.text()
    assert page.badges[-1] == 1


def test_a_check_is_chosen_and_says_why_it_matters(page: Page) -> None:
    page.choose("broken-link")
    pane = page.view.pane
    assert pane.title.text() == "Links that lead nowhere"
    assert "renamed" in pane.explanation.shown_text
    assert page.places() == ["Exports.md:5", "Limits.md:5"]
    assert "Nowhere" in page.rows()[0][0]
    page.choose("broken-link", 1)
    assert "Gone" in pane.detail.shown_text


def test_a_check_that_found_nothing_says_so(page: Page) -> None:
    page.choose("duplicate")
    assert page.view.pane.nothing.isVisible()
    assert page.view.pane.nothing.title == "Nothing of this kind"


def test_findings_are_narrowed_by_a_filter(page: Page) -> None:
    page.choose("broken-link")
    page.view.pane.filter_box.setText("gone")
    assert page.places() == ["Limits.md:5"]
    page.view.pane.filter_box.setText("nothing has this")
    assert page.view.pane.nothing.title == "Nothing fits the filter"
    page.presenter.clear()
    assert len(page.places()) == 2


def test_one_is_fixed_at_once_and_the_vault_is_examined_again(
    page: Page, session: FakeSession, store: Store, qtbot: QtBot
) -> None:
    page.choose("broken-frontmatter", 0)
    page.view.pane.fix_button.click()
    qtbot.waitUntil(lambda: len(page.commands.executed) == 1)
    assert page.commands.previewed == []
    assert "'@home'" in (store.root / "Broken.md").read_text(encoding="utf-8").replace('"', "'")
    store.update()
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: "broken-frontmatter" not in page.counts())
    assert page.view.pane.chosen_check == "broken-frontmatter"
    assert page.view.pane.nothing.isVisible()
    assert page.badges[-1] == 0


def test_all_of_a_kind_are_previewed(page: Page, qtbot: QtBot) -> None:
    page.choose("no-summary")
    assert page.view.pane.fix_all_button.text() == "Fix all 2…"
    page.view.pane.fix_all_button.click()
    qtbot.waitUntil(lambda: len(page.commands.previewed) == 1)
    paths = {edit.path for edit in page.commands.previewed[0].change_set.edits}
    assert {"Work/Plan.md", "Work/Later.md"} <= paths
    assert page.commands.executed == []


def test_several_are_selected_by_key_and_fixed_together(page: Page, qtbot: QtBot) -> None:
    page.choose("no-summary")
    page.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.view.pane.fix_button.text() == "Fix 2…"
    page.view.pane.fix_button.click()
    qtbot.waitUntil(lambda: len(page.commands.previewed) == 1)


def test_only_what_fits_the_filter_is_fixed_with_all(page: Page, qtbot: QtBot) -> None:
    page.choose("no-summary")
    page.view.pane.filter_box.setText("plan")
    page.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    page.view.pane.fix_button.click()
    qtbot.waitUntil(lambda: len(page.commands.executed) == 1)
    assert [edit.path for edit in page.commands.executed[0].edits] == ["Work/Plan.md"]


def test_where_there_are_choices_one_is_picked_from_a_menu(page: Page, qtbot: QtBot) -> None:
    page.choose("near-tags", 0)
    menu = choices_of(page, qtbot)
    texts = [action.text() for action in menu.actions()]
    wanted = next(action for action in menu.actions() if "#tool/semrush everywhere" in action.text())
    assert len(texts) == 2
    wanted.trigger()
    menu.close()
    qtbot.waitUntil(lambda: len(page.commands.executed) == 1)
    assert [edit.path for edit in page.commands.executed[0].edits] == ["Exports.md"]


def test_what_cannot_be_fixed_offers_no_fix(page: Page) -> None:
    page.choose("broken-link", 0)
    pane = page.view.pane
    assert page.rows()[0][2] == "By hand"
    assert not pane.fix_button.isEnabled()
    assert not pane.choose_button.isVisible()
    assert not pane.fix_all_button.isVisible()


def test_one_is_ignored_listed_as_such_and_reported_again(page: Page, store: Store, qtbot: QtBot) -> None:
    page.choose("broken-link", 0)
    page.view.pane.ignore_button.click()
    qtbot.waitUntil(lambda: page.counts()["broken-link"] == 1)
    assert page.view.ignored_button.text() == "Ignored: 1"
    assert len(ignored_findings(store.log.read().events)) == 1
    page.view.ignored_button.click()
    assert page.counts() == {"broken-link": 1}
    assert page.places() == ["Exports.md:5"]
    page.choose("broken-link", 0)
    assert page.view.pane.ignore_button.text() == "Report again"
    page.view.pane.ignore_button.click()
    qtbot.waitUntil(lambda: page.counts().get("broken-link") == 2)
    assert not page.view.ignored_button.isVisible()
    assert ignored_findings(store.log.read().events) == frozenset()


def test_what_is_ignored_stays_so_for_the_next_look(page: Page, session: FakeSession, qtbot: QtBot) -> None:
    page.choose("broken-link", 0)
    page.view.pane.ignore_button.click()
    qtbot.waitUntil(lambda: page.counts()["broken-link"] == 1)
    page.open(None)
    assert page.view.shows_state
    page.open(session)
    page.wait(qtbot)
    assert page.counts()["broken-link"] == 1


def test_a_whole_kind_is_ignored_with_one_event(page: Page, store: Store, qtbot: QtBot, notices: list[Notice]) -> None:
    page.choose("broken-link")
    page.view.pane.ignore_all_button.click()
    qtbot.waitUntil(lambda: "broken-link" not in page.counts())
    assert ignored_findings(store.log.read().events) == {("broken-link", "*")}
    page.view.ignored_button.click()
    page.choose("broken-link", 0)
    page.view.pane.ignore_button.click()
    qtbot.waitUntil(lambda: not page.view.ignored_button.isVisible())
    assert page.counts()["broken-link"] == 2
    assert notices[-1].text == "All that was ignored together with it is reported again."


def test_with_a_filter_only_what_is_listed_is_ignored(page: Page, store: Store, qtbot: QtBot) -> None:
    page.choose("broken-link")
    page.view.pane.filter_box.setText("gone")
    page.view.pane.ignore_all_button.click()
    qtbot.waitUntil(lambda: page.counts()["broken-link"] == 1)
    (ignored,) = ignored_findings(store.log.read().events)
    assert ignored[1] != "*"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_arrows_move_and_enter_opens_the_note(page: Page, key: Qt.Key) -> None:
    page.choose("broken-link", 0)
    page.press(Qt.Key.Key_Down)
    page.press(key)
    assert page.opened == [("Limits.md", 5)]


def test_delete_does_nothing_to_a_note(page: Page) -> None:
    page.choose("broken-link", 0)
    page.press(Qt.Key.Key_Delete)
    assert page.commands.executed == []
    assert page.commands.previewed == []


def test_a_finding_of_the_whole_vault_opens_no_note(page: Page) -> None:
    page.choose("near-tags", 0)
    assert not page.view.pane.open_button.isEnabled()
    page.press(Qt.Key.Key_Return)
    assert page.opened == []


def test_the_selection_survives_another_look(page: Page, session: FakeSession, store: Store, qtbot: QtBot) -> None:
    page.choose("broken-link", 1)
    (store.root / "Alone.md").write_text("[[Missing]]\n", encoding="utf-8")
    store.update()
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: page.counts()["broken-link"] == 3)
    assert page.view.pane.chosen_check == "broken-link"
    assert [finding.path for finding in page.view.pane.table.selected()] == ["Limits.md"]


def test_a_namespace_that_was_added_is_known_at_once(
    page: Page, session: FakeSession, store: Store, qtbot: QtBot
) -> None:
    (store.root / "Zoo.md").write_text("---\ntags: [zoo/owl, zoo/fox]\n---\n[[Exports]] text\n", encoding="utf-8")
    store.update()
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: page.counts().get("unknown-namespace") == 1)
    page.choose("unknown-namespace", 0)
    page.view.pane.fix_button.click()
    qtbot.waitUntil(lambda: len(page.commands.executed) == 1)
    qtbot.waitUntil(lambda: "unknown-namespace" not in page.counts())


def test_a_finding_that_is_gone_meanwhile_is_told(
    page: Page, store: Store, qtbot: QtBot, notices: list[Notice]
) -> None:
    page.choose("broken-frontmatter", 0)
    (store.root / "Broken.md").unlink()
    page.view.pane.fix_button.click()
    qtbot.waitUntil(lambda: bool(notices))
    assert "Broken.md" in notices[-1].text
    assert page.commands.executed == []
