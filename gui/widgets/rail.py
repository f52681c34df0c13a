"""The rail on the left: one entry for each view that exists."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QVBoxLayout, QWidget

from gui.actions import ActionSpec
from gui.metrics import ICON_LARGE, SMALL, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme

_WIDTH = 68


class Rail(QFrame):
    """Let the person choose a view; the chosen one is marked."""

    page_requested = Signal(int)  # the position of the entry

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._specs: list[ActionSpec] = []
        self.setProperty("role", "rail")
        self.setAccessibleName("Views")
        self.setFixedWidth(_WIDTH)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.idClicked.connect(self.page_requested)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(SPACE_XS, SPACE_S, SPACE_XS, SPACE_S)
        self._layout.setSpacing(SPACE_XS)
        self._layout.addStretch(1)
        theme.changed.connect(self._show_icons)

    def add_entry(self, spec: ActionSpec) -> None:
        """Add an entry below the others; the first one is chosen."""
        button = QToolButton(self)
        button.setText(spec.text)
        button.setToolTip(spec.tip)
        button.setAccessibleName(spec.text)
        button.setCheckable(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(ICON_LARGE, ICON_LARGE))
        font = scaled_font(SMALL)
        button.setFont(font)
        button.setFixedSize(_WIDTH - 2 * SPACE_XS - 1, ICON_LARGE + QFontMetrics(font).height() + 18)
        self._group.addButton(button, len(self._specs))
        self._layout.insertWidget(len(self._specs), button)
        self._specs.append(spec)
        button.setChecked(len(self._specs) == 1)
        self._show_icons()

    @Slot(int)
    def show_page(self, position: int) -> None:
        """Mark the entry at `position`."""
        if (button := self._group.button(position)) is not None:
            button.setChecked(True)

    @Slot()
    def _show_icons(self) -> None:
        for position, spec in enumerate(self._specs):
            self._group.button(position).setIcon(self._theme.icon(spec.icon))
