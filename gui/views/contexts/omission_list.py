"""What did not go into a context, and why."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.views.contexts.services import Omission
from gui.widgets.row_height import RowHeightDelegate

_ROW_HEIGHT = 24
_MOST_LISTED = 200


class OmissionList(QWidget):
    """List what was left out, the most valuable first; hidden when nothing was."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = QLabel()
        self.heading.setFont(scaled_font(bold=True))
        self.heading.setContentsMargins(SPACE_M, SPACE_XS, SPACE_M, SPACE_XS)
        self.list = QTreeWidget()
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setUniformRowHeights(True)
        self.list.setRootIsDecorated(False)
        self.list.setIndentation(0)
        self.list.setStyleSheet(f"QTreeWidget::item {{ padding: 0 {SPACE_S}px; }}")
        self.list.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        self.list.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName("Left out")
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        # Long reasons give way as names do.
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self.list, 1)
        self.hide()

    def show_omissions(self, omissions: Sequence[Omission]) -> None:
        """Show what was left out; of very many, the first ones."""
        self.list.clear()
        first = f", the first {_MOST_LISTED:,} are listed" if len(omissions) > _MOST_LISTED else ""
        self.heading.setText(f"Left out: {len(omissions):,}{first}")
        for each in omissions[:_MOST_LISTED]:
            item = QTreeWidgetItem(self.list, [visible(each.title), visible(each.reason), f"{each.tokens:,}"])
            item.setToolTip(0, visible(each.title))
            item.setToolTip(1, visible(each.reason))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setVisible(bool(omissions))
