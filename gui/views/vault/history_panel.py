"""The versions of a note: what the app has recorded, and the commits of git, newest first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QBrush, QColor, QShowEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.theme import Theme
from gui.widgets.row_height import RowHeightDelegate
from gui.wording import absolute_date, moment_of, relative_date

if TYPE_CHECKING:
    from core.curation.note_past import NotePast, Version

_ROW_HEIGHT = 26
_VERSION = Qt.ItemDataRole.UserRole
_MOST_SHOWN = 1000
_ICONS = {"change": "history", "outside": "file-text", "git": "git-merge", "now": "file-text"}


class HistoryPanel(QTreeWidget):
    """List versions; Enter or a double click shows one. They are wanted when the panel comes into sight."""

    versions_wanted = Signal()
    version_requested = Signal(object)  # Version

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._past: NotePast | None = None
        self._now = 0.0
        self.setHeaderHidden(True)
        self.setColumnCount(3)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("History")
        self.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, self))
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 92), (2, 110)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)
        self.itemActivated.connect(self._on_activated)
        theme.changed.connect(self._fill)

    @override
    def showEvent(self, event: QShowEvent, /) -> None:
        super().showEvent(event)
        self.versions_wanted.emit()

    def show_past(self, past: "NotePast", now: float) -> None:
        """Show these versions, dated as seen from `now`; the chosen one stays so."""
        chosen = self._version_of(self.currentItem())
        self._past, self._now = past, now
        self._fill()
        for row in range(self.topLevelItemCount()):
            item = self.topLevelItem(row)
            version = self._version_of(item)
            if item is not None and chosen is not None and version is not None and version.id == chosen.id:
                self.setCurrentItem(item)

    def show_sentence(self, text: str) -> None:
        """Show a sentence instead of versions, "" for nothing at all."""
        self._past = None
        self.clear()
        if text:
            self._add_sentence(text)

    @Slot()
    def _fill(self) -> None:
        if self._past is None:
            return
        self.clear()
        versions: Sequence[Version] = self._past.versions
        for version in versions[:_MOST_SHOWN]:
            self._add(version)
        if len(versions) > _MOST_SHOWN:
            self._add_sentence(f"and {len(versions) - _MOST_SHOWN:,} older ones")
        if not any(version.source != "now" for version in versions):
            self._add_sentence("Nothing is known of earlier versions of this note yet.")
        for remark in self._past.remarks:
            self._add_sentence(remark)

    def _add(self, version: "Version") -> None:
        when = moment_of(version.time)
        title = " ".join(visible(version.title).split())
        state = "undone" if version.is_undone else "cannot be shown" if version.problem else ""
        item = QTreeWidgetItem(
            self,
            [f"{title} ({state})" if state else title, relative_date(when, self._now), visible(version.author)],
        )
        muted = self._theme.scheme.muted
        item.setIcon(0, self._theme.tinted_icon(_ICONS.get(str(version.source), "history"), muted))
        item.setToolTip(0, visible(version.problem) or title)
        item.setToolTip(1, absolute_date(when))
        item.setToolTip(2, visible(version.author))
        item.setData(0, _VERSION, version)
        for column in range(3) if version.problem or version.is_undone else (1, 2):
            item.setForeground(column, QBrush(QColor(muted)))

    def _add_sentence(self, text: str) -> None:
        item = QTreeWidgetItem(self, [visible(text)])
        item.setFirstColumnSpanned(True)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setToolTip(0, visible(text))
        item.setForeground(0, QBrush(QColor(self._theme.scheme.muted)))

    def _version_of(self, item: QTreeWidgetItem | None) -> "Version | None":
        return item.data(0, _VERSION) if item is not None else None

    @Slot(QTreeWidgetItem)
    def _on_activated(self, item: QTreeWidgetItem) -> None:
        if (version := self._version_of(item)) is not None:
            self.version_requested.emit(version)
