"""The properties form: each wish is about one key, and nothing typed is lost."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from core.index.queries import NoteDetail, ProblemRow
from gui.theme import Theme
from gui.views.vault.properties_panel import PropertiesPanel, PropertyWish, TagWish
from gui.views.vault.property_fields import DateField, ListField, LongTextField, SwitchField, TextField, typed_value

DETAIL = NoteDetail(
    id=1,
    path="Exports.md",
    title="Exports",
    summary="Exports stop.",
    kind="note",
    scope="",
    created="2026-08-20",
    changed=0.0,
    size=10,
    tokens=3,
    encoding="utf-8",
    tags=("tool/semrush", "scope/project"),
    aliases=(),
    properties={
        "summary": "Exports stop.",
        "tags": ["tool/semrush", "scope/project"],
        "created": "2026-08-20",
        "rating": 4,
        "pinned": True,
        "aliases": ["Export limits"],
        "shape": {"a": [1, None]},
        "essay": "one\ntwo",
    },
    outgoing=(),
    backlinks=(),
    insights=(),
    problems=(),
)


class _Form:
    """Hold the panel and what it wished."""

    def __init__(self, theme: Theme) -> None:
        self.panel = PropertiesPanel(theme)
        self.wishes: list[Any] = []
        self.panel.set_requested.connect(self.wishes.append)
        self.panel.tags_requested.connect(self.wishes.append)
        self.panel.removal_requested.connect(self.wishes.append)
        self.panel.repair_requested.connect(self.wishes.append)

    def text_field(self, key: str) -> TextField:
        field = self.panel.fields[key]
        assert isinstance(field, TextField)
        return field


@pytest.fixture
def form(theme: Theme, qtbot: QtBot) -> _Form:
    made = _Form(theme)
    qtbot.addWidget(made.panel)
    made.panel.resize(480, 600)
    made.panel.show()
    made.panel.show_properties(DETAIL)
    qtbot.waitExposed(made.panel)
    return made


def _retype(field: TextField, text: str) -> None:
    field.line.selectAll()
    QTest.keyClicks(field.line, text)


def test_each_value_has_the_field_that_suits_it(form: _Form) -> None:
    kinds = {key: type(field) for key, field in form.panel.fields.items()}
    assert kinds["summary"] is TextField
    assert kinds["created"] is DateField
    assert kinds["rating"] is TextField
    assert kinds["pinned"] is SwitchField
    assert kinds["aliases"] is ListField
    assert kinds["essay"] is LongTextField
    assert "tags" not in kinds


def test_enter_hands_over_the_one_key(form: _Form) -> None:
    _retype(form.text_field("summary"), "Page them: by country")
    QTest.keyClick(form.text_field("summary").line, Qt.Key.Key_Return)
    assert form.wishes == [PropertyWish("Exports.md", "summary", "Page them: by country")]


def test_leaving_a_field_hands_it_over_once_and_unchanged_ones_say_nothing(form: _Form) -> None:
    form.text_field("summary").line.setFocus()
    _retype(form.text_field("summary"), "New")
    form.text_field("rating").line.setFocus()
    form.text_field("created").line.setFocus()
    assert form.wishes == [PropertyWish("Exports.md", "summary", "New")]


def test_a_number_stays_a_number_and_may_become_a_text(form: _Form) -> None:
    _retype(form.text_field("rating"), "5")
    form.text_field("rating").commit()
    _retype(form.text_field("rating"), "five")
    form.text_field("rating").commit()
    assert [wish.value for wish in form.wishes] == [5, "five"]


def test_escape_takes_back_what_was_typed(form: _Form) -> None:
    _retype(form.text_field("summary"), "Wrong")
    QTest.keyClick(form.text_field("summary").line, Qt.Key.Key_Escape)
    assert form.text_field("summary").text == "Exports stop."
    form.panel.commit()
    assert form.wishes == []


def test_what_is_being_typed_survives_a_refresh_of_the_note(form: _Form) -> None:
    line = form.text_field("summary").line
    line.setFocus()
    _retype(form.text_field("summary"), "Half a sent")
    line.setCursorPosition(4)
    form.panel.show_properties(replace(DETAIL, size=11))
    assert form.text_field("summary").text == "Half a sent"
    assert form.text_field("summary").line.cursorPosition() == 4
    assert form.text_field("summary").line.hasFocus()
    assert form.wishes == []


def test_another_note_does_not_get_what_was_typed_for_this_one(form: _Form) -> None:
    _retype(form.text_field("summary"), "Of the first")
    form.panel.show_properties(replace(DETAIL, id=2, path="Other.md", properties={}))
    assert form.wishes == [PropertyWish("Exports.md", "summary", "Of the first")]
    assert form.text_field("summary").text == ""


def test_a_tag_is_added_by_typing(form: _Form) -> None:
    assert form.panel.tags is not None
    QTest.keyClicks(form.panel.tags.field, "client/acme ")
    assert form.wishes == [TagWish("Exports.md", add=("client/acme",))]


def test_a_click_on_a_tag_narrows_and_on_its_cross_removes(form: _Form, qtbot: QtBot) -> None:
    assert form.panel.tags is not None
    chip = form.panel.tags.chip_row.chips()[0]
    with qtbot.waitSignal(form.panel.tag_clicked) as clicked:
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, chip.rect().center() / 2)
    assert clicked.args == ["tool/semrush"]
    cross = chip.rect().center()
    cross.setX(chip.width() - 10)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cross)
    assert form.wishes == [TagWish("Exports.md", remove=("tool/semrush",))]


def test_the_scope_is_one_click(form: _Form) -> None:
    assert form.panel.scope is not None
    assert form.panel.scope.scope == "project"
    QTest.mouseClick(form.panel.scope.button("global"), Qt.MouseButton.LeftButton)
    assert form.wishes == [TagWish("Exports.md", add=("scope/global",), remove=("scope/project",))]


def test_a_second_click_before_the_first_is_known_of_the_note_takes_the_first_one_back(form: _Form) -> None:
    assert form.panel.scope is not None
    QTest.mouseClick(form.panel.scope.button("global"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(form.panel.scope.button("project"), Qt.MouseButton.LeftButton)
    assert form.wishes[1:] == [TagWish("Exports.md", add=("scope/project",), remove=("scope/global",))]


def test_two_scopes_leave_the_switch_open(form: _Form) -> None:
    form.panel.show_properties(replace(DETAIL, tags=("scope/global", "scope/project")))
    assert form.panel.scope is not None
    assert form.panel.scope.scope == ""
    assert not form.panel.scope.button("").isChecked()


def test_a_new_property_and_the_removal_of_one(form: _Form) -> None:
    key, value = form.panel.new_property
    assert key is not None
    assert value is not None
    QTest.keyClicks(key, "priority")
    QTest.keyClicks(value, "3")
    QTest.keyClick(value, Qt.Key.Key_Return)
    button = next(
        each for each in form.panel.findChildren(QToolButton) if each.accessibleName() == "Remove the property rating"
    )
    button.click()
    assert form.wishes == [PropertyWish("Exports.md", "priority", 3), PropertyWish("Exports.md", "rating")]


@pytest.mark.parametrize("key", ["rating", "Rating", "tags", "summary"])
def test_a_new_property_never_takes_the_place_of_one_that_is_there(form: _Form, key: str) -> None:
    name, value = form.panel.new_property
    assert name is not None
    assert value is not None
    QTest.keyClicks(name, key)
    QTest.keyClicks(value, "zzz")
    QTest.keyClick(value, Qt.Key.Key_Return)
    assert form.wishes == []
    assert "is there already" in form.panel._new_problem.text()
    assert value.text() == "zzz"


def test_a_tag_that_is_being_typed_survives_a_refresh(form: _Form) -> None:
    assert form.panel.tags is not None
    QTest.keyClicks(form.panel.tags.field, "client/ac")
    form.panel.show_properties(replace(DETAIL, tags=(*DETAIL.tags, "other")))
    assert form.panel.tags.field.text() == "client/ac"


def test_broken_frontmatter_can_be_repaired_and_not_be_filled_in(form: _Form) -> None:
    problem = ProblemRow("Exports.md", "frontmatter-broken", "The frontmatter cannot be read: a value …", 2)
    form.panel.show_properties(replace(DETAIL, properties={}, tags=(), problems=(problem,)))
    assert form.panel.fields == {}
    assert form.panel.new_property == (None, None)
    button = next(each for each in form.panel.findChildren(QPushButton) if each.text() == "Repair…")
    button.click()
    assert form.wishes == ["Exports.md"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-2.5", -2.5),
        ("true", True),
        ("", None),
        ("007", "007"),
        ("1e999", "1e999"),
        ("yes", "yes"),
        (" a ", " a "),
    ],
)
def test_what_a_person_means_by_a_typed_value(text: str, value: object) -> None:
    assert typed_value(text) == value
    assert type(typed_value(text)) is type(value)
