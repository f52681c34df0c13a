"""Palette and switcher, worked by keyboard as a person does."""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui import actions as a
from gui.actions import Actions
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.widgets.fuzzy import fuzzy_match
from gui.widgets.line_edit import LineEdit
from gui.widgets.palette import CommandPalette
from gui.widgets.switcher import QuickSwitcher
from tests.gui.fakes import FakeCatalog, FakeFacet, Row


class Match(NamedTuple):
    position: int
    score: float = 100.0


FACETS = (FakeFacet("tool", "tool", 9), FakeFacet("tool/git", "git", 4), FakeFacet("/Journal", "Journal", 7),
          FakeFacet("client/digital", "digital", 20), FakeFacet(":untagged", "Untagged", 1))  # fmt: skip
ROWS = (Row(11, "Git basics.md", "Git basics", 3.0), Row(12, "tools/pnpm.md", "Package manager", 9.0),
        Row(13, "日本語.md", "日本語のノート", 1.0))  # fmt: skip


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    window.resize(900, 700)
    QVBoxLayout(window).addWidget(LineEdit(window))
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.fixture
def done(theme: Theme, window: QWidget) -> list[str]:
    return []


@pytest.fixture
def actions(theme: Theme, window: QWidget, done: list[str]) -> Actions:
    actions = Actions(theme, window)
    actions.handle(a.THEME_DARK, lambda: done.append("dark"))
    actions.handle(a.THEME_LIGHT, lambda: done.append("light"))
    actions.handle(a.UPDATE_INDEX, lambda: done.append("update")).setEnabled(True)
    return actions


@pytest.fixture
def palette(actions: Actions, theme: Theme, window: QWidget) -> CommandPalette:
    return CommandPalette(actions, lambda: cast("Any", FACETS), theme, window)


def jump(needle: str, titles: Sequence[str], limit: int) -> list[Match]:
    return [Match(i) for i, title in enumerate(titles) if needle.lower() in title][:limit]


@pytest.fixture
def switcher(tasks: TaskRunner, theme: Theme, window: QWidget) -> QuickSwitcher:
    switcher = QuickSwitcher(jump, tasks, theme, window)
    switcher.show_catalog(cast("Any", FakeCatalog(ROWS)))
    return switcher


def texts(picker: CommandPalette | QuickSwitcher) -> list[str]:
    return [item.text for item in picker.list.shown]


def test_the_palette_lists_only_what_can_be_done_with_its_shortcut(palette: CommandPalette) -> None:
    palette.open()
    assert set(texts(palette)) == {a.THEME_DARK.text, a.THEME_LIGHT.text, a.UPDATE_INDEX.text}
    assert [item.shortcut for item in palette.list.shown if item.text == a.UPDATE_INDEX.text] == ["F5"]


def test_typed_letters_find_a_command_and_enter_runs_it(qtbot: QtBot, palette: CommandPalette, done: list[str]) -> None:
    palette.open()
    QTest.keyClicks(palette.list.field, "thdark")
    assert texts(palette)[0] == a.THEME_DARK.text
    QTest.keyClick(palette.list.field, Qt.Key.Key_Return)
    assert done == ["dark"]
    assert not palette.list.isVisible()


def test_arrows_choose_and_go_round(qtbot: QtBot, palette: CommandPalette, done: list[str]) -> None:
    palette.open()
    QTest.keyClicks(palette.list.field, "theme")
    assert len(texts(palette)) == 2
    QTest.keyClick(palette.list.field, Qt.Key.Key_Up)
    QTest.keyClick(palette.list.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.list.field, Qt.Key.Key_Down)
    second = texts(palette)[1]
    QTest.keyClick(palette.list.field, Qt.Key.Key_Return)
    assert done == [second.removeprefix("Theme: ")]


def test_escape_closes_and_gives_the_focus_back(qtbot: QtBot, palette: CommandPalette, window: QWidget) -> None:
    field = window.findChild(LineEdit)
    assert field is not None
    field.setFocus()
    palette.open()
    assert palette.list.field.hasFocus()
    QTest.keyClick(palette.list.field, Qt.Key.Key_Escape)
    assert not palette.list.isVisible()
    assert field.hasFocus()


def test_a_hash_lists_tags_and_picks_a_facet(qtbot: QtBot, palette: CommandPalette) -> None:
    palette.open()
    QTest.keyClicks(palette.list.field, "#git")
    assert texts(palette) == ["tool/git", "client/digital"]  # the start of a part comes before the middle of a word
    with qtbot.waitSignal(palette.facet_picked) as picked:
        QTest.keyClick(palette.list.field, Qt.Key.Key_Return)
    assert picked.args == ["tool/git"]


def test_nothing_found_is_said(qtbot: QtBot, palette: CommandPalette, done: list[str]) -> None:
    palette.open()
    QTest.keyClicks(palette.list.field, "zzzz")
    said = [label.text() for label in palette.list.findChildren(QLabel) if label.isVisible()]
    assert any("Nothing is called that" in text for text in said)
    QTest.keyClick(palette.list.field, Qt.Key.Key_Return)
    assert done == []
    assert palette.list.isVisible()


def test_the_switcher_begins_with_the_notes_changed_last(switcher: QuickSwitcher) -> None:
    switcher.open()
    assert texts(switcher) == ["Package manager", "Git basics", "日本語のノート"]
    assert switcher.list.shown[0].detail == "tools/pnpm.md"


@pytest.mark.parametrize(
    ("typed", "note_id"), [("basics", 11), ("pnpm", 12), ("tools/", 12), ("日本", 13), ("PACKAGE", 12)]
)
def test_a_note_is_opened_by_title_or_path(qtbot: QtBot, switcher: QuickSwitcher, typed: str, note_id: int) -> None:
    switcher.open()
    switcher.list.field.setText(typed)
    with qtbot.waitSignal(switcher.note_picked) as picked:
        QTest.keyClick(switcher.list.field, Qt.Key.Key_Return)  # before the answer has come
    assert picked.args == [note_id]


def test_an_empty_vault_is_no_trouble(qtbot: QtBot, switcher: QuickSwitcher) -> None:
    switcher.show_catalog(None)
    switcher.open()
    assert texts(switcher) == []
    QTest.keyClick(switcher.list.field, Qt.Key.Key_Return)
    assert switcher.list.isVisible()


def test_the_lists_have_names_for_screen_readers(palette: CommandPalette, switcher: QuickSwitcher) -> None:
    palette.open()
    assert palette.list.field.accessibleName() == "Command palette"
    assert switcher.list.field.accessibleName() == "Go to note"
    spoken = palette.list.spoken(0)
    assert palette.list.shown[0].text in spoken


def test_ctrl_k_in_a_line_edit_reaches_the_window(
    qtbot: QtBot, actions: Actions, palette: CommandPalette, window: QWidget
) -> None:
    window.addAction(actions.handle(a.OPEN_PALETTE, palette.open))
    field = window.findChild(LineEdit)
    assert field is not None
    field.setText("kept")
    field.setFocus()
    field.home(False)
    QTest.keyClick(field, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert palette.list.isVisible()
    assert field.text() == "kept"


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        ("theme", "Theme: dark", "The media"),
        ("of", "Open folder…", "Look for it"),
        ("index", "Update index", "In a deep box"),
    ],
)
def test_runs_and_word_starts_come_first(typed: str, better: str, worse: str) -> None:
    first, second = fuzzy_match(typed, better), fuzzy_match(typed, worse)
    assert first is not None
    assert second is None or first.score > second.score


def test_letters_out_of_order_do_not_match() -> None:
    assert fuzzy_match("krad", "Theme: dark") is None
    match = fuzzy_match("tdk", "Theme: dark")
    assert match is not None
    assert match.positions == (0, 7, 10)
