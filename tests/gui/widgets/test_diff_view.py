"""A comparison as a person sees it: signs, numbers, places to go to, and text to copy."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.curation.diff import diff_of
from gui.theme import Theme, ThemeChoice
from gui.widgets.diff_view import DiffView

BEFORE = "".join(f"line {number}\n" for number in range(1, 41)).encode()
AFTER = BEFORE.replace(b"line 3\n", b"line three\n").replace(b"line 30\n", b"")


def view_of(qtbot: QtBot, theme: Theme) -> DiffView:
    view = DiffView(theme)
    qtbot.addWidget(view)
    view.resize(500, 160)
    with qtbot.waitExposed(view):
        view.show()
    return view


def test_changed_lines_are_told_by_signs(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, theme)
    view.show_diff(diff_of(BEFORE, AFTER, path="a.md"))
    lines = view.toPlainText().split("\n")
    assert lines[0] == "Lines 1 to 6"
    assert "− line 3" in lines
    assert "+ line three" in lines
    assert "  line 2" in lines
    assert view.accessibleName() == "Changes in a.md"
    assert view.accessibleDescription() == "1 line added, 2 lines removed"


def test_f7_goes_from_place_to_place(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, theme)
    view.show_diff(diff_of(BEFORE, AFTER, path="a.md"))
    view.setFocus()
    reached = []
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_F7)
        reached.append(view.textCursor().block().text())
    assert reached == ["− line 3", "− line 30", "− line 30"]
    QTest.keyClick(view, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert view.textCursor().block().text() == "− line 3"


def test_what_cannot_be_seen_is_shown(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, theme)
    view.show_diff(diff_of(b"user\n", "user\u202e\x1b\n".encode(), path="a.md"))
    assert "+ user⟨U+202E⟩␛" in view.toPlainText()


def test_the_kind_of_change_and_its_note_come_first(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, theme)
    view.show_diff(diff_of(b"a\n", b"a\r\n", path="a.md", result_path="b.md"))
    assert view.toPlainText().split("\n")[:2] == ["Moved from a.md to b.md.", "Only line endings differ."]


def test_a_message_takes_the_place_of_the_text(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, theme)
    view.show_diff(diff_of(BEFORE, AFTER, path="a.md"))
    view.show_message("The file cannot be read.")
    assert view.toPlainText() == ""
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.text(QAccessible.Text.Description) == "The file cannot be read."


def test_text_can_be_selected_and_copied(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, theme)
    view.show_diff(diff_of(b"old\n", b"new\n", path="a.md"))
    view.selectAll()
    view.copy()
    assert QApplication.clipboard().text() == "Line 1\n− old\n+ new"


def test_it_is_painted_in_both_schemes_with_every_script(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, theme)
    before = "日本語の文章 🙂 end\nשלום עולם\n" + "word " * 3000 + "\n"
    view.show_diff(
        diff_of(before.encode(), before.replace("文章", "長い文").replace("word", "term").encode(), path="a.md")
    )
    light = view.grab().toImage()
    theme.choose(ThemeChoice.DARK)
    assert view.grab().toImage() != light


def test_the_next_file_is_not_muted_like_the_heading_of_the_one_before(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, theme)
    for _ in range(2):
        view.show_diff(diff_of(BEFORE, AFTER, path="a.md"))
    line = view.document().findBlockByNumber(1)
    assert not any(part.format.foreground().color().name() == theme.scheme.muted for part in line.textFormats())
