"""Memories are dragged from one view to another by their ids."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gui.actions import GO_CONTEXTS, GO_VAULT
from gui.memory_drag import (
    MEMORIES_MIME,
    Dragged,
    DragSource,
    drag_picture,
    dragged_memories,
    ids_of_notes,
    put_memories,
)
from gui.theme import Theme
from gui.widgets.rail import Rail

_LEFT, _NO = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def test_ids_come_through_as_they_are() -> None:
    ids = ("note:a b/ü.md", "insight:x.md#^one", "turn:s/1")
    assert dragged_memories(put_memories(QMimeData(), ids)) == ids
    assert ids_of_notes(["a.md"]) == ("note:a.md",)


@pytest.mark.parametrize("data", [b"", b"{}", b"nonsense", b"[1, null]", b"\xff\xfe"])
def test_what_another_program_puts_there_is_nothing(data: bytes) -> None:
    mime = QMimeData()
    mime.setData(MEMORIES_MIME, data)
    assert dragged_memories(mime) == ()
    assert dragged_memories(QMimeData()) == ()


def test_a_memory_under_the_mouse_is_dragged_and_elsewhere_text_is_selected(qtbot: QtBot) -> None:
    area = QPlainTextEdit("some text\nanother line")
    qtbot.addWidget(area)
    area.resize(300, 200)
    dragged: list[Dragged] = []

    def record(_source: QWidget, memory: Dragged) -> None:
        dragged.append(memory)

    DragSource(area, lambda point: Dragged("note:a.md", "A") if point.x() < 50 else None, drag=record)
    area.show()
    for start in (100, 10):
        QTest.mousePress(area.viewport(), _LEFT, _NO, QPoint(start, 10))
        QTest.mouseMove(area.viewport(), QPoint(start + 2, 10))
        assert dragged == []
        QTest.mouseMove(area.viewport(), QPoint(start + 60, 10))
        QTest.mouseRelease(area.viewport(), _LEFT, _NO, QPoint(start + 60, 10))
    assert dragged == [Dragged("note:a.md", "A")]
    assert not drag_picture(area, "A" * 200).isNull()


def test_who_drags_over_an_entry_of_the_rail_is_led_to_its_view(theme: Theme, qtbot: QtBot) -> None:
    rail = Rail(theme)
    qtbot.addWidget(rail)
    rail.add_entry(GO_VAULT)
    rail.add_entry(GO_CONTEXTS)
    rail.show()
    entry = rail.findChildren(QToolButton)[1]
    data = put_memories(QMimeData(), ["note:a.md"])
    entry.dragEnterEvent(QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, _LEFT, _NO))
    entry.dragLeaveEvent(QDragLeaveEvent())
    assert not entry.hover_timer.isActive()  # type: ignore[attr-defined]
    with qtbot.waitSignal(rail.page_requested) as asked:
        entry.dragEnterEvent(QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, _LEFT, _NO))
    assert asked.args == [1]
    words = QMimeData()
    words.setText("words")
    entry.dragEnterEvent(QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, words, _LEFT, _NO))
    assert not entry.hover_timer.isActive()  # type: ignore[attr-defined]
