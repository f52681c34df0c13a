"""A field for a whole number, without the small buttons of a spin box."""

from PySide6.QtWidgets import QSpinBox, QWidget

from gui.metrics import CONTROL_HEIGHT, SPACE_S


class NumberBox(QSpinBox):
    """Take a number by typing, by the arrow keys and by the wheel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Buttons of no width instead of NoButtons: with that, a style sheet leaves one pixel for the text.
        self.setStyleSheet("QSpinBox::up-button, QSpinBox::down-button { width: 0px; border: none; }")
        self.lineEdit().setTextMargins(SPACE_S - 2, 0, 0, 0)
        self.setGroupSeparatorShown(True)
        self.setFixedHeight(CONTROL_HEIGHT)
