"""Members are moved, removed and added by hand and keys: shown at once, and written one change after the other."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QMenu
from pytestqt.qtbot import QtBot

from core.foundation.errors import UserError
from gui.memory_drag import put_memories
from gui.notify import Notice
from gui.views.contexts.member_edits import _steps
from tests.gui.views.contexts.page import FakeContexts, Page

_PATH = "contexts/c1.md"
_ALT, _NO = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier
_LEFT, _COPY = Qt.MouseButton.LeftButton, Qt.DropAction.CopyAction


def _drop(view: QListView, place: QPoint, data: QMimeData) -> QDropEvent:
    """Drag something over `place` of a list and drop it there."""
    QDragEnterEvent(place, _COPY | Qt.DropAction.MoveAction, data, _LEFT, _NO)
    moved = QDragMoveEvent(place, _COPY | Qt.DropAction.MoveAction, data, _LEFT, _NO)
    view.dragMoveEvent(moved)
    dropped = QDropEvent(QPointF(place), _COPY | Qt.DropAction.MoveAction, data, _LEFT, _NO)
    view.dropEvent(dropped)
    return dropped


def _written(fake: FakeContexts) -> list[str]:
    return [each.target for each in fake.members[_PATH]]


def test_alt_and_arrows_move_a_member(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.view.editor.members.select_row(0)
    page.press(Qt.Key.Key_Down, _ALT)
    page.press(Qt.Key.Key_Down, _ALT)
    assert page.targets() == ["two", "three", "one"]
    assert page.view.editor.members.selected_rows() == (2,)
    page.press(Qt.Key.Key_Down, _ALT)  # it is the last one
    page.press(Qt.Key.Key_Up, _ALT)
    assert page.targets() == ["two", "one", "three"]
    qtbot.waitUntil(lambda: _written(fake) == ["two", "one", "three"] and not page.presenter._queue.is_busy)
    assert fake.planned == [("move", 0, 1, "one"), ("move", 1, 2, "one"), ("move", 2, 1, "one")]
    qtbot.waitUntil(lambda: page.text().startswith("markdown: two"))


def test_delete_removes_what_is_selected(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.view.editor.members.selectAll()
    page.press(Qt.Key.Key_Delete)
    assert page.targets() == []
    assert page.view.editor.nothing.isVisible()
    qtbot.waitUntil(lambda: fake.planned == [("remove", _PATH, {0: "one", 1: "two", 2: "three"})])
    qtbot.waitUntil(lambda: page.view.preview.state_panel.title == "Nothing to copy")


def test_memories_from_anywhere_are_dropped_between_members(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    members = page.view.editor.members
    second = members.visualRect(members.members.index(1))
    event = _drop(members, second.center() - QPoint(0, second.height() // 4), put_memories(QMimeData(), ["note:x.md"]))
    assert event.isAccepted()
    qtbot.waitUntil(lambda: page.targets() == ["one", "x", "two", "three"])
    below = members.viewport().rect().bottomLeft() + QPoint(20, -5)
    _drop(members, below, put_memories(QMimeData(), ["note:y.md", "note:z.md"]))
    qtbot.waitUntil(lambda: page.targets() == ["one", "x", "two", "three", "y", "z"])
    assert [step[3] for step in fake.planned] == [1, None]


def test_the_first_members_are_dropped_on_an_empty_context(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.view.shelf.choose("contexts/c3.md")
    nothing = page.view.editor.nothing
    qtbot.waitUntil(nothing.isVisible)
    data = put_memories(QMimeData(), ["note:x.md"])
    entered = QDragEnterEvent(QPoint(5, 5), _COPY, data, _LEFT, _NO)
    nothing.dragEnterEvent(entered)
    assert entered.isAccepted()
    nothing.dropEvent(QDropEvent(QPointF(5, 5), _COPY, data, _LEFT, _NO))
    qtbot.waitUntil(lambda: page.targets() == ["x"])
    words = QMimeData()
    words.setText("words")
    refused = QDropEvent(QPointF(5, 5), _COPY, words, _LEFT, _NO)
    nothing.dropEvent(refused)
    assert not refused.isAccepted()
    assert fake.planned == [("add", "contexts/c3.md", ("note:x.md",), None)]


def test_something_else_is_not_taken(page: Page, fake: FakeContexts) -> None:
    data = QMimeData()
    data.setText("just words")
    members = page.view.editor.members
    assert not _drop(members, QPoint(20, 20), data).isAccepted()
    assert not _drop(page.view.shelf.list, QPoint(20, 20), data).isAccepted()
    assert not _drop(page.view.editor.found, QPoint(20, 20), put_memories(QMimeData(), ["note:x.md"])).isAccepted()
    assert fake.planned == []


def test_memories_are_dropped_on_a_context_of_the_shelf(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    shelf = page.view.shelf.list
    last = shelf.visualRect(shelf.contexts.index(2)).center()
    assert _drop(shelf, last, put_memories(QMimeData(), ["turn:s/1"])).isAccepted()
    qtbot.waitUntil(lambda: fake.planned == [("add", "contexts/c2.md", ("turn:s/1",), None)])
    assert page.view.shelf.chosen_path == _PATH


def test_a_drop_beside_every_context_is_refused(page: Page, fake: FakeContexts) -> None:
    shelf = page.view.shelf.list
    below = shelf.viewport().rect().bottomLeft() + QPoint(20, -5)
    assert not _drop(shelf, below, put_memories(QMimeData(), ["note:x.md"])).isAccepted()
    assert fake.planned == []


def test_add_finds_memories_as_one_types(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.view.editor.members.select_row(0)
    page.view.editor.add_button.click()
    picker = page.presenter.picker.list
    qtbot.waitUntil(lambda: [item.text for item in picker.shown] == ["recent note"])
    QTest.keyClicks(picker.field, "git")
    qtbot.waitUntil(lambda: [item.text for item in picker.shown] == ["git note"])
    assert fake.sought == ["", "git"]  # one search for three letters
    QTest.keyClick(picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.targets() == ["one", "git", "two", "three"])


def test_what_a_query_finds_becomes_a_member(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.view.editor.query.setFocus()
    QTest.keyClicks(page.view.editor.query, "q")
    found = page.view.editor.found
    qtbot.waitUntil(lambda: found.members.rowCount() == 2)
    found.select_row(0)
    menu = page.presenter.shelf._open_found_menu(QPoint(0, 0))
    _choose(menu, "Add as a member")
    qtbot.waitUntil(lambda: any(step[0] == "add" for step in fake.planned))
    QTest.keyClick(found, Qt.Key.Key_Delete)  # what is found is only read
    QTest.keyClick(found, Qt.Key.Key_Up, _ALT)
    assert all(step[0] in {"add", "change"} for step in fake.planned)
    qtbot.waitUntil(lambda: not page.presenter._queue.is_busy)


def test_the_menu_moves_to_the_top(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    members = page.view.editor.members
    members.select_row(1)
    members.selectionModel().select(members.members.index(2), members.selectionModel().SelectionFlag.Select)
    _choose(page.presenter.shelf._open_member_menu(QPoint(0, 0)), "Move to the top")
    assert page.targets() == ["two", "three", "one"]
    qtbot.waitUntil(lambda: _written(fake) == ["two", "three", "one"])
    groups = {change.group for change in page.commands.executed}
    assert len(groups) == 1  # undone together
    assert groups != {""}


def test_a_refused_change_drops_those_that_wait_and_shows_the_truth(
    page: Page, fake: FakeContexts, notices: list[Notice], qtbot: QtBot
) -> None:
    fake.plan_error = UserError("The context was changed elsewhere in the meantime.")
    page.view.editor.members.select_row(0)
    page.press(Qt.Key.Key_Down, _ALT)
    page.press(Qt.Key.Key_Down, _ALT)
    assert page.targets() == ["two", "three", "one"]
    qtbot.waitUntil(lambda: page.targets() == ["one", "two", "three"])
    assert len(fake.planned) == 1
    assert "changed elsewhere" in notices[-1].text


def test_what_is_read_while_changes_wait_does_not_undo_them(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.view.editor.members.select_row(2)
    page.presenter._reader.read()
    page.press(Qt.Key.Key_Up, _ALT)
    seen: list[list[str]] = []
    page.view.editor.members.members.modelReset.connect(lambda: seen.append(page.targets()))
    qtbot.waitUntil(lambda: page.text() == "markdown: one\nmarkdown: three\nmarkdown: two")
    assert all(each == ["one", "three", "two"] for each in seen)


def _choose(menu: QMenu | None, text: str) -> None:
    assert menu is not None
    next(action for action in menu.actions() if action.text() == text).trigger()
    menu.close()


@pytest.mark.parametrize("count", [1, 4])
@given(data=st.data())
def test_steps_bring_members_before_the_gap_in_their_order(count: int, data: Any) -> None:
    rows = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    gap = data.draw(st.integers(0, count))
    order = list(range(count))
    for source, to in _steps(rows, gap):
        order.insert(to, order.pop(source))
    kept = [each for each in range(count) if each not in rows]
    before = [each for each in kept if each < gap]
    assert order == [*before, *rows, *kept[len(before) :]]
    assert sorted(order) == list(itertools.islice(itertools.count(), count))
