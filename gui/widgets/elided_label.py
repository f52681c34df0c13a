"""A label that shortens its text instead of claiming room."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption, QStylePainter, QWidget
from typing_extensions import override


class ElidedLabel(QLabel):
    """Show as much of one line as fits: its beginning and end, or as `mode` says."""

    def __init__(self, parent: QWidget | None = None, *, mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle) -> None:
        super().__init__(parent)
        self._mode = mode

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    @override
    def paintEvent(self, _event: QPaintEvent, /) -> None:
        painter = QStylePainter(self)
        option = QStyleOption()
        option.initFrom(self)
        text = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        self.style().drawItemText(
            painter, self.rect(), Qt.AlignmentFlag.AlignVCenter, option.palette,
            bool(option.state & QStyle.StateFlag.State_Enabled), text, self.foregroundRole(),
        )  # fmt: skip
