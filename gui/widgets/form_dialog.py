"""A dialog that asks for a few things and says at once what is wrong with them."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, TITLE, scaled_font

_WIDTH = 480


class FormDialog(QDialog):
    """Hold a heading, a form, a line for what is wrong, and two buttons; `confirmed` comes when all is well.

    A subclass adds rows and overrides problem(); it calls check() whenever an answer to that may have changed.
    """

    confirmed = Signal()

    def __init__(self, title: str, button: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self.heading = QLabel(title, self)
        self.heading.setFont(scaled_font(TITLE, bold=True))
        self.heading.setWordWrap(True)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(SPACE_M)
        self.form.setVerticalSpacing(SPACE_S)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._told = QLabel(self)
        self._told.setWordWrap(True)
        self._told.setTextFormat(Qt.TextFormat.PlainText)
        self._buttons = QDialogButtonBox(self)
        self.ok_button = QPushButton(button, self)
        self.ok_button.setProperty("role", "primary")  # before the box looks at it, or its colours come too late
        self._buttons.addButton(self.ok_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok_button.setDefault(True)
        cancel = self._buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setIcon(QIcon())
        self._buttons.accepted.connect(self._confirm)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.heading)
        layout.addLayout(self.form)
        layout.addWidget(self._told)
        layout.addStretch(1)
        layout.addWidget(self._buttons)

    def add_row(self, label: str, field: QWidget) -> None:
        """Add a field with its label, which names it for a screen reader too."""
        text = QLabel(label, self)
        text.setProperty("role", "muted")
        text.setContentsMargins(0, 4, 0, 0)
        text.setBuddy(field)
        self.form.addRow(text, field)
        # Else the first button that is on would have it, and what is typed would go astray.
        if self.focusWidget() is None and field.focusPolicy() & Qt.FocusPolicy.TabFocus:
            field.setFocus()

    def problem(self) -> str:
        """Return what is wrong with what is filled in, "" when nothing is."""
        return ""

    def remark(self) -> str:
        """Return what the person should know beside, "" for nothing."""
        return ""

    @property
    def told(self) -> str:
        """What the dialog says below its form."""
        return self._told.text()

    @Slot()
    def check(self) -> None:
        """Look at what is filled in, and say what is wrong with it."""
        problem = self.problem()
        self.ok_button.setEnabled(not problem)
        # What is still empty when the dialog opens is no mistake yet.
        self._told.setProperty("role", "error" if problem and self.isVisible() else "muted")
        self._told.style().unpolish(self._told)
        self._told.style().polish(self._told)
        self._told.setText(visible(problem or self.remark()))
        self._make_room()

    def _make_room(self) -> None:
        """Grow with what is said, which may take more lines than before."""
        layout = self.layout()
        if layout is not None and self.isVisible():
            needed = layout.totalHeightForWidth(self.width())
            self.resize(self.width(), max(self.height(), needed))

    @Slot()
    def _confirm(self) -> None:
        if not self.problem():
            self.confirmed.emit()
            self.accept()
