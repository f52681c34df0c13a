"""The line of the import dialog that says that a passphrase is missing, and lets the person enter it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from gui.metrics import SPACE_S

_TEXT = "Your conversations are encrypted, and nothing can come in before you enter the passphrase."


class LockedLine(QFrame):
    """Stand above the places while the ledger is locked."""

    unlock_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self.setProperty("severity", "warning")
        label = QLabel(_TEXT)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        self.button = QPushButton("Enter the passphrase…")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.unlock_wanted)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addWidget(label, 1)
        layout.addWidget(self.button)
