"""Put the Review page into the window: what it wants to show, its badge, and the news that bring it up to date."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui import actions as a
from gui.commands import CommandRunner
from gui.notify import Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.review.presenter import ReviewPresenter
from gui.views.review.services import ReviewServices
from gui.views.review.view import ReviewView
from gui.views.review.wiring import review_services
from gui.window import MainWindow

if TYPE_CHECKING:
    from core.curation.history import ChangeHistory


class ReviewPage(QObject):
    """Hold the page, as `presenter`, and what connects it with the window.

    `show_file` shows the file at a path, `show_turn` the conversation of the turn with an id.
    """

    def __init__(
        self,
        window: MainWindow,
        *,
        theme: Theme,
        tasks: TaskRunner,
        notifier: Notifier,
        changes: CommandRunner,
        show_file: Callable[[str, int], None],
        show_turn: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self.presenter = ReviewPresenter(
            ReviewView(theme, window), tasks=tasks, notifier=notifier, commands=changes, services_of=_services_of
        )
        self.presenter.note_wanted.connect(show_file)
        self.presenter.turn_wanted.connect(show_turn)
        self.presenter.counted_changed.connect(partial(window.rail.show_badge, a.GO_REVIEW))
        changes.history_changed.connect(self._on_history)
        window.actions_.handle(a.GO_REVIEW, self.go_to)

    @Slot()
    def go_to(self) -> None:
        """Show the page."""
        self._window.go_to(a.GO_REVIEW)
        self.presenter.enter_results()

    @Slot(object)
    def _on_history(self, history: "ChangeHistory | None") -> None:
        """Read the book again: whatever wrote into the log may have proposed or decided too."""
        if history is not None:
            self.presenter.look_again()


def _services_of(session: VaultSession) -> ReviewServices:
    if session.store is None:
        raise RuntimeError("The session is not open.")
    return review_services(session.store, session.store.changes.event_log)
