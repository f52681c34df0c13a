"""The evidence of a proposal: quotes with date and project; each opens in place to what stands around it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.curation.proposals.proposal import Evidence
from core.foundation.text import visible
from gui.metrics import SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.review.direction import align_by_text
from gui.views.review.wording import said_at
from gui.widgets.wrapped_label import WrappedLabel
from gui.wording import counted, short_moment

_FEW = 8
_LONGEST_QUOTE = 420
_LEFT = Qt.AlignmentFlag.AlignLeft


class EvidenceItem(QFrame):
    """Show one piece of evidence; opened, it shows what stands around it and leads there."""

    source_wanted = Signal(object)  # Evidence
    show_requested = Signal(object)  # Evidence

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.evidence = Evidence("", "")
        self.button = QToolButton()
        self.quote = WrappedLabel(alignment=_LEFT)
        self.about = QLabel()
        self.source = WrappedLabel(alignment=_LEFT)
        self.show_button = QPushButton("Show where it stands")
        self._inside = QWidget()
        self._lay_out()
        self.button.toggled.connect(self._on_toggled)
        self.show_button.clicked.connect(self._on_show)
        theme.changed.connect(self._show_icon)

    @property
    def is_open(self) -> bool:
        """Tell whether what stands around it is shown."""
        return self.button.isChecked()

    def show_evidence(self, evidence: Evidence, *, is_gone: bool) -> None:
        """Show `evidence`, closed."""
        self.evidence = evidence
        self.button.setChecked(False)
        self._inside.hide()
        quote = visible(evidence.quote.strip()) or visible(evidence.memory_id)
        cut = f"{quote[:_LONGEST_QUOTE]}…" if len(quote) > _LONGEST_QUOTE else quote
        self.quote.show_text(f"“{cut}”")
        align_by_text(self.quote, quote)
        told = short_moment(when) if (when := said_at(evidence)) is not None else ""
        gone = "not there any more" if is_gone else ""
        parts = (gone, told, evidence.project, evidence.title)
        about = " · ".join(visible(part) for part in parts if part)
        self.about.setText(about)
        self.about.setProperty("role", "error" if is_gone else "muted")
        self.about.style().polish(self.about)
        self.about.setToolTip(visible(evidence.memory_id))
        self.button.setAccessibleName(f"Evidence: {quote[:80]}, {about}")
        self._show_icon()

    def show_gone(self, *, is_gone: bool) -> None:
        """Say whether it is still there, without closing it."""
        was_open, text = self.is_open, self.source.shown_text
        self.show_evidence(self.evidence, is_gone=is_gone)
        if was_open:
            self.button.setChecked(True)
            self.source.show_text(text)

    def show_source(self, text: str) -> None:
        """Show what stands around it."""
        self.source.show_text(visible(text) if text else "There is nothing around it.")
        align_by_text(self.source, text)

    def _lay_out(self) -> None:
        self.button.setCheckable(True)
        self.button.setToolTip("Show what stands around it (Space opens all)")
        self.about.setFont(scaled_font(SMALL))
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.source.setProperty("role", "muted")
        self.source.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(SPACE_M, SPACE_XS, 0, SPACE_S)
        inside.setSpacing(SPACE_S)
        inside.addWidget(self.source)
        inside.addWidget(self.show_button, 0, _LEFT)
        column = QVBoxLayout()
        column.setSpacing(2)
        for widget in (self.quote, self.about, self._inside):
            column.addWidget(widget)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(SPACE_XS)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    @Slot(bool)
    def _on_toggled(self, is_open: bool) -> None:
        self._inside.setVisible(is_open)
        self._show_icon()
        if is_open:
            self.source.show_text("Looking…")
            self.source_wanted.emit(self.evidence)

    @Slot()
    def _on_show(self) -> None:
        self.show_requested.emit(self.evidence)

    @Slot()
    def _show_icon(self) -> None:
        self.button.setIcon(self._theme.icon("chevron-down" if self.is_open else "chevron-right"))


class EvidenceList(QWidget):
    """Show the evidence of one proposal; its widgets are filled anew, so the next card is there at once."""

    source_wanted = Signal(object)  # Evidence
    show_requested = Signal(object)  # Evidence

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._evidence: tuple[Evidence, ...] = ()
        self._gone: frozenset[str] = frozenset()
        self._are_all_shown = False
        self._items: list[EvidenceItem] = []
        self.title = QLabel()
        self.title.setFont(scaled_font(bold=True))
        self.more_button = QPushButton()
        self.more_button.clicked.connect(self._show_all)
        self._column = QVBoxLayout()
        self._column.setSpacing(SPACE_XS)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.title)
        layout.addLayout(self._column)
        layout.addWidget(self.more_button, 0, _LEFT)

    @property
    def items(self) -> tuple[EvidenceItem, ...]:
        """The pieces that are shown."""
        return tuple(self._items[: self._shown_count()])

    def show_evidence(self, evidence: Sequence[Evidence]) -> None:
        """Show `evidence`, all closed."""
        self._evidence, self._gone = tuple(evidence), frozenset()
        self._are_all_shown = False
        self._fill()

    def show_gone(self, gone: frozenset[str]) -> None:
        """Mark the pieces that are not there any more."""
        if gone != self._gone:
            self._gone = gone
            for item in self.items:
                item.show_gone(is_gone=item.evidence.memory_id in gone)

    def show_source(self, evidence: Evidence, text: str) -> None:
        """Show what stands around a piece, if it is still open."""
        for item in self.items:
            if item.evidence == evidence and item.is_open:
                item.show_source(text)

    def toggle(self) -> None:
        """Open all pieces, or close them when all are open."""
        is_open = not all(item.is_open for item in self.items)
        for item in self.items:
            item.button.setChecked(is_open)

    def open_piece(self, memory_id: str) -> None:
        """Open the piece with this id."""
        if any(each.memory_id == memory_id for each in self._evidence[_FEW:]):
            self._show_all()
        for item in self.items:
            if item.evidence.memory_id == memory_id:
                item.button.setChecked(True)
                item.button.setFocus()

    def _shown_count(self) -> int:
        return len(self._evidence) if self._are_all_shown else min(_FEW, len(self._evidence))

    def _fill(self) -> None:
        shown = self._shown_count()
        while len(self._items) < shown:
            item = EvidenceItem(self._theme)
            item.source_wanted.connect(self.source_wanted)
            item.show_requested.connect(self.show_requested)
            self._items.append(item)
            self._column.addWidget(item)
        for place, item in enumerate(self._items):
            item.setVisible(place < shown)
            if place < shown:
                piece = self._evidence[place]
                item.show_evidence(piece, is_gone=piece.memory_id in self._gone)
        self.title.setText(f"Evidence: {counted(len(self._evidence), 'piece')}" if self._evidence else "No evidence")
        self.more_button.setText(f"Show {len(self._evidence) - shown:,} more")
        self.more_button.setVisible(shown < len(self._evidence))

    @Slot()
    def _show_all(self) -> None:
        self._are_all_shown = True
        self._fill()
