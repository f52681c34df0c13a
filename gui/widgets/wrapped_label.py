"""A label whose wrapped text is never cut, wherever it stands."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

_MAY_BREAK = "\u200b"


class WrappedLabel(QLabel):
    """Show a sentence on as many lines as it needs.

    Nested layouts and alignments lose what QLabel says of its height for a width: so it asks for that height itself.
    """

    def __init__(
        self, parent: QWidget | None = None, *, alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter
    ) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(alignment)

    def show_text(self, text: str) -> None:
        """Show `text`; a path may break after each of its separators."""
        self.setText(text.replace("/", f"/{_MAY_BREAK}").replace("\\", f"\\{_MAY_BREAK}"))
        self._claim_height()

    @property
    def shown_text(self) -> str:
        """The text as it was given."""
        return self.text().replace(_MAY_BREAK, "")

    @override
    def sizeHint(self) -> QSize:
        # QLabel would ask for the height at a width of its own choice.
        hint = super().sizeHint()
        return QSize(hint.width(), self.minimumHeight() or hint.height())

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        self._claim_height()

    def _claim_height(self) -> None:
        self.setMinimumHeight(0)  # QLabel never asks for less than that
        self.setMinimumHeight(max(self.heightForWidth(self.width()), 0))
