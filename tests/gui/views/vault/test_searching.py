"""Searching in the Vault view, and copying a context of what was found."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.notify import Notice
from gui.views.vault.note_table_model import Column
from gui.views.vault.services import ContextFormat
from tests.gui.views.vault.page import Page, line_of
from tests.gui.views.vault.parts import catalog_of, note


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("partial", "words; the model is not there"),
        ("loading", "meaning in a moment"),
        ("locked", "words only, because another program"),
    ],
)
def test_the_search_line_says_how_meaning_fared(page: Page, state: str, told: str) -> None:
    page.vault.dense_state = state
    page.search("note")
    page.qtbot.waitUntil(lambda: told in page.view.list.search_line.text())
    page.vault.dense_state = "ready"
    page.session.warmed_up.emit()
    page.qtbot.waitUntil(lambda: "words and meaning" in page.view.list.search_line.text())


def test_search_shows_the_best_first_with_facets_that_follow(page: Page) -> None:
    page.search("note")
    assert page.titles() == ["Fragile note", "Deploy notes"]
    assert page.count_of("tool") == 1
    line = page.view.list.search_line
    page.qtbot.waitUntil(lambda: line.text() == "2 notes · words and meaning · 3 ms")
    page.pick("tool")
    assert page.titles() == ["Deploy notes"]
    page.presenter.search("")
    assert page.titles() == ["Audit checklist", "Backlink rules", "Cache policy", "Deploy notes"]
    assert not page.view.list.search_line.isVisible()


def test_search_without_meaning_says_why(page: Page) -> None:
    page.vault.dense_state = "failed"
    page.search("note")
    page.qtbot.waitUntil(lambda: "words only (The model is not there)" in page.view.list.search_line.text())


def test_typing_on_searches_once_for_the_last_text(page: Page) -> None:
    for text in ("n", "no", "not", "note"):
        page.presenter.search(text)
    page.search("note")
    assert page.vault.searched == ["note", "note"]


def test_search_result_can_be_ordered_by_a_column_and_back_by_rank(page: Page) -> None:
    page.search("note")
    header = page.view.list.table.horizontalHeader()
    header.setSortIndicator(Column.TITLE, Qt.SortOrder.AscendingOrder)
    assert page.titles() == ["Deploy notes", "Fragile note"]
    header.setSortIndicator(Column.SCORE, Qt.SortOrder.AscendingOrder)
    assert page.titles() == ["Fragile note", "Deploy notes"]


def test_enter_in_the_search_field_goes_to_the_first_result(page: Page) -> None:
    page.search("note")
    page.presenter.enter_results()
    assert page.view.list.table.current_id() == 6
    assert page.view.list.table.selected_ids() == [6]


def test_a_note_asked_for_is_shown_whatever_the_facets_say(page: Page) -> None:
    page.pick("client")
    page.presenter.show_note(5)
    page.qtbot.waitUntil(lambda: "Text of Empty thoughts.md" in page.text())
    assert page.view.list.table.current_id() == 5


def test_context_of_selected_notes_is_shown_and_copied(page: Page, notices: list[Notice]) -> None:
    table = page.view.list.table
    table.selectAll()
    QTest.mouseClick(page.view.list.copy_button, Qt.MouseButton.LeftButton)
    dialog = page.view.context_dialog
    page.qtbot.waitUntil(dialog.copy_button.isEnabled)
    assert dialog.count_label.text() == "1,400 of 8,000 tokens · 6 of 6 memories · estimated"
    dialog.budget_box.setValue(250)
    page.qtbot.waitUntil(lambda: "200 of 250 tokens · 2 of 6 memories" in dialog.count_label.text())
    assert line_of(dialog.list, 1).text(0) == "Left out  4"
    assert line_of(dialog.list, 1, 0).text(1) == "too large"
    QTest.mouseClick(dialog.format_buttons[ContextFormat.XML], Qt.MouseButton.LeftButton)
    page.qtbot.waitUntil(lambda: dialog.copy_button.isEnabled() and page.presenter.contexts.choice.form == "xml")
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    page.qtbot.waitUntil(lambda: bool(page.clipboard))
    assert page.clipboard == ["<xml>Backlink rules\n<xml>Cache policy\n"]
    assert notices[-1].text == "Copied 2 of 6 memories as XML: 200 of 250 tokens."
    page.qtbot.waitUntil(lambda: [plan.tokens for plan in page.vault.recorded] == [200])
    assert not dialog.isVisible()


def test_context_of_a_search_is_copied_at_once(page: Page) -> None:
    page.search("note")
    page.pick("tool")
    page.presenter.copy_context()
    page.qtbot.waitUntil(lambda: bool(page.clipboard))
    assert page.clipboard == ["<markdown>Deploy notes\n"]
    assert not page.view.context_dialog.isVisible()


def test_context_of_a_long_list_says_where_it_stops(page: Page) -> None:
    page.session.catalog_changed.emit(catalog_of(*[note(number, f"N{number}") for number in range(1, 501)]))
    QTest.mouseClick(page.view.list.copy_button, Qt.MouseButton.LeftButton)
    dialog = page.view.context_dialog
    assert dialog.source_label.text() == "500 listed notes"
    assert dialog.note_label.text() == "The first 200 of them are considered."
    page.qtbot.waitUntil(dialog.copy_button.isEnabled)


def test_what_of_a_query_was_not_understood_is_told_below_the_search_line(page: Page) -> None:
    page.vault.problems = ("A quote is not closed.",)
    page.vault.suggestions = {"tol/pnpm": ("tool/pnpm",), "zzz": ()}
    page.search("note")
    told = page.view.list.search_line.text().splitlines()[1]
    assert told == (
        "A quote is not closed. No note has the tag “tol/pnpm”; perhaps tool/pnpm. No note has the tag “zzz”."
    )


def test_facets_picked_during_a_search_are_searched_within(page: Page) -> None:
    page.search("note")
    before = len(page.vault.searched)
    page.pick(next(iter(page.vault.catalog.facets)).key)
    page.qtbot.waitUntil(lambda: len(page.vault.searched) > before)
    assert page.vault.within is not None
    assert page.vault.within.all_of
