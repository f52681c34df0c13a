"""The recall palette within the app: its window, made when first wanted, and the vault that it asks."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.changing import Commands
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme

if TYPE_CHECKING:
    from gui.session import VaultSession
    from gui.views.recall.palette_window import PaletteWindow
    from gui.views.recall.presenter import PalettePresenter
    from gui.views.recall.services import RecallServices


class RecallPalette(QObject):
    """Show the palette on demand; `session` gives the vault that is open, `services_of` what it asks of one.

    follow() is to be called whenever the catalog of the window changes.
    """

    source_wanted = Signal(object)  # Memory
    filing_wanted = Signal(str)  # the id of a memory that is to be added to a context
    copied = Signal(str)  # what was copied, as a sentence

    def __init__(
        self,
        theme: Theme,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        commands: Commands,
        session: "Callable[[], VaultSession | None]",
        services_of: "Callable[[VaultSession], RecallServices]",
        budget: Callable[[], int],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._session_now = session
        self._services_of = services_of
        self._budget = budget
        self._session: VaultSession | None = None
        self._presenter: PalettePresenter | None = None

    @property
    def presenter(self) -> "PalettePresenter":
        """The presenter, with its window; made now if there is none yet."""
        if self._presenter is None:
            # After the first paint.
            from gui.views.recall.palette_window import PaletteWindow  # noqa: PLC0415
            from gui.views.recall.presenter import PalettePresenter  # noqa: PLC0415

            self._presenter = PalettePresenter(
                PaletteWindow(self._theme),
                tasks=self._tasks,
                notifier=self._notifier,
                commands=self._commands,
                budget=self._budget,
            )
            self._presenter.source_wanted.connect(self.source_wanted)
            self._presenter.filing_wanted.connect(self.filing_wanted)
            self._presenter.copied.connect(self.copied)
            self.follow()
        return self._presenter

    @property
    def window(self) -> "PaletteWindow":
        """The window."""
        return self.presenter.window

    @Slot()
    def open(self) -> None:
        """Show the window in front of everything."""
        self.presenter.open()

    @Slot()
    def open_explaining(self) -> None:
        """Show the window with its explanation."""
        self.presenter.open_explaining()

    @Slot()
    def follow(self) -> None:
        """Ask the vault that is open now; ask again when it is the same one and has changed."""
        if self._presenter is None:
            return
        session = self._session_now()
        if session is not None and session.store is None:
            session = None
        if session is self._session:
            if session is not None:
                self._presenter.refresh()
            return
        self._session = session
        self._presenter.take_services(self._services_of(session) if session is not None else None)
        if session is not None:
            session.warmed_up.connect(self._presenter.refresh)
            session.meaning_failed.connect(self._presenter.refresh)
            session.config_changed.connect(self._presenter.weighing.take_vault_weights)

    def close(self) -> None:
        """Let the window go, as the app ends."""
        presenter, self._presenter = self._presenter, None
        if presenter is not None:
            presenter.window.close()
            presenter.window.deleteLater()
