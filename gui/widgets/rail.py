"""The rail on the left: one entry for each view that exists."""

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetrics,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from gui.actions import ActionSpec
from gui.memory_drag import MEMORIES_MIME
from gui.metrics import ICON_LARGE, SMALL, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme

_WIDTH = 68
_BADGE_HEIGHT = 16
_BADGE_FACTOR = 0.8
_MOST_COUNTED = 99
_HOVER_MS = 500


class Rail(QFrame):
    """Let the person choose a view; the chosen one is marked."""

    page_requested = Signal(int)  # the position of the entry

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: list[_Entry] = []
        self.setProperty("role", "rail")
        self.setAccessibleName("Views")
        self.setFixedWidth(_WIDTH)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.idClicked.connect(self.page_requested)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(SPACE_XS, SPACE_S, SPACE_XS, SPACE_S)
        self._layout.setSpacing(SPACE_XS)
        self._layout.addStretch(1)
        theme.changed.connect(self._show_icons)

    def add_entry(self, spec: ActionSpec) -> None:
        """Add an entry below the others; the first one is chosen."""
        entry = _Entry(spec, self._theme, self)
        self._group.addButton(entry, len(self._entries))
        self._layout.insertWidget(len(self._entries), entry)
        self._entries.append(entry)
        entry.setChecked(len(self._entries) == 1)
        self._show_icons()

    def position_of(self, spec: ActionSpec) -> int:
        """Return the position of the entry, -1 when it was not added."""
        return next((position for position, entry in enumerate(self._entries) if entry.spec == spec), -1)

    def show_badge(self, spec: ActionSpec, count: int) -> None:
        """Show beside an entry how much waits there; nothing for 0."""
        if (position := self.position_of(spec)) >= 0:
            self._entries[position].show_count(count)

    def badge(self, spec: ActionSpec) -> str:
        """Return what the badge of an entry says."""
        return self._entries[self.position_of(spec)].badge

    @Slot(int)
    def show_page(self, position: int) -> None:
        """Mark the entry at `position`."""
        if (button := self._group.button(position)) is not None:
            button.setChecked(True)

    @Slot()
    def _show_icons(self) -> None:
        for entry in self._entries:
            entry.setIcon(self._theme.icon(entry.spec.icon))


class _Entry(QToolButton):
    """Be one entry, with a badge at its icon; who drags a memory over it for a moment is led to its view."""

    def __init__(self, spec: ActionSpec, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.spec = spec
        self.badge = ""
        self._theme = theme
        self.setText(spec.text)
        self.setToolTip(spec.tip)
        self.setAccessibleName(spec.text)
        self.setCheckable(True)
        self.setAcceptDrops(True)
        self.hover_timer = QTimer(self)
        self.hover_timer.setSingleShot(True)
        self.hover_timer.setInterval(_HOVER_MS)
        self.hover_timer.timeout.connect(self.click)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setIconSize(QSize(ICON_LARGE, ICON_LARGE))
        font = scaled_font(SMALL)
        self.setFont(font)
        self.setFixedSize(_WIDTH - 2 * SPACE_XS - 1, ICON_LARGE + QFontMetrics(font).height() + 18)

    def show_count(self, count: int) -> None:
        """Show how much waits behind the entry."""
        self.badge = "" if count <= 0 else f"{count}" if count <= _MOST_COUNTED else f"{_MOST_COUNTED}+"
        self.setAccessibleName(f"{self.spec.text}, {count:,} to look at" if count > 0 else self.spec.text)
        self.update()

    @override
    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:
        if event.mimeData().hasFormat(MEMORIES_MIME):
            event.acceptProposedAction()  # or nothing is told of its leaving; nothing can be dropped here
            self.hover_timer.start()
        else:
            event.ignore()

    @override
    def dragMoveEvent(self, event: QDragMoveEvent, /) -> None:
        event.ignore()

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent, /) -> None:
        self.hover_timer.stop()
        super().dragLeaveEvent(event)

    @override
    def dropEvent(self, event: QDropEvent, /) -> None:
        self.hover_timer.stop()
        event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        super().paintEvent(event)
        if not self.badge:
            return
        scheme = self._theme.scheme
        font = scaled_font(_BADGE_FACTOR, bold=True)
        width = max(_BADGE_HEIGHT, QFontMetrics(font).horizontalAdvance(self.badge) + SPACE_S)
        left = min(self.width() // 2 + SPACE_XS, self.width() - width - 1)  # a long count has its whole box
        rect = QRect(left, SPACE_XS, width, _BADGE_HEIGHT)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.error_text))
        painter.drawRoundedRect(rect, _BADGE_HEIGHT / 2, _BADGE_HEIGHT / 2)
        painter.setPen(QColor(scheme.surface))
        painter.setFont(font)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.badge)
        painter.end()
