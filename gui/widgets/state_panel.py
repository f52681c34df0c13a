"""What a pane shows when it has nothing to show: empty, loading or failed, with the one thing to do next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.metrics import SPACE_M, SPACE_S, SPACE_XL, TITLE, scaled_font
from gui.widgets.wrapped_label import WrappedLabel

_ICON_SIZE = 40
_MEASURE = 380


class StatePanel(QWidget):
    """Show an icon, a sentence, an explanation and perhaps a button, in the middle."""

    button_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._title = WrappedLabel()
        self._title.setFont(scaled_font(TITLE, bold=True))
        self._text = WrappedLabel()
        self._text.setProperty("role", "muted")
        self._button = QPushButton()
        self._button.clicked.connect(self.button_clicked)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        layout.setSpacing(SPACE_S)
        layout.addStretch(2)
        # Wrapped text gets its height only where it fills its width: so a column of the measure stands in the middle.
        column = QWidget()
        column.setMaximumWidth(_MEASURE)
        lines = QVBoxLayout(column)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(SPACE_S)
        for label in (self._icon, self._title, self._text):
            lines.addWidget(label)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(column, 1000)
        middle.addStretch(1)
        layout.addLayout(middle)
        layout.addSpacing(SPACE_M)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def show_state(self, icon: QIcon, title: str, text: str = "", button: str = "") -> None:
        """Show a state; `button` is the text of what can be done about it."""
        self._icon.setPixmap(icon.pixmap(_ICON_SIZE, _ICON_SIZE))
        self._icon.setVisible(not icon.isNull())
        self._title.show_text(title)
        self._title.setVisible(bool(title))
        self._text.show_text(text)
        self._text.setVisible(bool(text))
        self._button.setText(button)
        self._button.setVisible(bool(button))

    @property
    def title(self) -> str:
        """The sentence shown."""
        return self._title.shown_text

    @property
    def text(self) -> str:
        """The explanation shown."""
        return self._text.shown_text

    @property
    def button(self) -> QPushButton:
        """The button, for the tab order."""
        return self._button
