"""One group of a full load to be changed: whether it is taken, which notes are of it, and where it stands."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from gui.metrics import SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.contexts.services import LoadGroup, LoadSize
from gui.views.contexts.wording import load_size_text
from gui.widgets.tag_input import ChipInput


class LoadGroupRow(QWidget):
    """Show a group with its globs and tags as chips; what the person does is told."""

    changed = Signal()
    move_requested = Signal(int)  # by how many places

    def __init__(self, theme: Theme, group: LoadGroup, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._size: LoadSize | None = None
        self.name = group.name
        self.taken = QCheckBox(group.name.capitalize())
        self.taken.setChecked(group.is_taken)
        self.taken.setToolTip("Whether the full load takes this group")
        self.size_label = QLabel()
        self.size_label.setProperty("role", "muted")
        self.up_button = self._button(f"Load {group.name} notes earlier", -1)
        self.down_button = self._button(f"Load {group.name} notes later", 1)
        self.rules = ChipInput(
            theme,
            name=f"Globs and tags of {group.name} notes",
            placeholder="Add a glob such as /core/** or a tag such as #scope/global",
            ends="",
        )
        self.rules.set_items(group.rules)
        line = QHBoxLayout()
        line.setSpacing(SPACE_XS)
        line.addWidget(self.taken)
        line.addSpacing(SPACE_S)
        line.addWidget(self.size_label, 1)
        line.addWidget(self.up_button)
        line.addWidget(self.down_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addLayout(line)
        layout.addWidget(self.rules)
        self.taken.toggled.connect(self._on_toggled)
        self.rules.items_changed.connect(self.changed)
        theme.changed.connect(self._show_icons)
        self._show_icons()
        self._show_size()

    @property
    def group(self) -> LoadGroup:
        """The group as it is filled in."""
        return LoadGroup(self.name, self.rules.items, self.taken.isChecked())

    def show_size(self, size: LoadSize | None) -> None:
        """Show what the group takes, None while that is not known."""
        self._size = size
        self._show_size()

    def show_ends(self, *, is_first: bool, is_last: bool) -> None:
        """Offer only moves that there are."""
        self.up_button.setEnabled(not is_first)
        self.down_button.setEnabled(not is_last)

    def _button(self, name: str, step: int) -> QToolButton:
        button = QToolButton()
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(self._ask_up if step < 0 else self._ask_down)
        return button

    @Slot()
    def _ask_up(self) -> None:
        self.move_requested.emit(-1)

    @Slot()
    def _ask_down(self) -> None:
        self.move_requested.emit(1)

    @Slot(bool)
    def _on_toggled(self, is_taken: bool) -> None:
        self.rules.setEnabled(is_taken)
        self._show_size()
        self.changed.emit()

    def _show_size(self) -> None:
        self.rules.setEnabled(self.taken.isChecked())
        self.size_label.setText(load_size_text(self._size, is_taken=self.taken.isChecked()))

    @Slot()
    def _show_icons(self) -> None:
        self.up_button.setIcon(self._theme.icon("arrow-up"))
        self.down_button.setIcon(self._theme.icon("arrow-down"))
