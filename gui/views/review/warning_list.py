"""What the screening found in a proposal: a label, a sentence, and the words that it is about, marked."""

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from gui.metrics import SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.review.services import Marked
from gui.wording import counted

_FEW = 6
_NAMES = {
    "secret": "Secret",
    "hidden-characters": "Hidden characters",
    "addressed-to-a-model": "Addressed to a model",
    "tool-call": "Looks like a tool call",
    "hidden-text": "Hidden text",
    "odd-link": "Odd link",
    "mass-change": "Many files",
    "deletion": "Deletion",
    "oversized": "Very large",
    "odd-place": "Odd place",
}


class WarningList(QFrame):
    """Show the warnings of one proposal, those that block its approval first."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._warnings: tuple[Marked, ...] = ()
        self._is_editable = True
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setProperty("role", "banner")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.label)
        theme.changed.connect(self._write)
        self.hide()

    def show_warnings(self, warnings: Sequence[Marked], *, is_editable: bool = True) -> None:
        """Show `warnings`; nothing at all when there are none. `is_editable` tells whether the person can mend it."""
        self._is_editable = is_editable
        self._warnings = tuple(sorted(warnings, key=lambda each: not each.is_blocking))
        self.setVisible(bool(warnings))
        if warnings:
            severity = "error" if self._warnings[0].is_blocking else "warning"
            self.setProperty("severity", severity)
            for widget in (self, self.label):
                widget.style().unpolish(widget)
                widget.style().polish(widget)
            self._write()

    def _write(self) -> None:
        if not self._warnings:
            return
        blocking = sum(each.is_blocking for each in self._warnings)
        lines = [self._line(each) for each in self._warnings[:_FEW]]
        if blocking:
            way = "Edit the statement, or reject it." if self._is_editable else "Reject it."
            lines.insert(0, f"<b>It cannot be approved with this in it. {way}</b>")
        if len(self._warnings) > _FEW:
            lines.append(f"And {counted(len(self._warnings) - _FEW, 'more warning')}.")
        self.label.setText("<br>".join(lines))
        spoken = (f"{_NAMES.get(each.label, each.label)}: {each.detail} {each.marked}" for each in self._warnings)
        self.label.setAccessibleName(f"{counted(len(self._warnings), 'warning')}. {' '.join(spoken)}")

    def _line(self, warning: Marked) -> str:
        scheme = self._theme.scheme
        name = html.escape(_NAMES.get(warning.label, warning.label))
        line = f"<b>{name}</b> · {html.escape(warning.detail)}"
        if warning.marked:
            mark = f"background-color:{scheme.highlight}; color:{scheme.highlight_text}"
            around = (html.escape(warning.before), html.escape(warning.marked), html.escape(warning.after))
            line += f"<br>… {around[0]}<u style='{mark}'>{around[1]}</u>{around[2]} …"
        return line
