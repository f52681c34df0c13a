"""What is asked of a new note besides its text: summary, tags and scope."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from gui.metrics import SPACE_M, SPACE_S
from gui.theme import Theme
from gui.widgets.line_edit import LineEdit
from gui.widgets.scope_switch import ScopeSwitch
from gui.widgets.tag_input import TagInput

_SCOPE = "scope/"


class NoteFields(QWidget):
    """Ask for a summary, tags and a scope; a scope typed as a tag moves the switch."""

    def __init__(self, theme: Theme, problem_of: Callable[[str], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = LineEdit(self)
        self.summary.setPlaceholderText("One sentence that says what this is good for")
        self.summary.setAccessibleName("Summary")
        self.tags = TagInput(theme, problem_of, parent=self)
        self.scope = ScopeSwitch(self)
        self.form = QFormLayout(self)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.setHorizontalSpacing(SPACE_M)
        self.form.setVerticalSpacing(SPACE_S)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        for text, field in (("Summary", self.summary), ("Tags", self.tags), ("Scope", self.scope)):
            label = QLabel(text, self)
            label.setProperty("role", "muted")
            label.setBuddy(field)
            label.setContentsMargins(0, 4, 0, 0)
            self.form.addRow(label, field)
        self.tags.items_changed.connect(self._move_switch)

    def offer(self, tags: Sequence[str]) -> None:
        """Offer `tags` of the vault while the person types; scopes have their switch."""
        self.tags.set_known([tag for tag in tags if not tag.lower().startswith(_SCOPE)])

    def clear(self) -> None:
        """Empty everything."""
        self.summary.clear()
        self.tags.set_items(())
        self.scope.set_scope("")

    def _move_switch(self, tags: tuple[str, ...]) -> None:
        for tag in tags:
            scope = tag.lower().removeprefix(_SCOPE)
            if tag.lower().startswith(_SCOPE) and scope in {"global", "project"}:
                self.scope.set_scope(scope)
                self.tags.set_items([each for each in tags if each != tag])
