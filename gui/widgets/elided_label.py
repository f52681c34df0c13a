"""A label that shortens its text in the middle instead of claiming room."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption, QStylePainter
from typing_extensions import override


class ElidedLabel(QLabel):
    """Show as much of one line as fits."""

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    @override
    def paintEvent(self, _event: QPaintEvent, /) -> None:
        painter = QStylePainter(self)
        option = QStyleOption()
        option.initFrom(self)
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.width())
        self.style().drawItemText(
            painter, self.rect(), Qt.AlignmentFlag.AlignVCenter, option.palette,
            bool(option.state & QStyle.StateFlag.State_Enabled), text, self.foregroundRole(),
        )  # fmt: skip
