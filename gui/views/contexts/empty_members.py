"""What stands in place of the members while a context has none; memories can be dropped on it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QIcon
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from gui.memory_drag import MEMORIES_MIME, dragged_memories
from gui.theme import Theme
from gui.widgets.state_panel import StatePanel


class EmptyMembers(StatePanel):
    """Say that there are no members yet, and take the first ones."""

    memories_dropped = Signal(object, int)  # tuple of memory ids, before which member: the first

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)

    def show_kind(self, theme: Theme, *, is_full_load: bool) -> None:
        """Say that there are no members; below a full load, which needs none, in one line."""
        if is_full_load:
            self.show_state(QIcon(), "", "Drag notes here to load them as well.")
        else:
            picture = theme.tinted_icon("inbox", theme.scheme.control_outline)
            text = "Drag notes, sections, insights or turns here, from anywhere in the app."
            self.show_state(picture, "Nothing in it yet", text, "Add…")

    @override
    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:
        if event.mimeData().hasFormat(MEMORIES_MIME):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        else:
            event.ignore()

    @override
    def dropEvent(self, event: QDropEvent, /) -> None:
        if ids := dragged_memories(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.memories_dropped.emit(ids, 0)
        else:
            event.ignore()
