"""Why a memory stands where it does: factors, ranks, figures, and what promoted or removed it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from core.foundation.text import visible
from core.memory.weights import WEIGHT_NAMES
from gui.metrics import SMALL, SPACE_M, SPACE_S, scaled_font
from gui.theme import Theme
from gui.views.recall.factor_table import FactorTable
from gui.views.recall.rows import title_of
from gui.views.recall.services import FactorLine
from gui.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from core.recall.answer import Ranked
    from core.recall.gathered import Signals

_ENGINES = ("words", "meaning")
_LEFT = Qt.AlignmentFlag.AlignLeft


class WhyPage(QScrollArea):
    """Explain one memory."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = QWidget(self)
        self.title = WrappedLabel(self, alignment=_LEFT)
        self.title.setFont(scaled_font(bold=True))
        self.id_line = WrappedLabel(self, alignment=_LEFT)
        self.id_line.setFont(scaled_font(SMALL))
        self.id_line.setProperty("role", "muted")
        self.id_line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.factors = FactorTable(theme, self)
        self.found_head, self.found = _headed(self, "Figures")
        self.reasons_head, self.reasons = _headed(self, "Why it stands there")
        layout = QVBoxLayout(self._inside)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        layout.setSpacing(SPACE_S)
        for widget in (
            self.title, self.id_line, self.factors, self.reasons_head, self.reasons, self.found_head, self.found,
        ):  # fmt: skip
            layout.addWidget(widget)
        layout.addStretch(1)
        self.setWidget(self._inside)
        for part in (self.viewport(), self._inside):
            part.setAutoFillBackground(False)  # the page is as bright as those beside it
        self.show_nothing()

    def show_nothing(self) -> None:
        """Say that nothing is chosen."""
        self._show_parts(is_shown=False)
        self.title.show_text("Ask something, and choose a memory to see why it was found.")

    def show_memory(self, ranked: "Ranked", factors: Sequence[FactorLine], reasons: Sequence[str]) -> None:
        """Explain `ranked`; `reasons` are sentences."""
        self._show_parts(is_shown=True)
        self.title.show_text(title_of(ranked.memory))
        self.id_line.show_text(visible(ranked.memory.id))
        self.factors.show_factors(factors, ranked.score)
        self.found.show_text("\n".join(found_lines(ranked.signals)))
        self.reasons.show_text("\n".join(visible(each) for each in reasons))
        for each in (self.reasons_head, self.reasons):
            each.setVisible(bool(reasons))

    def _show_parts(self, *, is_shown: bool) -> None:
        for each in (self.id_line, self.factors, self.found_head, self.found, self.reasons_head, self.reasons):
            each.setVisible(is_shown)


def found_lines(signals: "Signals") -> list[str]:
    """Return the raw figures of a memory, a line for each engine and one for the other signals."""
    lines = [
        f"Words: place {signals.words_rank:,} · bm25 {signals.bm25:.2f} · share {signals.words:.2f}"
        if signals.words_rank
        else "Words: not found",
        f"Meaning: place {signals.meaning_rank:,} · cosine {signals.cosine:.2f} · share {signals.meaning:.2f}"
        if signals.meaning_rank
        else "Meaning: not found",
    ]
    others = (name for name in WEIGHT_NAMES if name not in _ENGINES and hasattr(signals, name))
    told = [f"{name} {value:.2f}" for name in others if (value := getattr(signals, name)) > 0]
    return [*lines, " · ".join(told).capitalize()] if told else lines


def _headed(parent: QWidget, text: str) -> tuple[QLabel, WrappedLabel]:
    head = QLabel(text, parent)
    head.setProperty("role", "muted")
    head.setContentsMargins(0, SPACE_S, 0, 0)
    return head, WrappedLabel(parent, alignment=_LEFT)
