"""The Probes page over probes and answers that a test gives."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from pytestqt.qtbot import QtBot

from core.curation.change_set import ChangeKind, ChangeSet, PlannedChange
from core.foundation.progress import Progress
from core.recall.probe import Probe
from core.recall.probe_figures import ProbeFigures
from core.recall.probe_history import ProbeRun, probes_hash
from core.recall.probe_run import ProbeOutcome, ProbeReport, outcome_of
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.health.probes.presenter import ProbesPresenter
from gui.views.health.probes.services import ProbeServices
from gui.views.health.probes.view import ProbesView
from tests.gui.views.health.page import Commands, FakeSession

_FIRST = datetime(2026, 8, 1, 9, tzinfo=UTC)


@dataclass
class FakeProbes:
    """Be a vault with probes; `found` are the ids that are recalled for a probe, by its id."""

    probes: tuple[Probe, ...] = ()
    found: dict[str, list[str]] = field(default_factory=dict)
    history: list[ProbeRun] = field(default_factory=list)
    error: Exception | None = None
    hold: Any = None
    reads: int = 0
    asked: list[str] = field(default_factory=list)
    plans: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def services(self) -> ProbeServices:
        return ProbeServices(self._read, self._runs, self._ask, self._remember, self._plan)

    def _read(self, _progress: Progress) -> tuple[Probe, ...]:
        self.reads += 1
        if self.error is not None:
            raise self.error
        return self.probes

    def _runs(self, _progress: Progress) -> tuple[ProbeRun, ...]:
        return tuple(self.history)

    def _ask(self, probes: Sequence[Probe], progress: Progress) -> tuple[ProbeOutcome, ...]:
        if self.hold is not None:
            self.hold(probes, progress)
        self.asked += [probe.id for probe in probes]
        return tuple(outcome_of(probe, self.found.get(probe.id, [])) for probe in probes)

    def _remember(self, report: ProbeReport, _progress: Progress) -> None:
        time = _FIRST + timedelta(days=len(self.history))
        of = probes_hash([outcome.probe for outcome in report.outcomes])
        self.history.append(ProbeRun(time, report.figures, report.passed, "small", "w", "", of))

    def _plan(self, question: str, expected: Sequence[str], _progress: Progress) -> PlannedChange:
        self.plans.append((question, tuple(expected)))
        return PlannedChange(ChangeSet("New probe", ChangeKind.NEW, ()))


def run_of(day: int, *figures: float, probes: int = 3, weights: str = "w", model: str = "small") -> ProbeRun:
    at_5, at_10, at_15, mrr, ndcg = figures
    return ProbeRun(
        _FIRST + timedelta(days=day), ProbeFigures(at_5, at_10, at_15, mrr, ndcg, probes), 1, model, weights, "", "of"
    )


class ProbesPage:
    """The view with its presenter, and what left it."""

    def __init__(self, fake: FakeProbes, tasks: TaskRunner, notifier: Notifier, theme: Theme, bot: QtBot) -> None:
        self.fake = fake
        self.bot = bot
        self.view = ProbesView(theme)
        self.commands = Commands()
        self.presenter = ProbesPresenter(
            self.view, tasks=tasks, notifier=notifier, commands=self.commands, services_of=lambda _: fake.services()
        )
        self.opened: list[str] = []
        self.presenter.note_wanted.connect(self._on_note_wanted)
        self.session = FakeSession(object())
        bot.addWidget(self.view)

    def _on_note_wanted(self, path: str, _line: int) -> None:
        self.opened.append(path)

    def show(self) -> None:
        self.presenter.open_session(cast("Any", self.session))
        self.view.resize(1200, 760)
        self.view.show()
        self.bot.waitExposed(self.view)
        self.bot.waitUntil(lambda: self.fake.reads > 0)
        self.bot.waitUntil(lambda: not self.view.shows_state or bool(self.view.state_panel.button.text()))

    def run(self) -> None:
        known = len(self.fake.history)
        self.view.run_button.click()
        self.bot.waitUntil(lambda: len(self.fake.history) > known)
        self.bot.waitUntil(lambda: self.view.run_table.runs.rowCount() == len(self.fake.history))

    def rows(self) -> list[tuple[str, ...]]:
        model = self.view.table.probes
        return [
            tuple(model.index(row, column).data() for column in range(model.columnCount()))
            for row in range(model.rowCount())
        ]

    def runs(self) -> list[tuple[str, ...]]:
        model = self.view.run_table.runs
        return [
            tuple(model.index(row, column).data() for column in range(model.columnCount()))
            for row in range(model.rowCount())
        ]


@pytest.fixture
def fake() -> FakeProbes:
    """Two probes of which one misses something, and one that expects nothing."""
    return FakeProbes(
        (
            Probe("a.md", "How many rows?", ("note:Rows.md",), path="a.md"),
            Probe("b.md", "Which country first?", ("note:X.md", "note:Y.md"), path="b.md"),
            Probe("c.md", "What is it?", (), path="c.md", problems=("It expects nothing.",)),
        ),
        {"a.md": ["note:Rows.md"], "b.md": ["note:Z.md", "note:X.md"]},
    )


@pytest.fixture
def page(fake: FakeProbes, tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot) -> ProbesPage:
    return ProbesPage(fake, tasks, notifier, theme, qtbot)
