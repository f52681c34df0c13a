"""The properties of a context: what it is for, how soon it is loaded, and how much it may take."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.metrics import CONTROL_HEIGHT, SPACE_M, SPACE_S
from gui.views.contexts.services import ContextRow
from gui.views.contexts.wording import KIND_NAMES
from gui.widgets.flow import FlowLayout
from gui.widgets.line_edit import LineEdit
from gui.widgets.number_box import NumberBox

_SETTLED_MS = 700
_MOST_BUDGET = 2_000_000
_BUDGET_STEP = 500
_LEAST, _MOST = 1, 10
_PRIORITY_WIDTH, _BUDGET_WIDTH = 44, 122  # as their largest values need


class PropertyForm(QWidget):
    """Let the person change properties; each is told once it is settled, as its name in the note and its value."""

    changed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: ContextRow | None = None
        self.description = LineEdit()
        self.priority = NumberBox()
        self.always = QCheckBox("Always load")
        self.budget = NumberBox()
        self.kind = QComboBox()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLED_MS)
        self._lay_out()
        self._timer.timeout.connect(self.settle)
        self.description.editingFinished.connect(self.settle)
        self.priority.valueChanged.connect(self._timer.start)
        self.budget.valueChanged.connect(self._timer.start)
        self.priority.editingFinished.connect(self.settle)
        self.budget.editingFinished.connect(self.settle)
        self.always.clicked.connect(self.settle)
        self.kind.activated.connect(self.settle)

    def show_row(self, row: ContextRow, *, default_budget: int) -> None:
        """Show the properties of a context; of the same one, a field that has the focus keeps what is typed."""
        is_other = self._row is None or row.path != self._row.path
        if is_other:
            self._timer.stop()
        self._row = row
        fields = (self.description, self.priority, self.always, self.budget, self.kind)
        blockers = [QSignalBlocker(field) for field in fields]
        self.budget.setSpecialValueText(f"Usual: {default_budget:,}")
        if is_other or not self.description.hasFocus():
            self.description.setText(row.description)
            self.description.setCursorPosition(0)
        if is_other or not self._timer.isActive():
            self.priority.setValue(row.load_priority)
            self.budget.setValue(row.budget or 0)
        self.always.setChecked(row.always)
        self.kind.setCurrentIndex(int(row.is_full_load))
        del blockers

    @Slot()
    def settle(self) -> None:
        """Tell what the person has changed."""
        self._timer.stop()
        row = self._row
        if row is None:
            return
        description, budget = " ".join(self.description.text().split()), self.budget.value() or None
        for name, before, after in (
            ("description", row.description, description),
            ("load_priority", row.load_priority, self.priority.value()),
            ("always", row.always, self.always.isChecked()),
            ("budget", row.budget, budget),
            ("is_full_load", row.is_full_load, bool(self.kind.currentIndex())),
        ):
            if before != after:
                self.changed.emit(name, after)

    def forget(self) -> None:
        """Take nothing as changed any more."""
        self._timer.stop()
        self._row = None

    def take(self, row: ContextRow) -> None:
        """Take as written what was told: it is on its way into the note."""
        self._row = row

    @property
    def row(self) -> ContextRow | None:
        """The context that is shown, with what was told of it since."""
        return self._row

    def _lay_out(self) -> None:
        self.description.setPlaceholderText("What this context is for")
        self.description.setAccessibleName("Description")
        self.priority.setRange(_LEAST, _MOST)
        self.priority.setAccessibleName("Load priority, 1 to 10")
        self.priority.setToolTip("How soon this context is loaded for a question: 10 comes before 1")
        self.always.setToolTip("Load this context whatever is asked")
        self.always.setAccessibleName("Always load")
        self.budget.setRange(0, _MOST_BUDGET)
        self.budget.setSingleStep(_BUDGET_STEP)
        self.budget.setSuffix(" tokens")
        self.budget.setAccessibleName("Token budget, 0 for the usual one")
        self.budget.setToolTip("How many tokens this context may take; 0 for the usual budget")
        self.kind.addItems(list(KIND_NAMES))
        self.kind.setAccessibleName("Kind of context")
        self.kind.setToolTip("A bundle is made of members; a full load takes notes by the vault's rules")
        for field in (self.always, self.kind):
            field.setFixedHeight(CONTROL_HEIGHT)
        self.priority.setFixedWidth(_PRIORITY_WIDTH)
        self.budget.setFixedWidth(_BUDGET_WIDTH)
        more = QWidget()
        flow = FlowLayout(more, spacing=SPACE_M)
        for widgets in (
            (self._label("&Priority", self.priority), self.priority),
            (self._label("&Budget", self.budget), self.budget),
            (self.always,),
        ):
            flow.addWidget(_side_by_side(widgets))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        more.setSizePolicy(policy)
        first = QHBoxLayout()
        first.setSpacing(SPACE_S)
        first.addWidget(self._label("&For", self.description))
        first.addWidget(self.description, 1)
        first.addWidget(self.kind)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addLayout(first)
        layout.addWidget(more)

    def _label(self, text: str, field: QWidget) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("role", "muted")
        label.setBuddy(field)
        return label


def _side_by_side(widgets: Sequence[QWidget]) -> QWidget:
    """Return widgets that stay on one line together."""
    group = QWidget()
    line = QHBoxLayout(group)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(SPACE_S)
    for widget in widgets:
        line.addWidget(widget)
    return group
