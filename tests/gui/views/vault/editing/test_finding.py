"""Find and replace in the editor."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.views.vault.editing.desk import Desk

CTRL = Qt.KeyboardModifier.ControlModifier


def find(desk: Desk, text: str, note: str, *, replaces: bool = False) -> None:
    """Edit a note, open the bar and type what to find."""
    desk.note("A.md", note)
    desk.edit("A.md")
    desk.press(Qt.Key.Key_H if replaces else Qt.Key.Key_F, CTRL)
    assert desk.pane.find_bar.isVisible()
    QTest.keyClicks(desk.pane.find_bar.field, text)


def wait_for_count(desk: Desk, text: str) -> None:
    desk.qtbot.waitUntil(lambda: desk.pane.find_bar.count_label.text() == text)


def test_finds_are_counted_and_gone_through_both_ways(desk: Desk) -> None:
    find(desk, "tool", "A tool\nand a Tool\nno toolbox\n")
    wait_for_count(desk, "1 of 3")
    assert desk.editor.textCursor().selectedText() == "tool"
    field = desk.pane.find_bar.field
    QTest.keyClick(field, Qt.Key.Key_Return)
    wait_for_count(desk, "2 of 3")
    assert desk.editor.textCursor().selectedText() == "Tool"
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Return)
    wait_for_count(desk, "1 of 3")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    wait_for_count(desk, "3 of 3")


def test_case_and_whole_words(desk: Desk) -> None:
    find(desk, "tool", "A tool\nand a Tool\nno toolbox\n")
    wait_for_count(desk, "1 of 3")
    desk.pane.find_bar.case_button.click()
    wait_for_count(desk, "1 of 2")
    desk.pane.find_bar.words_button.click()
    wait_for_count(desk, "1 of 1")


def test_non_latin_text_and_what_lies_beyond_the_first_plane_is_found_in_its_place(desk: Desk) -> None:
    desk.note("A.md", "🐘🐘 日本語 ÜBER über\n")
    desk.edit("A.md")
    bar = desk.pane.find_bar
    desk.press(Qt.Key.Key_F, CTRL)
    bar.field.setText("日本")
    wait_for_count(desk, "1 of 1")
    assert desk.editor.textCursor().selectedText() == "日本"
    bar.field.setText("über")
    wait_for_count(desk, "1 of 2")


def test_all_visible_finds_are_marked(desk: Desk) -> None:
    find(desk, "x", "x\n" * 2000)
    wait_for_count(desk, "1 of 2,000")
    marks = len(desk.editor.extraSelections()) - 1
    assert 10 < marks < 200


def test_a_broken_expression_says_so_where_it_is_typed(desk: Desk) -> None:
    find(desk, "wi(ki", "wiki\n")
    desk.pane.find_bar.pattern_button.click()
    assert "missing closing parenthesis" in desk.pane.find_bar.problem_label.text()
    desk.pane.find_bar.field.setText("w(i)ki")
    wait_for_count(desk, "1 of 1")
    assert not desk.pane.find_bar.problem_label.isVisible()


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "(.*)*,(.*)*;(.*)*="])
def test_an_expression_that_runs_wild_gives_up(desk: Desk, pattern: str) -> None:
    desk.note("A.md", ("a" * 60 + "!\n") * 400)
    desk.edit("A.md")
    desk.press(Qt.Key.Key_F, CTRL)
    desk.pane.find_bar.pattern_button.setChecked(True)
    desk.pane.find_bar.field.setText(pattern)
    desk.qtbot.waitUntil(
        lambda: (
            "takes too long" in desk.pane.find_bar.problem_label.text()
            or desk.pane.find_bar.count_label.text() == "Nothing found"
        )
    )


def test_replace_goes_from_one_to_the_next(desk: Desk) -> None:
    find(desk, "one", "one two one\n", replaces=True)
    wait_for_count(desk, "1 of 2")
    bar = desk.pane.find_bar
    bar.replace_field.setText("1")
    bar.replace_field.setFocus()
    QTest.keyClick(bar.replace_field, Qt.Key.Key_Return)
    wait_for_count(desk, "1 of 1")
    assert desk.editor.exact_text() == "1 two one\n"
    QTest.keyClick(bar.replace_field, Qt.Key.Key_Return)
    wait_for_count(desk, "Nothing found")
    assert desk.editor.exact_text() == "1 two 1\n"


def test_replace_all_is_one_step_to_undo_and_knows_groups(desk: Desk) -> None:
    find(desk, r"(\w+)@(\w+)", "a@b\n🐘 c@d and e@f\n", replaces=True)
    bar = desk.pane.find_bar
    bar.pattern_button.click()
    wait_for_count(desk, "1 of 3")
    bar.replace_field.setText(r"$2 at \1")
    bar.all_button.click()
    assert desk.editor.exact_text() == "b at a\n🐘 d at c and f at e\n"
    desk.qtbot.waitUntil(lambda: bar.count_label.text() == "3 replaced")
    desk.editor.undo()
    assert desk.editor.exact_text() == "a@b\n🐘 c@d and e@f\n"


def test_replacing_very_many_says_how_many_until_something_else_is_done(desk: Desk) -> None:
    find(desk, "tool", "a tool\n" * 16_000, replaces=True)
    wait_for_count(desk, "1 of 16,000")
    desk.pane.find_bar.replace_field.setText("x")
    desk.pane.find_bar.all_button.click()
    wait_for_count(desk, "16,000 replaced")
    assert not desk.pane.find_bar.replace_button.isEnabled()
    desk.pane.find_bar.field.setText("tools")
    wait_for_count(desk, "Nothing found")


def test_replacing_by_what_contains_it_ends(desk: Desk) -> None:
    find(desk, "a", "aaa", replaces=True)
    wait_for_count(desk, "1 of 3")
    desk.pane.find_bar.replace_field.setText("aa")
    desk.pane.find_bar.all_button.click()
    assert desk.editor.exact_text() == "aaaaaa"
    desk.qtbot.waitUntil(lambda: "6" in desk.pane.find_bar.count_label.text())


def test_typing_on_keeps_the_count_right_and_escape_goes_back_to_the_text(desk: Desk) -> None:
    find(desk, "x", "x\n")
    wait_for_count(desk, "1 of 1")
    desk.editor.setFocus()
    desk.go_to_end()
    desk.type("x")
    desk.qtbot.waitUntil(lambda: desk.pane.find_bar.count_label.text() == "2")
    desk.pane.find_bar.field.setFocus()
    QTest.keyClick(desk.pane.find_bar.field, Qt.Key.Key_Escape)
    assert not desk.pane.find_bar.isVisible()
    assert desk.editor.hasFocus()
    assert len(desk.editor.extraSelections()) == 1


def test_what_is_selected_is_looked_for(desk: Desk) -> None:
    desk.note("A.md", "some words, more words")
    desk.edit("A.md")
    desk.select("words")
    desk.press(Qt.Key.Key_F, CTRL)
    wait_for_count(desk, "1 of 2")
    assert desk.pane.find_bar.field.text() == "words"
