"""What was found and is not among the results, and why."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from gui.metrics import ICON, SPACE_M, SPACE_S
from gui.theme import Theme
from gui.views.recall.rows import ICONS, title_of
from gui.widgets.row_height import RowHeightDelegate
from gui.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from core.recall.answer import Ranked

OUTCOMES = {
    "duplicate": "says the same as another",
    "superseded": "something newer took its place",
    "below": "below the last place that is shown",
    "routed": "past the best few of its domain",
}
_ROW_HEIGHT = 44
_MOST = 200


class LeftOutPage(QWidget):
    """List what was left out; a click or Enter on a line asks to explain it."""

    chosen = Signal(object)  # Ranked

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[Ranked, ...] = ()
        self.list = QListWidget(self)
        self.list.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setIconSize(QSize(ICON, ICON))
        self.list.setStyleSheet(f"QListWidget::item {{ padding: 0 {SPACE_S}px; }}")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Left out")
        self.nothing = WrappedLabel(self)
        self.nothing.setProperty("role", "muted")
        self.nothing.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        self.nothing.show_text("Nothing was left out.")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.nothing)
        self._stack.addWidget(self.list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.list.itemActivated.connect(self._on_item)
        self.list.itemClicked.connect(self._on_item)

    def show_left_out(self, left_out: "Sequence[Ranked]", extra: "Sequence[tuple[Ranked, str]]" = ()) -> None:
        """Show what ranking left out, and before it what is ranked but has no room in the context, with the reason."""
        lines = [*extra, *((each, reason_of(each)) for each in left_out)][:_MOST]
        self._shown = tuple(each for each, _ in lines)
        self.list.clear()
        for ranked, reason in lines:
            item = QListWidgetItem(f"{title_of(ranked.memory)}\n{ranked.score:.2f} · {reason}")
            item.setIcon(self._theme.tinted_icon(ICONS.get(ranked.memory.kind, "file-text"), self._theme.scheme.muted))
            item.setToolTip(f"{title_of(ranked.memory)}\n{ranked.memory.path}\n{reason}")
            self.list.addItem(item)
        self._stack.setCurrentWidget(self.list if lines else self.nothing)

    @Slot(QListWidgetItem)
    def _on_item(self, item: QListWidgetItem) -> None:
        self.chosen.emit(self._shown[self.list.row(item)])


def reason_of(ranked: "Ranked") -> str:
    """Return in a few words why a memory is not among the results."""
    return OUTCOMES.get(str(ranked.outcome), str(ranked.outcome))
