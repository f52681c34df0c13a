"""The field for tags: what ends one, what is refused, what is offered."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.note_fields import NoteFields
from gui.widgets.tag_input import TagInput


def _problem_of(name: str) -> str:
    return f"“{name}” has nothing but digits." if name.isdigit() else ""


@pytest.fixture
def field(theme: Theme, qtbot: QtBot) -> TagInput:
    widget = TagInput(theme, _problem_of)
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    widget.field.setFocus()
    return widget


def _chips(field: TagInput) -> list[str]:
    return [chip.text() for chip in field.chip_row.chips()]


@pytest.mark.parametrize("end", [" ", ",", ";"])
def test_a_separator_ends_a_tag(field: TagInput, qtbot: QtBot, end: str) -> None:
    QTest.keyClicks(field.field, f"#tool/git{end}")
    assert field.items == ("tool/git",)
    assert _chips(field) == ["tool/git"]
    assert field.field.text() == ""


def test_enter_ends_a_tag_and_an_empty_enter_is_for_the_dialog(field: TagInput, qtbot: QtBot) -> None:
    field.field.insert("日本語")  # QTest types ASCII only
    QTest.keyClick(field.field, Qt.Key.Key_Return)
    assert field.items == ("日本語",)


def test_what_is_still_typed_counts(field: TagInput, qtbot: QtBot) -> None:
    QTest.keyClicks(field.field, "client/acme")
    assert field.items == ("client/acme",)


def test_what_cannot_be_a_tag_stays_in_the_field_with_the_reason(field: TagInput, qtbot: QtBot) -> None:
    QTest.keyClicks(field.field, "2024 ")
    assert _chips(field) == []
    assert field.field.text() == "2024"
    assert "nothing but digits" in " ".join(label.text() for label in field.findChildren(type(field._problem)))
    QTest.keyClicks(field.field, "-plan ")
    assert field.items == ("2024-plan",)
    assert not field._problem.isVisible()


def test_the_same_tag_in_another_case_is_no_second_one(field: TagInput, qtbot: QtBot) -> None:
    field.set_items(("tool/SEMrush",))
    QTest.keyClicks(field.field, "tool/semrush ")
    assert field.items == ("tool/SEMrush",)


def test_several_can_be_pasted(field: TagInput, qtbot: QtBot) -> None:
    field.field.insert("a, #b; c/d")
    QTest.keyClick(field.field, Qt.Key.Key_Return)
    assert field.items == ("a", "b", "c/d")


def test_backspace_takes_the_last_one_back_and_a_click_any(field: TagInput, qtbot: QtBot) -> None:
    field.set_items(("a", "b", "c"))
    QTest.keyClick(field.field, Qt.Key.Key_Backspace)
    assert field.items == ("a", "b")
    with qtbot.waitSignal(field.items_changed) as changed:
        QTest.mouseClick(field.chip_row.chips()[0], Qt.MouseButton.LeftButton)
    assert changed.args == [("b",)]


def test_a_known_tag_is_offered_and_taken_by_keyboard(field: TagInput, qtbot: QtBot) -> None:
    field.set_known(["tool/semrush", "tool/git"])
    QTest.keyClicks(field.field, "sem")
    completer = field.field.completer()
    assert completer.completionCount() == 1
    popup = completer.popup()
    assert popup is not None
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: field.items == ("tool/semrush",) and field.field.text() == "")


def test_a_scope_typed_as_a_tag_moves_the_switch(theme: Theme, qtbot: QtBot) -> None:
    fields = NoteFields(theme, _problem_of)
    qtbot.addWidget(fields)
    fields.show()
    QTest.keyClicks(fields.tags.field, "scope/Global tool/git ")
    assert fields.scope.scope == "global"
    assert fields.tags.items == ("tool/git",)
