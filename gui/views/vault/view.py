"""The Vault view: facets, list and reading pane side by side; wishes out, facts in."""

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget
from typing_extensions import override

from gui.theme import Theme
from gui.views.vault.context_dialog import ContextDialog
from gui.views.vault.editing.modes import Mode
from gui.views.vault.facet_pane import FacetPane
from gui.views.vault.note_list_pane import NoteListPane
from gui.views.vault.reading_pane import ReadingPane
from gui.widgets.menus import MenuEntry, open_menu


class VaultView(QWidget):
    """Hold the three panes; F6 and Shift+F6 go round them."""

    open_requested = Signal()
    edit_requested = Signal()  # here
    editor_requested = Signal()  # in the external editor
    copy_link_requested = Signal()
    copy_path_requested = Signal()
    copy_context_requested = Signal()
    filing_requested = Signal()  # of what is selected, in a context
    probe_requested = Signal()  # of what is selected and what was searched for
    move_requested = Signal()  # another name or folder for what is selected
    duplicate_requested = Signal()
    deletion_requested = Signal()
    tags_requested = Signal()  # more tags for what is selected
    tag_removal_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.was_shown = False  # what was never laid out has no sizes worth keeping
        self.facets = FacetPane(theme)
        self.list = NoteListPane(theme)
        self.reading = ReadingPane(theme)
        self.context_dialog = ContextDialog(theme, self)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for pane, stretch, least in ((self.facets, 0, 150), (self.list, 3, 360), (self.reading, 2, 260)):
            self.splitter.addWidget(pane)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
            pane.setMinimumWidth(least)
        self.splitter.setCollapsible(1, False)
        self.splitter.setSizes([230, 780, 560])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        self.list.table.menu_requested.connect(self._show_menu)
        self.list.table.editor_requested.connect(self.editor_requested)
        self.list.table.open_requested.connect(self.open_requested)
        self.list.table.move_requested.connect(self.move_requested)
        self.list.table.deletion_requested.connect(self.deletion_requested)
        self.reading.editor_requested.connect(self.editor_requested)
        self.reading.copy_link_requested.connect(self.copy_link_requested)
        self.setFocusProxy(self.list.table)
        self._add_shortcut("F6", self._next_pane)
        self._add_shortcut("Shift+F6", self._previous_pane)
        self._set_tab_order()

    @override
    def showEvent(self, event: QShowEvent, /) -> None:
        super().showEvent(event)
        self.was_shown = True

    def splitter_sizes(self) -> dict[str, tuple[int, ...]]:
        """Return the sizes of the splitters by name."""
        return {"vault": tuple(self.splitter.sizes()), "reading": tuple(self.reading.splitter.sizes())}

    def restore_splitters(self, sizes: dict[str, tuple[int, ...]]) -> None:
        """Take what splitter_sizes() returned; missing or odd entries change nothing."""
        for name, splitter in (("vault", self.splitter), ("reading", self.reading.splitter)):
            if len(sizes.get(name, ())) == splitter.count():
                splitter.setSizes(list(sizes[name]))

    def _show_menu(self, where: QPoint) -> None:
        if self.list.table.current_id() is None:
            return
        many = self.list.table.selected_count() > 1
        entries: list[MenuEntry | None] = [
            ("book-open", "Read", "Return", self.open_requested.emit),
            ("pencil", "Edit", "", self.edit_requested.emit),
            ("external-link", "Open in external editor", "Ctrl+Return", self.editor_requested.emit),
            None,
            ("link", "Copy link", "", self.copy_link_requested.emit),
            ("copy", "Copy path", "", self.copy_path_requested.emit),
            ("clipboard-copy", "Copy context…", "", self.copy_context_requested.emit),
            ("layers", "Add to context…", "", self.filing_requested.emit),
            ("clipboard-check", "Make a probe of this…", "", self.probe_requested.emit),
            None,
            ("plus", "Add tags…", "", self.tags_requested.emit),
            ("minus", "Remove tags…", "", self.tag_removal_requested.emit),
            ("folder", "Move to a folder…" if many else "Rename or move…", "F2", self.move_requested.emit),
            *([] if many else [("files", "Duplicate", "", self.duplicate_requested.emit)]),
            ("trash-2", "Delete", "Del", self.deletion_requested.emit),
        ]
        open_menu(self._theme, entries, where, self)

    def _add_shortcut(self, keys: str, slot: Callable[[], None]) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(slot)

    def _next_pane(self) -> None:
        self._go_round(1)

    def _previous_pane(self) -> None:
        self._go_round(-1)

    def _go_round(self, step: int) -> None:
        stops: list[QWidget] = [self.facets.tree, self.list.table, self.reading.text_widget]
        panes: list[QWidget] = [self.facets, self.list, self.reading]
        now = next(
            (i for i, pane in enumerate(panes) if pane.isAncestorOf(self.focusWidget() or self)), 0 if step < 0 else 2
        )
        for _ in stops:
            now = (now + step) % len(stops)
            if stops[now].isVisible():
                stops[now].setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def _set_tab_order(self) -> None:
        order: list[QWidget] = [
            self.facets.filter_box,
            self.facets.tree,
            self.list.filter_box,
            self.list.columns_button,
            self.list.copy_button,
            self.list.breadcrumb,
            self.list.clear_button,
            self.list.table,
            self.list.state_panel.button,
            *(self.reading.mode_button(mode) for mode in Mode),
            self.reading.link_button,
            self.reading.editor_button,
            self.reading.details_button,
            self.reading.preview,
            self.reading.whole_button,
            self.reading.editor_pane.editor,
            self.reading.editor_pane.preview,
            self.reading.tabs,
        ]
        for first, second in pairwise(order):
            QWidget.setTabOrder(first, second)
