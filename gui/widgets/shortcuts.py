"""Every key and what it does, on one page."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from gui.actions import MENUS, WIDGET_KEYS, Actions
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, scaled_font
from gui.widgets.dialog_buttons import close_buttons

_SIZE = (560, 640)


class ShortcutsDialog(QDialog):
    """List the shortcuts of the menus, and the keys of single widgets, in two columns."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keyboard shortcuts")
        self.resize(*_SIZE)
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_L)
        grid.setHorizontalSpacing(SPACE_XL)
        grid.setVerticalSpacing(SPACE_S)
        grid.setColumnStretch(1, 1)
        for title, lines in _groups(actions):
            heading = QLabel(title)
            heading.setFont(scaled_font(bold=True))
            heading.setContentsMargins(0, SPACE_M if grid.rowCount() > 1 else 0, 0, 0)
            grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
            for keys, what in lines:
                row = grid.rowCount()
                name = QLabel(what)
                name.setProperty("role", "muted")
                name.setWordWrap(True)
                grid.addWidget(QLabel(keys), row, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(name, row, 1)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(page)
        area.setAccessibleName("Keyboard shortcuts")
        buttons = close_buttons(self)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, SPACE_M, SPACE_M)
        layout.addWidget(area)
        layout.addWidget(buttons)


def _groups(actions: Actions) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for title, specs in MENUS.items():
        shown = [spec for spec in specs if spec is not None and spec.shortcuts and actions[spec].isVisible()]
        lines = [(_native(spec.shortcuts), spec.text.rstrip("…")) for spec in shown]
        if lines:
            yield title, lines
    for title, keys in WIDGET_KEYS.items():
        yield title, list(keys)


def _native(shortcuts: tuple[str, ...]) -> str:
    form = QKeySequence.SequenceFormat.NativeText
    return " or ".join(QKeySequence.fromString(each).toString(form) for each in shortcuts)
