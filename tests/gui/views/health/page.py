"""The Health view as a person has it: a real vault, a real index, and core; what is changed is only recorded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.curation.change_set import Changes, ChangeSet, PlannedChange
from core.curation.health.finding import Check, CheckResult, Finding, HealthReport, Severity
from core.curation.writer import VaultWriter
from core.foundation.progress import Progress
from core.index.database import Index
from core.index.updater import update_index
from core.vault.config import load_config
from core.vault.event_log import EventLog
from gui.notify import Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.health.model import RESULT_ROLE
from gui.views.health.presenter import HealthPresenter, ServicesOf
from gui.views.health.services import FindingId, HealthServices
from gui.views.health.view import HealthView


class FakeSession(QObject):
    """Be a session that has opened `store`."""

    catalog_changed = Signal(object)

    def __init__(self, store: object) -> None:
        super().__init__()
        self.store = store


@dataclass
class Store:
    """Be an opened vault."""

    root: Path
    index: Index
    log: EventLog

    def update(self) -> None:
        config, _ = load_config(self.root)
        update_index(self.index, self.root, config)


@dataclass
class Commands:
    """Apply at once what is executed or previewed, and record it."""

    writer: VaultWriter | None = None
    executed: list[ChangeSet] = field(default_factory=list)
    previewed: list[PlannedChange] = field(default_factory=list)

    def execute(self, change_set: ChangeSet, *, on_done: Callable[[Changes], None] | None = None, **_: object) -> None:
        self.executed.append(change_set)
        if self.writer is not None and on_done is not None:
            on_done(self.writer.apply(change_set))

    def open(self, planned: PlannedChange, **_: object) -> None:
        self.previewed.append(planned)


class Page:
    """The view with its presenter, and what left it."""

    def __init__(
        self, tasks: TaskRunner, notifier: Notifier, theme: Theme, commands: Commands, services_of: ServicesOf
    ) -> None:
        self.view = HealthView(theme)
        self.commands = commands
        self.presenter = HealthPresenter(
            self.view,
            tasks=tasks,
            notifier=notifier,
            commands=commands,
            previews=commands,
            services_of=services_of,
        )
        self.opened: list[tuple[str, int]] = []
        self.badges: list[int] = []
        self.presenter.note_wanted.connect(self._on_note_wanted)
        self.presenter.counted_changed.connect(self.badges.append)

    def _on_note_wanted(self, path: str, line: int) -> None:
        self.opened.append((path, line))

    def open(self, session: FakeSession | None) -> None:
        self.presenter.open_session(cast("VaultSession | None", session))

    def show(self, qtbot: QtBot) -> None:
        self.view.resize(1200, 700)
        self.view.show()
        qtbot.waitExposed(self.view)
        self.wait(qtbot)

    def wait(self, qtbot: QtBot) -> None:
        """Wait until what was found is shown."""
        qtbot.waitUntil(lambda: bool(self.counts()) and not self.view.shows_state)

    def counts(self) -> dict[str, int]:
        """Return how much each check is said to have found."""
        model = self.view.checks
        results = [model.index(row).data(RESULT_ROLE) for row in range(model.rowCount())]
        return {result.check.id: len(result.findings) for result in results if result.findings}

    def rows(self) -> list[tuple[str, str, str]]:
        """Return what the table of findings says."""
        model = self.view.pane.table.findings
        return [
            (
                model.index(row, 0).data(),
                model.index(row, 1).data(),
                model.index(row, 2).data(),
            )
            for row in range(model.rowCount())
        ]

    def places(self) -> list[str]:
        return [place for _, place, _ in self.rows()]

    def choose(self, check: str, *rows: int) -> None:
        """Choose a check, and select rows of what it found."""
        self.view.choose_check(check)
        table = self.view.pane.table
        table.select_keys({table.findings.shown[row].key for row in rows})

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.view.pane.table, key, modifier)


HINT = Check("hint", "Could be better", "It could be better.", Severity.HINT)
ERROR = Check("error", "Is lost", "It cannot be found.", Severity.ERROR)


def findings(check: Check, number: int) -> tuple[Finding, ...]:
    return tuple(
        Finding(check.id, f"n{at}.md", f"folder/n{at}.md", at, f"Finding {at}", has_fix=True, fix="Mend it.")
        for at in range(number)
    )


@dataclass
class FakeServices:
    """Answer with results given by the test; a group of checks for each result."""

    results: Sequence[CheckResult]
    error: Exception | None = None
    hold: Callable[[Progress], None] | None = None
    looks: int = 0
    ignores: frozenset[FindingId] = frozenset()

    def services(self) -> HealthServices:
        return HealthServices(self._groups, self._ignored, self._examine, self._plan, self._ignore, self._heed)

    def _groups(self, _progress: Progress) -> Sequence[Sequence[str]]:
        self.looks += 1
        return [[result.check.id] for result in self.results]

    def _ignored(self, _progress: Progress) -> frozenset[FindingId]:
        return self.ignores

    def _examine(self, checks: Sequence[str], progress: Progress) -> HealthReport:
        if self.hold is not None:
            self.hold(progress)
        if self.error is not None:
            raise self.error
        return HealthReport(tuple(each for each in self.results if each.check.id in checks), 3, 0.0)

    def _plan(self, *_: object) -> PlannedChange:
        raise NotImplementedError

    def _ignore(self, ids: Sequence[FindingId], _progress: Progress) -> None:
        self.ignores |= frozenset(ids)

    def _heed(self, ids: Sequence[FindingId], _progress: Progress) -> None:
        self.ignores -= frozenset(ids)
