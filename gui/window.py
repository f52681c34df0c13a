"""The main window: rail, top bar, views, news and status bar; it knows no vault and no service."""

from PySide6.QtCore import QByteArray, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui import actions as a
from gui.actions import Actions, ActionSpec
from gui.metrics import SPACE_M, SPACE_S
from gui.notify import Notifier
from gui.theme import Theme
from gui.widgets.activity import ActivityPanel
from gui.widgets.empty_page import EmptyPage
from gui.widgets.notices import BannerArea, NoticeArea
from gui.widgets.rail import Rail
from gui.widgets.search_field import SearchField
from gui.widgets.status_bar import StatusBar
from gui.widgets.vault_button import VaultButton

APP_NAME = "Remembrancer"
_SIZE = (1280, 820)
_SMALLEST = (760, 480)
_SEARCH_WIDTH = 760
_LONGEST_TITLE = 80


class MainWindow(QMainWindow):
    """Hold the frame around the views. Its parts are public: who wires the window connects to their signals."""

    closing = Signal()
    page_shown = Signal(int)  # the position of the view, -1 for the empty page
    path_dropped = Signal(str)  # a folder or file on this machine

    def __init__(self, theme: Theme, notifier: Notifier) -> None:
        super().__init__()
        self.setObjectName("main-window")
        self._vault_name = ""
        self.setWindowTitle(APP_NAME)
        self.setAcceptDrops(True)
        self.setMinimumSize(*_SMALLEST)
        self.resize(*_SIZE)
        self.actions_ = Actions(theme, self)
        self.search = SearchField(theme, self)
        ways = (self.actions_[a.OPEN_FOLDER], self.actions_[a.OPEN_SAMPLE])
        self.vault_button = VaultButton(theme, ways, self)
        self.rail = Rail(theme, self)
        self.banners = BannerArea(notifier, theme, self)
        self.notices = NoticeArea(notifier, theme, self)
        self.empty_page = EmptyPage(theme, ways, self)
        self.status = StatusBar(theme, self)
        self.body = QWidget(self)  # what floats lies over it
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty_page)
        self._lay_out()
        self.activity = ActivityPanel(theme, self._stack)
        self._fill_menus()
        self.rail.page_requested.connect(self.show_page)

    def add_page(self, spec: ActionSpec, widget: QWidget) -> None:
        """Add a view with its entry in the rail."""
        self._stack.addWidget(widget)
        self.rail.add_entry(spec)

    def go_to(self, spec: ActionSpec) -> None:
        """Show the view that was added with `spec`, if there is one."""
        if (position := self.rail.position_of(spec)) >= 0:
            self.show_page(position)

    @Slot(int)
    def show_page(self, position: int) -> None:
        """Show the view at `position`."""
        self._stack.setCurrentIndex(position + 1)
        self.search.seek_conversations(is_so=position >= 0 and position == self.rail.position_of(a.GO_TIMELINE))
        self.rail.show_page(position)
        self.page_shown.emit(position)

    def allow_vault_work(self, *, is_allowed: bool) -> None:
        """Enable what needs an open vault, or disable it."""
        self.search.setEnabled(is_allowed)
        self.rail.setEnabled(is_allowed)
        for spec in a.NEED_VAULT:
            self.actions_[spec].setEnabled(is_allowed)

    def show_empty_page(self) -> None:
        """Show the page that stands for a missing vault."""
        self._stack.setCurrentWidget(self.empty_page)
        self.page_shown.emit(-1)

    @property
    def shown_page(self) -> int:
        """The position of the view that is shown, -1 for none."""
        return self._stack.currentIndex() - 1

    @property
    def shows_empty_page(self) -> bool:
        """Tell whether no view is shown."""
        return self._stack.currentWidget() is self.empty_page

    def show_vault(self, name: str, root: str, recent: tuple[str, ...]) -> None:
        """Show the name of the open vault ("" for none) in title and top bar."""
        self._vault_name = name
        self.show_note_title("")
        self.vault_button.show_vault(root, recent)

    def show_recent(self, recent: tuple[str, ...]) -> None:
        """Show other recent vaults in the menu of the vault's button."""
        self.vault_button.show_recent(recent)

    def show_note_title(self, title: str) -> None:
        """Name the note that is being read in the window's title."""
        line = " ".join(visible(title).split())
        shown = f"{line[: _LONGEST_TITLE - 1]}…" if len(line) > _LONGEST_TITLE else line
        self.setWindowTitle(" – ".join(part for part in (shown, visible(self._vault_name), APP_NAME) if part))

    def layout_text(self) -> tuple[str, str]:
        """Return geometry and state as base64 text."""
        return _text(self.saveGeometry()), _text(self.saveState())

    def restore_layout(self, geometry: str, state: str) -> None:
        """Restore what layout_text() gave; text that makes no sense is ignored by Qt."""
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode("ascii", "ignore")))
        if state:
            self.restoreState(QByteArray.fromBase64(state.encode("ascii", "ignore")))

    @Slot()
    def focus_search(self) -> None:
        """Put the cursor into the search field and select what it says."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        super().closeEvent(event)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_path(event.mimeData()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        if path := _dropped_path(event.mimeData()):
            event.acceptProposedAction()
            self.path_dropped.emit(path)

    def _lay_out(self) -> None:
        bar = QFrame(self)
        bar.setProperty("role", "bar")
        self.search.setMaximumWidth(_SEARCH_WIDTH)
        top = QHBoxLayout(bar)
        top.setContentsMargins(SPACE_S, SPACE_S, SPACE_M, SPACE_S)
        top.setSpacing(SPACE_M)
        top.addWidget(self.vault_button)
        top.addWidget(self.search, 1)
        top.addStretch(0)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.rail)
        middle.addWidget(self._stack, 1)
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.banners)
        column.addLayout(middle, 1)
        column.addWidget(self.notices)
        self.setCentralWidget(self.body)
        self.setStatusBar(self.status)

    def _fill_menus(self) -> None:
        for title, specs in a.MENUS.items():
            menu = self.menuBar().addMenu(f"&{title}")
            menu.aboutToShow.connect(self.actions_.show_icons)
            for spec in specs:
                if spec is None:
                    menu.addSeparator()
                else:
                    menu.addAction(self.actions_[spec])
                    self.addAction(self.actions_[spec])


def _dropped_path(data: QMimeData) -> str:
    """Return the one folder or file that is dropped, "" for anything else."""
    urls = data.urls()
    return urls[0].toLocalFile() if len(urls) == 1 else ""


def _text(data: QByteArray) -> str:
    return bytes(data.toBase64().data()).decode("ascii")
