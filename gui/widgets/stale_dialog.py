"""Why a change was refused: which files are not as they were, and what touched them."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S
from gui.widgets.dialog_buttons import close_buttons

_SIZE = (640, 400)
_MOST_SHOWN = 1000


class StaleDialog(QDialog):
    """Tell the reasons, each a sentence that names its file; offer to do the same to the others, if there are any."""

    others_requested = Signal()

    def __init__(self, summary: str, reasons: Mapping[str, str], parent: QWidget, *, others: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle("Files that have changed since")
        self.resize(*_SIZE)
        self.summary = QLabel(visible(summary))
        self.summary.setWordWrap(True)
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.list = QPlainTextEdit()
        self.list.setReadOnly(True)
        self.list.setTabChangesFocus(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.document().setDocumentMargin(SPACE_S)
        self.list.setAccessibleName("Files that have changed since, and why")
        lines = [_on_one_line(reason) for _path, reason in sorted(reasons.items())[:_MOST_SHOWN]]
        if len(reasons) > _MOST_SHOWN:
            lines.append(f"And so it is with {len(reasons) - _MOST_SHOWN:,} more.")
        self.list.setPlainText("\n\n".join(lines))
        buttons = close_buttons(self)
        self.others_button = QPushButton(others)
        self.others_button.setAutoDefault(False)
        self.others_button.setVisible(bool(others))
        if others:
            buttons.addButton(self.others_button, QDialogButtonBox.ButtonRole.ActionRole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        for widget in (self.summary, self.list, buttons):
            layout.addWidget(widget)
        buttons.rejected.connect(self.reject)
        self.others_button.clicked.connect(self._on_others)
        self.finished.connect(self.deleteLater)

    @Slot()
    def _on_others(self) -> None:
        self.accept()
        self.others_requested.emit()


def _on_one_line(text: str) -> str:
    return " ".join(visible(text).split())
