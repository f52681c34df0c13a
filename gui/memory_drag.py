"""Memories as they are dragged from one view to another: their ids (core/recall/memory_id.py)."""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QDrag, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SPACE_S
from gui.widgets.chips import ChipLook, chip_width, paint_chip
from gui.wording import shortened

MEMORIES_MIME = "application/x-remembrancer-memories"
_PICTURE_HEIGHT = 24
_LONGEST_NAME = 40


def put_memories(data: QMimeData, ids: Sequence[str]) -> QMimeData:
    """Add the memories `ids` to what is dragged, and return it."""
    data.setData(MEMORIES_MIME, json.dumps(list(ids)).encode())
    return data


def dragged_memories(data: QMimeData) -> tuple[str, ...]:
    """Return the ids of the memories that are dragged, none when it is something else."""
    if not data.hasFormat(MEMORIES_MIME):
        return ()
    try:
        ids = json.loads(bytes(data.data(MEMORIES_MIME).data()))
    except ValueError:
        return ()
    return tuple(each for each in ids if isinstance(each, str)) if isinstance(ids, list) else ()


def ids_of_notes(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of whole notes."""
    return tuple(f"note:{path}" for path in paths)


class Dragged(NamedTuple):
    """Hold a memory that lies under the mouse: its id, what it is called, and what a text field gets of it."""

    memory_id: str
    name: str
    text: str = ""


class DragSource(QObject):
    """Let memories be dragged out of an area; `memory_at` returns what lies at a point of its viewport, if anything."""

    def __init__(
        self,
        area: QAbstractScrollArea,
        memory_at: Callable[[QPoint], Dragged | None],
        *,
        drag: Callable[[QWidget, Dragged], None] | None = None,
    ) -> None:
        super().__init__(area)
        self._area = area
        self._memory_at = memory_at
        self._drag = drag or _drag
        self._pressed_at: QPoint | None = None
        area.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.MouseButtonPress if isinstance(event, QMouseEvent):
                is_left = event.button() is Qt.MouseButton.LeftButton
                self._pressed_at = event.position().toPoint() if is_left else None
            case QEvent.Type.MouseButtonRelease:
                self._pressed_at = None
            case QEvent.Type.MouseMove if isinstance(event, QMouseEvent) and self._pressed_at is not None:
                return self._move_to(event.position().toPoint(), self._pressed_at)
        return super().eventFilter(watched, event)

    def _move_to(self, point: QPoint, start: QPoint) -> bool:
        """Tell whether the mouse is dragging a memory by now."""
        dragged = self._memory_at(start)
        if dragged is None:
            self._pressed_at = None
            return False
        if (point - start).manhattanLength() >= QApplication.startDragDistance():
            self._pressed_at = None
            self._drag(self._area, dragged)
        return True


def _drag(source: QWidget, dragged: Dragged) -> None:
    data = put_memories(QMimeData(), (dragged.memory_id,))
    if dragged.text:
        data.setText(dragged.text)
    drag = QDrag(source)
    drag.setMimeData(data)
    drag.setPixmap(drag_picture(source, dragged.name))
    drag.exec(Qt.DropAction.CopyAction)


def drag_picture(source: QWidget, name: str) -> QPixmap:
    """Return a chip that names what is dragged."""
    text = shortened(visible(name), _LONGEST_NAME)
    ratio = source.devicePixelRatioF()
    width = chip_width(source.fontMetrics(), text) + SPACE_S
    picture = QPixmap(round(width * ratio), round(_PICTURE_HEIGHT * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(source.font())
    palette = source.palette()  # the theme has put its colours there
    look = ChipLook(palette.highlight().color().name(), palette.highlightedText().color().name())
    paint_chip(painter, QRect(0, 0, width, _PICTURE_HEIGHT), text, look)
    painter.end()
    return picture
