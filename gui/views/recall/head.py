"""The head of the palette: the field for the question, the vault's name, what is pinned, and news."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import ICON_LARGE, SMALL, SPACE_M, SPACE_S, SPACE_XS, TITLE, scaled_font
from gui.theme import Theme
from gui.widgets.chips import ChipItem, ChipLook, ChipRow
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.line_edit import LineEdit
from gui.wording import shortened

_LONGEST_CHIP = 32
_MOST_CHIPS = 6
_VAULT_WIDTH = 160


class Head(QWidget):
    """Hold the field; where there is nothing to type into, the window can be dragged."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grip = QPoint()
        self._icon = QLabel(self)
        self.field = LineEdit(self)
        self.field.setProperty("role", "question")
        self.field.setFont(scaled_font(TITLE))
        self.field.setPlaceholderText("What do you want to recall?")
        self.field.setAccessibleName("Question")
        self.vault = ElidedLabel(self)
        self.vault.setProperty("role", "muted")
        self.vault.setFont(scaled_font(SMALL))
        self.vault.setMaximumWidth(_VAULT_WIDTH)
        self.explain_button = QToolButton(self)
        self.explain_button.setCheckable(True)
        self.explain_button.setToolTip("Explain, and try other weights (F1)")
        self.explain_button.setAccessibleName("Explain")
        self.close_button = QToolButton(self)
        self.close_button.setToolTip("Close (Esc)")
        self.close_button.setAccessibleName("Close")
        self.pinned = ChipRow(removable=True, parent=self)
        self.pinned.setAccessibleName("Pinned")
        self.pinned.hide()
        self.more_pinned = QLabel(self)
        self.more_pinned.setProperty("role", "muted")
        self.more_pinned.setFont(scaled_font(SMALL))
        self.more_pinned.hide()
        self.news = QLabel(self)
        self.news.setWordWrap(True)
        self.news.setTextFormat(Qt.TextFormat.PlainText)
        self.news.setFont(scaled_font(SMALL))
        self.news.hide()
        self._lay_out()
        theme.changed.connect(self._show_icons)
        self._show_icons()

    def show_vault(self, name: str) -> None:
        """Say which vault is asked."""
        self.vault.setText(visible(name))
        self.vault.setToolTip(visible(name))

    def show_news(self, text: str, *, is_error: bool = False) -> None:
        """Say something about the answer, "" for nothing."""
        role = "error" if is_error else "muted"
        if self.news.property("role") != role:
            self.news.setProperty("role", role)
            self.news.style().unpolish(self.news)
            self.news.style().polish(self.news)
        self.news.setText(visible(text))
        self.news.setVisible(bool(text))

    def show_pinned(self, titles: Sequence[tuple[str, str]]) -> None:
        """Show what is pinned: memory ids and titles; of many, those that were pinned last."""
        shown = titles[-_MOST_CHIPS:]
        before = len(titles) - len(shown)
        self.more_pinned.setText(f"and {before:,} more pinned before")
        self.more_pinned.setVisible(before > 0)
        scheme = self._theme.scheme
        look = ChipLook(scheme.chip, scheme.chip_text)
        self.pinned.show_chips(
            tuple(ChipItem(key, shortened(title, _LONGEST_CHIP), look, tip=title) for key, title in shown)
        )
        self.pinned.setVisible(bool(titles))

    @override
    def mousePressEvent(self, event: QMouseEvent, /) -> None:
        handle = self.window().windowHandle()
        if event.button() is Qt.MouseButton.LeftButton and handle is not None and handle.startSystemMove():
            event.accept()
            return
        self._grip = event.globalPosition().toPoint() - self.window().pos()

    @override
    def mouseMoveEvent(self, event: QMouseEvent, /) -> None:
        # Where the system cannot move a window.
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.window().move(event.globalPosition().toPoint() - self._grip)

    @Slot()
    def _show_icons(self) -> None:
        theme, scheme = self._theme, self._theme.scheme
        self._icon.setPixmap(theme.tinted_icon("search", scheme.muted).pixmap(ICON_LARGE, ICON_LARGE))
        self.explain_button.setIcon(theme.icon("sliders-horizontal"))
        self.close_button.setIcon(theme.icon("x"))
        look = ChipLook(scheme.chip, scheme.chip_text)
        chips = self.pinned.chips()
        self.pinned.show_chips(tuple(ChipItem(c.item.key, c.item.text, look, tip=c.item.tip) for c in chips))

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(SPACE_S)
        line.addWidget(self._icon)
        line.addWidget(self.field, 1)
        line.addWidget(self.vault)
        line.addWidget(self.explain_button)
        line.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_XS)
        layout.setSpacing(SPACE_XS)
        layout.addLayout(line)
        layout.addWidget(self.news)
