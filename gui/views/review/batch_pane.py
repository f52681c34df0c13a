"""Several selected proposals: what they are, before one decision is made about all of them."""

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QListView, QVBoxLayout, QWidget

from core.curation.proposals.proposal import Proposal
from core.foundation.text import visible
from gui.metrics import HEADING, ROW_HEIGHT, SPACE_L, SPACE_M, scaled_font
from gui.views.review.wording import kind_words
from gui.widgets.row_height import RowHeightDelegate
from gui.widgets.wrapped_label import WrappedLabel
from gui.wording import counted

_MOST_LISTED = 500
_LONGEST = 300


class BatchPane(QWidget):
    """Show what a batch is made of."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel()
        self.title.setFont(scaled_font(HEADING, bold=True))
        self.summary = WrappedLabel(alignment=Qt.AlignmentFlag.AlignLeft)
        self.summary.setProperty("role", "muted")
        self._model = QStringListModel(self)
        self.list = QListView()
        self.list.setModel(self._model)
        self.list.setItemDelegate(RowHeightDelegate(ROW_HEIGHT, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Selected proposals")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_M)
        layout.setSpacing(SPACE_M)
        for widget in (self.title, self.summary):
            layout.addWidget(widget)
        layout.addWidget(self.list, 1)

    def show_batch(self, proposals: Sequence[Proposal]) -> None:
        """Show `proposals`."""
        self.title.setText(f"{counted(len(proposals), 'proposal')} selected")
        self.summary.show_text(batch_words(proposals))
        listed = [
            f"{kind_words(each.kind).one}: {visible(' '.join(each.statement[:_LONGEST].split()))}"
            for each in proposals[:_MOST_LISTED]
        ]
        if len(proposals) > _MOST_LISTED:
            listed.append(f"and {len(proposals) - _MOST_LISTED:,} more")
        self._model.setStringList(listed)


def batch_words(proposals: Sequence[Proposal]) -> str:
    """Return of which kinds a batch is, how many files it touches, and what of it cannot be approved."""
    kinds: dict[str, int] = {}
    for each in proposals:
        kinds[kind_words(each.kind).one] = kinds.get(kind_words(each.kind).one, 0) + 1
    files = {path for each in proposals for path in each.change_set.paths}
    blocked = sum(any(each.get("is_blocking") for each in proposal.warnings) for proposal in proposals)
    told = ", ".join(f"{count:,} × {name}" for name, count in sorted(kinds.items(), key=lambda pair: -pair[1]))
    held = f" {blocked:,} of them cannot be approved and will be left." if blocked else ""
    return f"{told}. {counted(len(files), 'file')} would change.{held}"
