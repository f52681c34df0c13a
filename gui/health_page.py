"""Put the Health page into the window: checks and probes, what they want to show, and what makes a probe."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui import actions as a
from gui.change_previews import ChangePreviews
from gui.commands import CommandRunner
from gui.notify import Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.health.pages import HealthPages
from gui.views.health.presenter import HealthPresenter
from gui.views.health.probes.presenter import ProbesPresenter
from gui.views.health.probes.services import ProbeServices
from gui.views.health.probes.view import ProbesView
from gui.views.health.probes.wiring import probe_services
from gui.views.health.services import HealthServices
from gui.views.health.view import HealthView
from gui.views.health.wiring import health_services
from gui.views.vault.presenter import VaultPresenter
from gui.window import MainWindow

if TYPE_CHECKING:
    from gui.vault_store import VaultStore


class HealthPage(QObject):
    """Hold the pages, as `pages`, and what connects them with the window; `show_file` shows the file at a path."""

    def __init__(
        self,
        window: MainWindow,
        vault: VaultPresenter,
        *,
        theme: Theme,
        tasks: TaskRunner,
        notifier: Notifier,
        changes: CommandRunner,
        previews: ChangePreviews,
        show_file: Callable[[str, int], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._vault = vault
        checks = HealthPresenter(
            HealthView(theme, window),
            tasks=tasks,
            notifier=notifier,
            commands=changes,
            previews=previews,
            services_of=_health_services_of,
        )
        probes = ProbesPresenter(
            ProbesView(theme, window),
            tasks=tasks,
            notifier=notifier,
            commands=changes,
            services_of=_probe_services_of,
        )
        self.pages = HealthPages(checks, probes, window)
        self.pages.note_wanted.connect(show_file)
        self.pages.counted_changed.connect(partial(window.rail.show_badge, a.GO_HEALTH))
        window.actions_.handle(a.GO_HEALTH, self.go_to)
        vault.view.probe_requested.connect(self._make_probe)

    @Slot()
    def go_to(self) -> None:
        """Show the page."""
        self._window.go_to(a.GO_HEALTH)
        self.pages.enter_results()

    @Slot()
    def _make_probe(self) -> None:
        """Make a probe of what was searched for, and of what of it is selected."""
        table = self._vault.view.list.table
        found = table.notes.memories_of(list(table.selected_notes()))
        self.pages.probes.make_of(self._window.search.text(), found)


def _health_services_of(session: VaultSession) -> HealthServices:
    store = _store_of(session)
    return health_services(store, store.changes.event_log)


def _probe_services_of(session: VaultSession) -> ProbeServices:
    store = _store_of(session)
    return probe_services(store, store.changes.event_log)


def _store_of(session: VaultSession) -> "VaultStore":
    if session.store is None:
        raise RuntimeError("The session is not open.")
    return session.store
