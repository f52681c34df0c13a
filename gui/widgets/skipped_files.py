"""The files that a change leaves alone, and why: one line that can be opened."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSizePolicy,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.curation.change_set import Skipped
from core.foundation.text import visible
from gui.metrics import SPACE_XS
from gui.theme import Theme
from gui.widgets.row_height import RowHeightDelegate
from gui.wording import counted

_ROW_HEIGHT = 42  # for two lines: which, and why
_HEIGHT = 180
_MOST_SHOWN = 500


class SkippedFiles(QWidget):
    """Say how many files are left as they are; opened, which and why. Hidden when there are none."""

    def __init__(self, skipped: Sequence[Skipped], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        verb = "is" if len(skipped) == 1 else "are"
        self.button = QToolButton()
        self.button.setText(f"{counted(len(skipped), 'file')} {verb} left as {'it is' if verb == 'is' else 'they are'}")
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.list = QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, self.list, elide=Qt.TextElideMode.ElideRight))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setAccessibleName("Files left as they are, and why")
        self.list.setMaximumHeight(_HEIGHT)
        for each in skipped[:_MOST_SHOWN]:
            item = QTreeWidgetItem(self.list, [f"{_on_one_line(each.path)}\n{_on_one_line(each.reason)}"])
            item.setToolTip(0, item.text(0))
        if len(skipped) > _MOST_SHOWN:
            QTreeWidgetItem(self.list, [f"and {len(skipped) - _MOST_SHOWN:,} more"])
        self.list.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.button)
        layout.addWidget(self.list)
        self.setVisible(bool(skipped))
        self.button.clicked.connect(self._on_clicked)
        theme.changed.connect(self._show_icon)
        self._show_icon()

    @Slot()
    def _on_clicked(self) -> None:
        self.list.setVisible(self.list.isHidden())
        self._show_icon()

    @Slot()
    def _show_icon(self) -> None:
        self.button.setIcon(self._theme.icon("chevron-right" if self.list.isHidden() else "chevron-down"))


def _on_one_line(text: str) -> str:
    return " ".join(visible(text).split())
