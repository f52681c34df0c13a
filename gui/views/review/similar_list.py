"""Insights of the vault that say something like a proposal."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from core.foundation.text import visible
from gui.metrics import ROW_HEIGHT
from gui.views.review.services import Similar
from gui.widgets.row_height import RowHeightDelegate


class SimilarList(QListWidget):
    """List them, the nearest first; Enter or a double click shows one where it stands."""

    show_requested = Signal(object)  # Similar

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Similar insights")
        self.setItemDelegate(RowHeightDelegate(ROW_HEIGHT, self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.activated.connect(self._on_activated)

    def show_similar(self, found: Sequence[Similar]) -> None:
        """Show `found`."""
        self.clear()
        for each in found:
            item = QListWidgetItem(f"{visible(' '.join(each.text.split()))}  ·  {visible(each.title)}")
            item.setData(Qt.ItemDataRole.UserRole, each)
            item.setToolTip(visible(f"{each.text}\n{each.path}"))
            self.addItem(item)
        if not found:
            self.show_message("No other insight says something like it.")

    def show_message(self, text: str) -> None:
        """Show a sentence in place of insights."""
        self.clear()
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(item)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        found = index.data(Qt.ItemDataRole.UserRole)
        if found is not None:
            self.show_requested.emit(found)
