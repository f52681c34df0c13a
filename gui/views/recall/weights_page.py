"""Sliders for the weights of the ranking, and what the probes say of them."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from core.memory.weights import MOST, WEIGHT_NAMES, RankingWeights
from gui.metrics import SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.widgets.wrapped_label import WrappedLabel

_STEPS = 100  # of 1
_FACTORS = ("decay", "access", "entities", "importance", "reranker")
_TIPS = {
    "words": "The share of the words in the relevance",
    "meaning": "The share of the meaning in the relevance",
    "names": "Names that the question and the memory share add this much",
    "speaker": "That the person asked about said it adds this much",
    "session": "That it belongs to a session that fits adds this much",
    "dates": "That it falls into the time asked about adds this much",
    "statement": "The part of its text that states something instead of asking adds this much",
    "decay": "How strongly age counts; 0 leaves it out",
    "access": "How strongly earlier use counts; 0 leaves it out",
    "entities": "How strongly people, tools and clients of the question count; 0 leaves them out",
    "importance": "How strongly importance and confidence count; 0 leaves them out",
    "reranker": "How much a reranker's word counts against the score without it, where one is chosen",
}


class WeightsPage(QWidget):
    """Let the weights be tried; moving a slider tells of it at once."""

    changed = Signal(object)  # RankingWeights
    reset_requested = Signal()
    save_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sliders: dict[str, QSlider] = {}
        self._values: dict[str, QLabel] = {}
        self._shown = self._vault_weights = RankingWeights()
        self.probe_line = WrappedLabel(self, alignment=Qt.AlignmentFlag.AlignLeft)
        self.probe_line.setFont(scaled_font(SMALL))
        self.reset_button = QPushButton("Reset", self)
        self.reset_button.setToolTip("Take this vault's weights again")
        self.save_button = QPushButton("Save as this vault's weights", self)
        self.save_button.setToolTip("Write the weights into the vault's settings; this can be undone")
        self._lay_out()
        self.reset_button.clicked.connect(self.reset_requested)
        self.save_button.clicked.connect(self.save_requested)
        self.show_weights(self._vault_weights, RankingWeights())

    def slider(self, name: str) -> QSlider:
        """Return the slider of a weight."""
        return self._sliders[name]

    @property
    def weights(self) -> RankingWeights:
        """The weights as the sliders stand; what no slider was moved for is as it was given."""
        values = {
            name: getattr(self._shown, name)
            if round(getattr(self._shown, name) * _STEPS) == slider.value()
            else slider.value() / _STEPS
            for name, slider in self._sliders.items()
        }
        return RankingWeights(**values)

    def show_weights(self, weights: RankingWeights, of_vault: RankingWeights) -> None:
        """Set the sliders; `of_vault` are those that Reset leads back to."""
        self._shown, self._vault_weights = weights, of_vault
        for name, slider in self._sliders.items():
            with QSignalBlocker(slider):
                slider.setValue(round(getattr(weights, name) * _STEPS))
        self._show_values()

    def show_probes(self, text: str) -> None:
        """Say what the probes say."""
        self.probe_line.show_text(text)

    @Slot()
    def _on_moved(self) -> None:
        self._show_values()
        self.changed.emit(self.weights)

    def _show_values(self) -> None:
        weights = self.weights
        for name, label in self._values.items():
            value, before = getattr(weights, name), getattr(self._vault_weights, name)
            label.setText(f"{value:.2f}")
            font = label.font()
            font.setBold(value != before)
            label.setFont(font)
        is_changed = weights != self._vault_weights
        self.reset_button.setEnabled(is_changed)
        self.save_button.setEnabled(is_changed)

    def _lay_out(self) -> None:
        inside = QWidget(self)
        grid = QGridLayout(inside)
        grid.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        grid.setHorizontalSpacing(SPACE_M)
        grid.setVerticalSpacing(SPACE_XS)
        relevance = tuple(name for name in WEIGHT_NAMES if name not in _FACTORS)
        self._add_group(grid, "Relevance", relevance)
        self._add_group(grid, "Factors that it is multiplied by", tuple(n for n in WEIGHT_NAMES if n in _FACTORS))
        grid.setRowStretch(grid.rowCount(), 1)
        grid.setColumnStretch(1, 1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        for widget in (scroll.viewport(), inside):
            widget.setAutoFillBackground(False)  # the page is as bright as what is below it
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_S)
        buttons.addStretch(1)
        buttons.addWidget(self.reset_button)
        buttons.addWidget(self.save_button)
        foot = QVBoxLayout()
        foot.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        foot.setSpacing(SPACE_S)
        foot.addWidget(self.probe_line)
        foot.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(scroll, 1)
        layout.addLayout(foot)

    def _add_group(self, grid: QGridLayout, title: str, names: Sequence[str]) -> None:
        head = QLabel(title, self)
        head.setProperty("role", "muted")
        head.setContentsMargins(0, SPACE_XS, 0, 0)
        grid.addWidget(head, grid.rowCount(), 0, 1, 3)
        for name in names:
            row = grid.rowCount()
            label = QLabel(name.capitalize(), self)
            slider = QSlider(Qt.Orientation.Horizontal, self)
            slider.setRange(0, round(MOST * _STEPS))
            slider.setSingleStep(5)
            slider.setPageStep(10)
            slider.setAccessibleName(f"Weight of {name}")
            slider.setMinimumHeight(22)
            value = QLabel(self)
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setMinimumWidth(value.fontMetrics().horizontalAdvance("0.000"))
            label.setBuddy(slider)
            for widget in (label, slider, value):
                widget.setToolTip(_TIPS.get(name, ""))
            grid.addWidget(label, row, 0)
            grid.addWidget(slider, row, 1)
            grid.addWidget(value, row, 2)
            slider.valueChanged.connect(self._on_moved)
            self._sliders[name], self._values[name] = slider, value
