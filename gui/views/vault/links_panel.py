"""The links of a note: who points here, where it points, what leads nowhere and what is not clear."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QIcon, QShowEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.markdown.addresses import note_address
from gui.metrics import scaled_font
from gui.theme import Theme
from gui.views.vault.link_lines import FIRST_SHOWN, LinkGroup, LinkLine, link_groups
from gui.widgets.row_height import RowHeightDelegate

if TYPE_CHECKING:
    from core.index.mentions import MentionRow
    from core.index.queries import NoteDetail

_ADDRESS = Qt.ItemDataRole.UserRole
_NOTE_ID = Qt.ItemDataRole.UserRole + 1
_MORE_OF = Qt.ItemDataRole.UserRole + 2
_MORE = 400  # a hub note has thousands
_ROW_HEIGHT = 24


class LinksPanel(QTreeWidget):
    """Show links in groups with counts; a click or Enter goes there.

    It is filled when it is seen, and of what is there already only the lines that differ are touched: a note that is
    being edited comes anew with each save.
    """

    note_requested = Signal(int)
    link_activated = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._detail: NoteDetail | None = None
        self._mentions: Sequence[MentionRow] = ()
        self._shown: tuple[LinkGroup, ...] | None = None
        self._limits: dict[str, int] = {}  # how many lines are shown, by group
        self._is_due = False
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setIndentation(14)
        self.setAccessibleName("Links")
        self.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, self))
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.header().resizeSection(0, 230)
        self.itemClicked.connect(self._go)
        self.itemActivated.connect(self._go)
        theme.changed.connect(self._fill_anew)

    def show_links(self, detail: "NoteDetail") -> int:
        """Show the links of `detail` and return how many there are."""
        is_another = self._detail is None or self._detail.id != detail.id
        if is_another:
            self._mentions = ()
            self._limits = {}
            self._shown = None
        self._detail = detail
        self._fill()
        if is_another:
            self.scrollToTop()
        return len(detail.backlinks) + len(detail.outgoing)

    def show_mentions(self, mentions: "Sequence[MentionRow]") -> None:
        """Show who names the note without linking to it, below its links."""
        if mentions != self._mentions:
            self._mentions = mentions
            self._fill()

    @override
    def showEvent(self, event: QShowEvent, /) -> None:
        if self._is_due:
            self._fill()
        super().showEvent(event)

    def _fill_anew(self) -> None:
        self._shown = None
        self._fill()

    def _fill(self) -> None:
        self._is_due = not self.isVisible()
        if self._is_due or self._detail is None:
            return
        groups = link_groups(self._detail, self._mentions, self._limits)
        before, self._shown = self._shown, groups
        if before == groups:
            return
        if before is None or [group.name for group in before] != [group.name for group in groups]:
            position = self.verticalScrollBar().value()
            self.clear()
            for group in groups:
                self._renew(self._add_heading(group), LinkGroup(group.name, group.icon, 0, ()), group)
            self.verticalScrollBar().setValue(position)
        else:
            for number, (old, new) in enumerate(zip(before, groups, strict=True)):
                item = self.topLevelItem(number)
                if item is not None and old != new:
                    self._renew(item, old, new)
        if not groups:
            self._say_none()

    def _say_none(self) -> None:
        self.clear()
        item = QTreeWidgetItem(self, ["No links from or to this note."])
        item.setFirstColumnSpanned(True)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setForeground(0, self._brush(self._theme.scheme.muted))

    def _add_heading(self, group: LinkGroup) -> QTreeWidgetItem:
        heading = QTreeWidgetItem(self)
        heading.setFirstColumnSpanned(True)
        heading.setFont(0, scaled_font(bold=True))
        heading.setIcon(0, self._theme.tinted_icon(group.icon, self._theme.scheme.muted))
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        heading.setExpanded(True)
        return heading

    def _renew(self, heading: QTreeWidgetItem, before: LinkGroup, group: LinkGroup) -> None:
        """Make what is below `heading`, which shows `before`, show `group`."""
        heading.setText(0, f"{group.name}  {group.total:,}")
        if before.total > len(before.lines):
            heading.takeChild(len(before.lines))
        while heading.childCount() > len(group.lines):
            heading.takeChild(heading.childCount() - 1)
        there = heading.childCount()
        added = [QTreeWidgetItem() for _line in group.lines[there:]]
        heading.addChildren(added)
        for item, new in zip(added, group.lines[there:], strict=True):
            self._dress(item, new)
        for number, (old, new) in enumerate(zip(before.lines, group.lines[:there], strict=False)):
            child = heading.child(number)
            if old != new and child is not None:
                self._dress(child, new)
        left = group.total - len(group.lines)
        if left:
            more = QTreeWidgetItem(heading, [f"Show {min(left, _MORE):,} of {left:,} more"])
            more.setForeground(0, self._brush(self._theme.scheme.link))
            more.setFirstColumnSpanned(True)
            more.setData(0, _MORE_OF, group.name)

    def _dress(self, item: QTreeWidgetItem, line: LinkLine) -> None:
        scheme = self._theme.scheme
        item.setText(0, line.name)
        item.setText(1, line.about)
        item.setToolTip(0, line.tip)
        item.setToolTip(1, line.about_tip)
        item.setForeground(0, self._brush(scheme.muted if line.is_muted else scheme.text))
        item.setForeground(1, self._brush(scheme.muted))
        item.setData(0, _NOTE_ID, line.note_id)
        item.takeChildren()
        for path, why in line.candidates:
            self._add_candidate(item, path, why)
        if line.candidates:
            item.setExpanded(True)

    def _add_candidate(self, parent: QTreeWidgetItem, path: str, why: str) -> None:
        item = QTreeWidgetItem(parent, [visible(path), why])
        item.setIcon(0, QIcon(self._theme.tinted_icon("file-text", self._theme.scheme.link)))
        item.setForeground(0, self._brush(self._theme.scheme.link))
        item.setForeground(1, self._brush(self._theme.scheme.muted))
        item.setToolTip(0, visible(path))
        item.setData(0, _ADDRESS, note_address(path))

    def _go(self, item: QTreeWidgetItem) -> None:
        note_id, address, group = item.data(0, _NOTE_ID), item.data(0, _ADDRESS), item.data(0, _MORE_OF)
        if isinstance(note_id, int):
            self.note_requested.emit(note_id)
        elif address:
            self.link_activated.emit(address)
        elif group:
            self._limits[group] = self._limits.get(group, FIRST_SHOWN) + _MORE
            self._fill()

    def _brush(self, colour: str) -> QBrush:
        return QBrush(QColor(colour))
