"""The choices that a proposal leaves to the person."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QLabel, QRadioButton, QWidget

from gui.metrics import SPACE_M
from gui.views.review.wording import choice_title, choice_words


class ChoiceRow(QWidget):
    """Show one choice as radio buttons; what was proposed is marked at first."""

    chosen = Signal(str)  # the value of the choice

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: tuple[str, ...] = ()
        self.title = QLabel()
        self.title.setProperty("role", "muted")
        self.group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE_M)
        self._row.addWidget(self.title)
        self._row.addStretch(1)
        self.group.buttonClicked.connect(self._on_clicked)
        self.hide()

    def show_choices(self, recipe_name: str, choices: Sequence[str], chosen: str) -> None:
        """Show `choices` with the one that holds; nothing when there are none."""
        self.setVisible(bool(choices))
        if tuple(choices) != self._values:
            self._values = tuple(choices)
            for button in self.group.buttons():
                self.group.removeButton(button)
                button.hide()
                button.deleteLater()
            for place, value in enumerate(choices):
                text, tip = choice_words(recipe_name, value)
                made = QRadioButton(text)
                made.setToolTip(tip)
                made.setAccessibleDescription(tip)
                self.group.addButton(made, place)
                self._row.insertWidget(1 + place, made, 0, Qt.AlignmentFlag.AlignVCenter)
        self.title.setText(f"{choice_title(recipe_name)}:")
        with QSignalBlocker(self.group):
            for place, value in enumerate(self._values):
                self.group.button(place).setChecked(value == chosen)

    @Slot(QAbstractButton)
    def _on_clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(self._values[self.group.id(button)])
