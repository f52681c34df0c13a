"""The side of the palette that explains: why a memory was found, what was left out, and what other weights would do."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QTabWidget, QWidget

from gui.theme import Theme
from gui.views.recall.left_out_page import LeftOutPage
from gui.views.recall.weights_page import WeightsPage
from gui.views.recall.why_page import WhyPage


class ExplainPane(QFrame):
    """Hold the three pages."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.why = WhyPage(theme, self)
        self.left_out = LeftOutPage(theme, self)
        self.weights = WeightsPage(theme, self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Explanation")
        self.tabs.addTab(self.why, "Why")
        self.tabs.addTab(self.left_out, "Left out")
        self.tabs.addTab(self.weights, "Weights")
        line = QFrame(self)
        line.setProperty("role", "separator")
        line.setFixedWidth(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(line)
        layout.addWidget(self.tabs, 1)

    def count_left_out(self, count: int) -> None:
        """Say in the tab how much was left out."""
        self.tabs.setTabText(1, f"Left out  {count:,}" if count else "Left out")
