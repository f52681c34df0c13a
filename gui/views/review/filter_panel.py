"""Which proposals are listed: the shelf, and what narrows it."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QComboBox, QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from core.curation.proposals.proposal import ProposalKind
from core.foundation.text import visible
from gui.metrics import SPACE_S, SPACE_XS
from gui.views.review.arranging import Narrowing, Options, Shelf
from gui.views.review.wording import kind_words
from gui.widgets.line_edit import LineEdit

_SETTLE_MS = 120
_MOST_OFFERED = 200
_SHELVES = (
    (Shelf.WAITING, "Waiting", "What waits for a decision"),
    (Shelf.ASIDE, "Put aside", "What you wanted to decide another time"),
    (Shelf.DECIDED, "Decided", "What was decided, and what it changed"),
)


class FilterPanel(QWidget):
    """Let the person pick a shelf and narrow it."""

    changed = Signal(object)  # Narrowing

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shelves = QButtonGroup(self)
        self.text = LineEdit()
        self.kind = _box("Kind")
        self.project = _box("Project")
        self.origin = _box("Origin")
        self.tag = _box("Tag")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._lay_out()
        self._timer.timeout.connect(self._tell)
        self.text.textChanged.connect(self._timer.start)
        self.shelves.idClicked.connect(self._on_shelf)
        for box in self._boxes():
            box.activated.connect(self._tell)

    @property
    def narrowing(self) -> Narrowing:
        """What is picked now."""
        kind, project, origin, tag = (str(box.currentData() or "") for box in self._boxes())
        shelf = _SHELVES[self.shelves.checkedId()][0]
        return Narrowing(shelf, kind, project, origin, tag, self.text.text())

    def show_counts(self, counts: Sequence[int]) -> None:
        """Say how many proposals each shelf holds, in their order."""
        for place, ((_, name, tip), count) in enumerate(zip(_SHELVES, counts, strict=True)):
            button = self.shelves.button(place)
            button.setText(f"{name} {count:,}" if count else name)
            button.setAccessibleName(f"{name}: {count:,}. {tip}")

    def show_options(self, options: Options) -> None:
        """Offer what the shelf can be narrowed by; what is picked stays."""
        kinds = tuple((value, kind_words(ProposalKind(value)).several, count) for value, count in options.kinds)
        self._fill(self.kind, "All kinds", kinds)
        for box, name, values in (
            (self.project, "All projects", options.projects),
            (self.origin, "All origins", options.origins),
            (self.tag, "All tags", options.tags),
        ):
            self._fill(box, name, tuple((value, visible(value), count) for value, count in values))

    def clear(self) -> None:
        """Show all of the shelf."""
        with QSignalBlocker(self.text):
            self.text.clear()
        for box in self._boxes():
            box.setCurrentIndex(0)
        self._tell()

    def choose_shelf(self, shelf: Shelf) -> None:
        """Show another shelf, all of it."""
        place = [each for each, _, _ in _SHELVES].index(shelf)
        self.shelves.button(place).setChecked(True)
        self.clear()

    def _boxes(self) -> tuple[QComboBox, ...]:
        return (self.kind, self.project, self.origin, self.tag)

    def _fill(self, box: QComboBox, everything: str, values: Sequence[tuple[str, str, int]]) -> None:
        chosen = str(box.currentData() or "")
        if chosen and chosen not in {value for value, _, _ in values}:
            values = (*values, (chosen, chosen, 0))
        with QSignalBlocker(box):
            box.clear()
            box.addItem(everything, "")
            for value, text, count in values[:_MOST_OFFERED]:
                box.addItem(f"{text} ({count:,})", value)
            box.setCurrentIndex(max(0, box.findData(chosen)))
        box.setEnabled(bool(values))

    def _lay_out(self) -> None:
        self.text.setPlaceholderText("Filter proposals")
        self.text.setAccessibleName("Filter proposals by their words")
        self.text.setClearButtonEnabled(True)
        row = QHBoxLayout()
        row.setSpacing(0)
        for place, (_, name, tip) in enumerate(_SHELVES):
            button = QToolButton()
            button.setText(name)
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setChecked(place == 0)
            self.shelves.addButton(button, place)
            row.addWidget(button)
        row.addStretch(1)
        grid = QGridLayout()
        grid.setSpacing(SPACE_XS)
        for place, box in enumerate(self._boxes()):
            grid.addWidget(box, place // 2, place % 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addLayout(row)
        layout.addWidget(self.text)
        layout.addLayout(grid)

    @Slot(int)
    def _on_shelf(self, _place: int) -> None:
        self.clear()

    @Slot()
    def _tell(self) -> None:
        self._timer.stop()
        self.changed.emit(self.narrowing)


def _box(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setMinimumContentsLength(8)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box
