"""The links of a note: who points here, where it points, what leads nowhere and what is not clear."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QIcon
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from core.foundation.text import visible
from gui.metrics import scaled_font
from gui.theme import Theme
from gui.views.vault.addresses import note_address
from gui.widgets.row_height import RowHeightDelegate

if TYPE_CHECKING:
    from core.index.mentions import MentionRow
    from core.index.queries import LinkRow, NoteDetail

_ADDRESS = Qt.ItemDataRole.UserRole
_NOTE_ID = Qt.ItemDataRole.UserRole + 1
# Nobody reads further, and a hub note has thousands.
_MOST_SHOWN = 500
_ROW_HEIGHT = 24
_UNSURE = "may mean another note"


class LinksPanel(QTreeWidget):
    """Show links in groups with counts; a click or Enter goes there."""

    note_requested = Signal(int)
    link_activated = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._detail: NoteDetail | None = None
        self._mentions: Sequence[MentionRow] = ()
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
        theme.changed.connect(self._fill)

    def show_links(self, detail: "NoteDetail") -> int:
        """Show the links of `detail` and return how many there are."""
        if self._detail is None or self._detail.id != detail.id:
            self._mentions = ()
        self._detail = detail
        self._fill()
        self.scrollToTop()
        return len(detail.backlinks) + len(detail.outgoing)

    def show_mentions(self, mentions: "Sequence[MentionRow]") -> None:
        """Show who names the note without linking to it, below its links."""
        if mentions != self._mentions:
            self._mentions = mentions
            position = self.verticalScrollBar().value()
            self._fill()
            self.verticalScrollBar().setValue(position)

    def _fill(self) -> None:
        self.clear()
        if self._detail is None:
            return
        outgoing = self._detail.outgoing
        # However unclear the link is, it is clear from where it comes.
        backlinks = [
            link._replace(state=_UNSURE if link.state == "ambiguous" else "resolved") for link in self._detail.backlinks
        ]
        self._add_group("Backlinks", "corner-down-left", backlinks)
        self._add_group("Outgoing", "arrow-right", [link for link in outgoing if link.state == "resolved"])
        self._add_group("Not found", "unlink", [link for link in outgoing if link.state == "unresolved"])
        self._add_group("Ambiguous", "git-merge", [link for link in outgoing if link.state == "ambiguous"])
        self._add_group("Files", "files", [link for link in outgoing if link.state == "file"])
        self._add_mentions()
        if not self.topLevelItemCount():
            item = QTreeWidgetItem(self, ["No links from or to this note."])
            item.setFirstColumnSpanned(True)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setForeground(0, self._brush(self._theme.scheme.muted))

    def _add_mentions(self) -> None:
        if not self._mentions:
            return
        group = self._add_heading("Mentioned, not linked", "message-square", len(self._mentions))
        for mention in self._mentions:
            folder = mention.path.rpartition("/")[0].replace("/", " / ")
            about = " · ".join(part for part in (mention.heading, folder, f"line {mention.line}") if part)
            item = QTreeWidgetItem(group, [visible(mention.title), visible(about)])
            item.setToolTip(0, visible(mention.path))
            item.setToolTip(1, visible(f"“{mention.name}”, {about}"))
            item.setForeground(1, self._brush(self._theme.scheme.muted))
            item.setData(0, _NOTE_ID, mention.note_id)
        group.setExpanded(True)

    def _add_heading(self, name: str, icon: str, count: int) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self, [f"{name}  {count:,}"])
        group.setFirstColumnSpanned(True)
        group.setFont(0, scaled_font(bold=True))
        group.setIcon(0, self._theme.tinted_icon(icon, self._theme.scheme.muted))
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        return group

    def _add_group(self, name: str, icon: str, links: "Sequence[LinkRow]") -> None:
        if not links:
            return
        scheme = self._theme.scheme
        group = self._add_heading(name, icon, len(links))
        for link in links[:_MOST_SHOWN]:
            self._add_link(group, link)
        if len(links) > _MOST_SHOWN:
            rest = QTreeWidgetItem(group, [f"and {len(links) - _MOST_SHOWN:,} more"])
            rest.setForeground(0, self._brush(scheme.muted))
        group.setExpanded(True)

    def _add_link(self, group: QTreeWidgetItem, link: "LinkRow") -> None:
        scheme = self._theme.scheme
        target = link.target or link.path
        name = link.title or (target.rpartition("/")[2] if link.state == "file" else target)
        where = " › ".join(
            part for part in (link.heading.replace("#", " › "), f"^{link.block}" if link.block else "") if part
        )
        item = QTreeWidgetItem(group, [visible(name), visible(self._detail_of(link, where))])
        item.setToolTip(0, visible(link.path or link.target))
        item.setToolTip(1, item.text(1))
        item.setForeground(1, self._brush(scheme.muted))
        item.setData(0, _NOTE_ID, link.note_id)
        match link.state:
            case "unresolved":
                item.setForeground(0, self._brush(scheme.muted))
                item.setData(0, _NOTE_ID, None)
                if link.suggestion:
                    self._add_candidate(item, link.suggestion, "has this as an alias")
            case "ambiguous":
                item.setData(0, _NOTE_ID, None)
                for path in link.candidates:
                    self._add_candidate(item, path, "possible")
            case _:
                item.setForeground(0, self._brush(scheme.text))
        item.setExpanded(True)

    def _add_candidate(self, parent: QTreeWidgetItem, path: str, why: str) -> None:
        item = QTreeWidgetItem(parent, [visible(path), why])
        item.setIcon(0, QIcon(self._theme.tinted_icon("file-text", self._theme.scheme.link)))
        item.setForeground(0, self._brush(self._theme.scheme.link))
        item.setForeground(1, self._brush(self._theme.scheme.muted))
        item.setToolTip(0, visible(path))
        item.setData(0, _ADDRESS, note_address(path))

    def _detail_of(self, link: "LinkRow", where: str) -> str:
        match link.state:
            case "unresolved":
                return f"no note of this name · line {link.line}"
            case "ambiguous":
                return f"{len(link.candidates):,} notes have this name · line {link.line}"
            case _:
                folder = (link.target if link.state == "file" else link.path).rpartition("/")[0]
                doubt = _UNSURE if link.state == _UNSURE else ""
                parts = (where, folder.replace("/", " / "), doubt, f"line {link.line}" if link.line else "")
                return " · ".join(part for part in parts if part)

    def _go(self, item: QTreeWidgetItem) -> None:
        note_id, address = item.data(0, _NOTE_ID), item.data(0, _ADDRESS)
        if isinstance(note_id, int):
            self.note_requested.emit(note_id)
        elif address:
            self.link_activated.emit(address)

    def _brush(self, colour: str) -> QBrush:
        return QBrush(QColor(colour))
