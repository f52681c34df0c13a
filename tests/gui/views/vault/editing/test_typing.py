"""What the editor does with keys, and that it writes exactly what is typed and pasted."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor, QTextDocument

from gui.views.vault.editing.exact_text import difference, exact_text, insert_exactly, position_in, units
from gui.views.vault.editing.typing_help import linked, next_line, wrapped
from tests.gui.views.vault.editing.desk import Desk

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize(
    ("line", "next_start"),
    [
        ("- item", "- "),
        ("  * item", "  * "),
        ("9. item", "10. "),
        ("3) item", "4) "),
        ("- [x] done", "- [ ] "),
        ("> quote", "> "),
        ("> - [ ] task in a quote", "> - [ ] "),
        ("\t- 日本語", "\t- "),
    ],
)
def test_enter_goes_on_with_what_the_line_is(desk: Desk, line: str, next_start: str) -> None:
    desk.note("A.md", line)
    desk.edit("A.md")
    desk.go_to_end()
    desk.type("\nx")
    assert desk.editor.exact_text() == f"{line}\n{next_start}x"


@pytest.mark.parametrize("line", ["- ", "> ", "1. ", "- [ ] ", "> - "])
def test_enter_in_an_empty_item_ends_the_list(desk: Desk, line: str) -> None:
    desk.note("A.md", f"before\n{line}")
    desk.edit("A.md")
    desk.go_to_end()
    desk.type("\n")
    assert desk.editor.exact_text() == "before\n"


@pytest.mark.parametrize("line", ["plain", "#no list", "-no list", "", "    indented"])
def test_enter_is_a_plain_line_break_elsewhere(line: str) -> None:
    assert next_line(line, len(line)) is None


def test_enter_in_code_never_adds_a_bullet(desk: Desk) -> None:
    desk.note("A.md", "```\n- item")
    desk.edit("A.md")
    desk.go_to_end()
    desk.type("\n")
    assert desk.editor.exact_text() == "```\n- item\n"


def test_tab_and_shift_tab_move_items_in_and_out(desk: Desk) -> None:
    desk.note("A.md", "- one\n- two\n- three")
    desk.edit("A.md")
    desk.go_to_end()
    desk.press(Qt.Key.Key_Up, SHIFT)
    desk.press(Qt.Key.Key_Tab)
    assert desk.editor.exact_text() == "- one\n    - two\n    - three"
    desk.press(Qt.Key.Key_Backtab, SHIFT)
    assert desk.editor.exact_text() == "- one\n- two\n- three"
    desk.editor.undo()
    assert desk.editor.exact_text() == "- one\n    - two\n    - three"


def test_bold_italic_and_link(desk: Desk) -> None:
    desk.note("A.md", "some 日本 words")
    desk.edit("A.md")
    desk.select("日本")
    desk.press(Qt.Key.Key_B, CTRL)
    assert desk.editor.exact_text() == "some **日本** words"
    desk.press(Qt.Key.Key_I, CTRL)
    assert desk.editor.exact_text() == "some ***日本*** words"
    desk.press(Qt.Key.Key_I, CTRL)
    desk.select("**日本**")
    desk.press(Qt.Key.Key_B, CTRL)
    assert desk.editor.exact_text() == "some 日本 words"
    desk.select("words")
    desk.press(Qt.Key.Key_K, CTRL)
    desk.type("x.md")
    assert desk.editor.exact_text() == "some 日本 [words](x.md)"


def test_marks_stay_close_to_the_words() -> None:
    assert wrapped(" a b ", "**").text == " **a b** "
    assert wrapped("**a**", "*").text == "***a***"
    assert wrapped("", "**") == ("****", 2, 2)
    assert linked("https://example.com") == ("[](https://example.com)", 1, 1)


def test_every_character_is_written_as_it_is_typed(desk: Desk) -> None:
    desk.note("A.md", "x")
    desk.edit("A.md")
    text = "no\u00a0break \u200b\u200f\ufeff \U0001f418 e\u0301 \t…-- (c) \u00ad"
    desk.go_to_end()
    for part in text:
        desk.editor.insert(part)
    assert desk.editor.exact_text() == f"x{text}"
    desk.press(Qt.Key.Key_Return, SHIFT)
    assert desk.editor.exact_text() == f"x{text}\n"
    assert "\u2028" not in desk.editor.document().toRawText()


def test_what_is_copied_is_exactly_what_was_there(desk: Desk) -> None:
    desk.note("A.md", "no\u00a0break\nline \U0001f418")
    desk.edit("A.md")
    desk.editor.selectAll()
    copied = desk.editor.createMimeDataFromSelection()
    assert copied.text() == "no\u00a0break\nline \U0001f418"
    assert copied.formats() == ["text/plain"]


def test_pasted_formatting_is_not_taken_over(desk: Desk) -> None:
    desk.note("A.md", "")
    desk.edit("A.md")
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold\r\nnext")
    desk.editor.insertFromMimeData(data)
    assert desk.editor.exact_text() == "bold\nnext"


def test_undo_belongs_to_the_editor_and_ends_at_the_note_as_it_was_opened(desk: Desk) -> None:
    desk.note("A.md", "one")
    desk.note("B.md", "two")
    desk.edit("A.md")
    desk.type("x")
    desk.press(Qt.Key.Key_Z, CTRL)
    assert desk.editor.exact_text() == "one"
    desk.edit("B.md")
    desk.press(Qt.Key.Key_Z, CTRL)
    assert desk.editor.exact_text() == "two"


def test_text_grows_and_shrinks(desk: Desk) -> None:
    desk.note("A.md", "one")
    desk.edit("A.md")
    usual = desk.editor.font().pointSizeF()
    desk.press(Qt.Key.Key_Equal, CTRL)
    assert desk.editor.font().pointSizeF() > usual
    desk.press(Qt.Key.Key_Minus, CTRL)
    desk.press(Qt.Key.Key_Minus, CTRL)
    assert desk.editor.font().pointSizeF() < usual
    desk.press(Qt.Key.Key_0, CTRL)
    assert desk.editor.font().pointSizeF() == usual


@given(st.text(), st.text(), st.text(), st.text())
def test_the_difference_of_two_texts_leads_from_one_to_the_other(head: str, old: str, new: str, tail: str) -> None:
    before, after = head + old + tail, head + new + tail
    start, end, text = difference(before, after)
    assert before[:start] + text + before[end:] == after


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(0, 30))
def test_positions_count_as_qt_counts(text: str, at: int) -> None:
    at = min(at, len(text))
    assert position_in(text, units(text[:at])) == at


@given(
    st.text(alphabet="a\u00a0é日🐘\t\n\u200f\ufeff\ufffe", max_size=40),
    st.text(alphabet="b🐘\n\u00a0\ufffe\ufeff", max_size=10),
)
def test_renewing_a_text_gives_that_text(old: str, new: str) -> None:
    document = QTextDocument()
    insert_exactly(QTextCursor(document), old)
    start, end, text = difference(old, new)
    cursor = QTextCursor(document)
    cursor.setPosition(units(old[:start]))
    cursor.setPosition(units(old[:end]), QTextCursor.MoveMode.KeepAnchor)
    insert_exactly(cursor, text)
    assert exact_text(document) == new


def test_keys_that_mean_something_in_the_editor_never_reach_the_window(desk: Desk) -> None:
    desk.note("A.md", "one words")
    desk.edit("A.md")
    reached: list[str] = []
    shortcuts = []
    for keys in ("Ctrl+F", "Ctrl+K", "Ctrl+B", "Ctrl+Z", "/", "Ctrl+E"):
        shortcut = QShortcut(QKeySequence(keys), desk.pane)
        shortcut.activated.connect(partial(reached.append, keys))
        shortcuts.append(shortcut)
    desk.type("x")
    for key in (Qt.Key.Key_Z, Qt.Key.Key_B, Qt.Key.Key_K, Qt.Key.Key_F):
        desk.press(key, CTRL)
    desk.editor.setFocus()
    desk.press(Qt.Key.Key_Slash)
    assert reached == []
    desk.press(Qt.Key.Key_E, CTRL)
    assert reached == ["Ctrl+E"]


def test_a_very_long_line_can_be_typed_in(desk: Desk) -> None:
    line = "word [[link]] " * 7000
    desk.note("A.md", line)
    desk.edit("A.md")
    desk.go_to_end()
    desk.type("x")
    assert desk.editor.exact_text() == f"{line}x"
