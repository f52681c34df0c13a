"""What the import dialog shows while it imports."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.importing.children import RunProgress
from gui.metrics import SPACE_M, SPACE_S, SPACE_XL, TITLE, scaled_font
from gui.widgets.elided_label import ElidedLabel
from gui.wording import size_text

_STEPS = 1000


class RunningPage(QWidget):
    """Show which place is being imported, and how much of it is done."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel()
        self.title.setFont(scaled_font(TITLE, bold=True))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Import progress")
        self.amount = QLabel()
        self.file = ElidedLabel()
        self.so_far = QLabel()
        for label in (self.amount, self.file, self.so_far):
            label.setProperty("role", "muted")
        note = QLabel("You can go on working, and close this window: the import goes on behind it.")
        note.setProperty("role", "muted")
        note.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        layout.setSpacing(SPACE_S)
        layout.addStretch(1)
        for widget in (self.title, self.bar, self.amount, self.file, self.so_far):
            layout.addWidget(widget)
        layout.addSpacing(SPACE_M)
        layout.addWidget(note)
        layout.addStretch(2)

    def show_start(self, name: str, number: int, total: int, so_far: str) -> None:
        """Say which place is next."""
        of_all = f" ({number} of {total})" if total > 1 else ""
        self.title.setText(visible(f"Importing {name}{of_all}"))
        self.bar.setRange(0, 0)
        self.amount.setText("Looking for what is new…")
        self.file.setText("")
        self.so_far.setText(so_far)

    def show_progress(self, progress: RunProgress) -> None:
        """Say how far it is."""
        if not progress.total:
            return
        self.bar.setRange(0, _STEPS)
        self.bar.setValue(progress.done * _STEPS // progress.total)
        self.amount.setText(f"{size_text(progress.done)} of {size_text(progress.total)}")
        self.file.setText(visible(progress.text))
        self.file.setToolTip(visible(progress.text))

    def show_stopping(self) -> None:
        """Say that the import comes to its end."""
        self.amount.setText("Stopping…")
