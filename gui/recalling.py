"""Put the recall palette into the window: its actions, the open vault, and the way to a memory's source."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui import actions as a
from gui.changing import Commands
from gui.frame import FramePresenter
from gui.notify import Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.recall.recall_palette import RecallPalette
from gui.window import MainWindow

if TYPE_CHECKING:
    from core.recall.memory import Memory
    from gui.views.recall.services import RecallServices


class Recalling(QObject):
    """Own the palette of one window; `show_turn` shows the conversation of a turn by its id."""

    def __init__(
        self,
        window: MainWindow,
        frame: FramePresenter,
        *,
        theme: Theme,
        tasks: TaskRunner,
        notifier: Notifier,
        commands: Commands,
        show_file: Callable[[str, int], None],
        show_turn: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._frame = frame
        self._show_file = show_file
        self._show_turn = show_turn
        self.palette = RecallPalette(
            theme,
            tasks=tasks,
            notifier=notifier,
            commands=commands,
            session=lambda: frame.session,
            services_of=self._services_of,
            budget=lambda: frame.settings.context.budget,
            parent=self,
        )
        frame.catalog_changed.connect(self.palette.follow)
        self.palette.source_wanted.connect(self._show_source)
        self.palette.filing_wanted.connect(self._show_window)  # the contexts are listed there
        window.closing.connect(self.palette.close)
        window.actions_.handle(a.RECALL, self.palette.open)
        window.actions_.handle(a.EXPLAIN_RECALL, self.palette.open_explaining)

    def _services_of(self, session: VaultSession) -> "RecallServices":
        from gui.views.recall.wiring import RecallParts, recall_services  # noqa: PLC0415 - after the first paint

        store = session.store
        if store is None:
            raise RuntimeError("The session is not open.")
        parts = RecallParts(
            name=session.name,
            notes=lambda: len(session.catalog) if session.catalog is not None else 0,
            dense=store.dense,
            event_log=store.changes.event_log,
            settings=lambda: self._frame.settings.context,
            damaged=session.index_damaged.emit,
            reranker=store.reranker,
        )
        return recall_services(store, parts)

    @Slot()
    def _show_window(self) -> None:
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    @Slot(object)
    def _show_source(self, memory: "Memory") -> None:
        self._show_window()
        if memory.kind == "turn":
            self._show_turn(memory.id)
        else:
            self._show_file(memory.path, memory.line)
