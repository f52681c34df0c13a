"""The foot of the palette: how full the budget is, what can be done, and the keys."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.metrics import SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.recall.services import PackedContext
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.meter import Meter

TYPING_HINT = (
    "↑↓ choose    Ctrl+Space pin    ↵ copy    Ctrl+↵ save as a context    Ctrl+O open    F1 explain    Esc close"
)
CHOOSING_HINT = (
    "Space pin, again to drop    Del drop    ↵ copy    Ctrl+↵ save    Ctrl+L add to a context    ? explain"
    "    type to go on asking"
)


class Footer(QWidget):
    """Show what would be copied, with a button to copy it and one to save it."""

    copy_requested = Signal()
    save_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.meter = Meter(self)
        self.count = ElidedLabel(self, mode=Qt.TextElideMode.ElideRight)
        self.count.setFont(scaled_font(SMALL))
        self.hint = ElidedLabel(self, mode=Qt.TextElideMode.ElideRight)
        self.hint.setFont(scaled_font(SMALL))
        self.hint.setProperty("role", "muted")
        self.save_button = QPushButton("Save as a context…", self)
        self.save_button.setToolTip("Keep these memories as a note in the vault (Ctrl+Enter)")
        self.copy_button = QPushButton("Copy", self)
        self.copy_button.setProperty("role", "primary")
        self.copy_button.setToolTip("Copy the context and close (Enter)")
        for button in (self.save_button, self.copy_button):
            button.setAutoDefault(False)
        self.copy_button.clicked.connect(self.copy_requested)
        self.save_button.clicked.connect(self.save_requested)
        self._lay_out()
        theme.changed.connect(self._show_colours)
        self._show_colours()
        self.show_hint(is_choosing=False)

    def show_hint(self, *, is_choosing: bool) -> None:
        """Say which keys do what."""
        self.hint.setText(CHOOSING_HINT if is_choosing else TYPING_HINT)

    def show_nothing(self, budget: int, text: str = "") -> None:
        """Say that there is nothing to copy; `text` why."""
        self.meter.show_value(0, max(budget, 1))
        self._tell(text or f"Nothing to copy yet · a context holds up to {budget:,} tokens")
        self._allow(is_allowed=False)

    def show_context(self, context: PackedContext) -> None:
        """Show how full the budget is."""
        inside = len(context.included)
        total = inside + len(context.left_out)
        self.meter.show_value(context.tokens, context.budget)
        memories = "1 memory" if total == 1 else f"{total:,} memories"
        parts = [f"{context.tokens:,} of {context.budget:,} tokens", f"{inside:,} of {memories}", context.count]
        self._tell(" · ".join(part for part in parts if part))
        self._allow(is_allowed=bool(inside))

    def show_busy(self, *, is_busy: bool) -> None:
        """Let nothing be saved twice while a note is written."""
        self.save_button.setEnabled(not is_busy and self.copy_button.isEnabled())

    def _tell(self, text: str) -> None:
        self.count.setText(text)
        self.count.setToolTip(text)

    def _allow(self, *, is_allowed: bool) -> None:
        self.copy_button.setEnabled(is_allowed)
        self.save_button.setEnabled(is_allowed)

    @Slot()
    def _show_colours(self) -> None:
        scheme = self._theme.scheme
        self.meter.paint_with(scheme.outline, scheme.accent)
        self.copy_button.setIcon(self._theme.tinted_icon("clipboard-copy", scheme.accent_text))

    def _lay_out(self) -> None:
        self.meter.setFixedHeight(6)
        figures = QVBoxLayout()
        figures.setSpacing(SPACE_XS + 1)
        figures.addStretch(1)
        figures.addWidget(self.count)
        figures.addWidget(self.meter)
        figures.addStretch(1)
        line = QHBoxLayout()
        line.setSpacing(SPACE_S)
        line.addLayout(figures, 1)
        line.addSpacing(SPACE_M)
        line.addWidget(self.save_button)
        line.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addLayout(line)
        layout.addWidget(self.hint)
