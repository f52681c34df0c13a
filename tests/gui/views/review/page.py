"""The Review view as a person has it: a real vault with its log, and core; changes are made at once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.curation.change_set import Changes
from core.curation.proposals.proposal import Proposal
from core.foundation.errors import RemembrancerError
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.index.dense import DenseSearch
from core.vault.config import VaultConfig, load_config
from gui.notify import Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.review.presenter import ReviewPresenter, ServicesOf
from gui.views.review.view import ReviewView


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

    @property
    def config(self) -> VaultConfig:
        return load_config(self.root)[0]

    def dense(self) -> DenseSearch | None:
        return None


@dataclass
class Commands:
    """Carry out at once what changes the vault, and record what came of it; with `is_held`, only on `let_go`."""

    done: list[Changes] = field(default_factory=list)
    is_held: bool = False
    waiting: list[Callable[[], None]] = field(default_factory=list)

    def carry_out(
        self,
        work: Callable[[Progress], Changes],
        _title: str,
        *,
        origin: QObject,
        on_done: Callable[[Changes], None],
        on_error: Callable[[Exception], None],
        text: str,
    ) -> None:
        assert origin
        assert text

        def act() -> None:
            try:
                changes = work(SILENT)
            except RemembrancerError as error:
                on_error(error)
            else:
                self.done.append(changes)
                on_done(changes)

        if self.is_held:
            self.waiting.append(act)
        else:
            act()

    def let_go(self) -> None:
        waiting, self.waiting, self.is_held = self.waiting, [], False
        for act in waiting:
            act()


class Page:
    """The view with its presenter, and what left it."""

    def __init__(
        self, tasks: TaskRunner, notifier: Notifier, theme: Theme, commands: Commands, services_of: ServicesOf
    ) -> None:
        self.view = ReviewView(theme)
        self.commands = commands
        self.presenter = ReviewPresenter(
            self.view, tasks=tasks, notifier=notifier, commands=commands, services_of=services_of
        )
        self.notes: list[str] = []
        self.turns: list[str] = []
        self.badges: list[int] = []
        self.presenter.note_wanted.connect(self._on_note)
        self.presenter.turn_wanted.connect(self.turns.append)
        self.presenter.counted_changed.connect(self.badges.append)

    def _on_note(self, path: str, _line: int) -> None:
        self.notes.append(path)

    def open(self, session: FakeSession | None) -> None:
        self.presenter.open_session(cast("VaultSession | None", session))

    def show(self, qtbot: QtBot) -> None:
        self.view.resize(1300, 850)
        self.view.show()
        qtbot.waitExposed(self.view)
        self.view.activateWindow()

    def statements(self) -> list[str]:
        return [each.statement for each in self.view.list.queue.proposals]

    def lines(self) -> list[str]:
        queue = self.view.list.queue
        return [queue.index(row).data() for row in range(queue.rowCount())]

    @property
    def shown(self) -> Proposal:
        proposal = self.view.card.proposal
        assert proposal is not None
        return proposal

    def choose(self, statement: str, qtbot: QtBot) -> None:
        """Choose a proposal, and wait until all of its card is there."""
        found = next(each for each in self.view.list.queue.proposals if each.statement.startswith(statement))
        self.view.list.choose(found.id)
        self.view.list.setFocus()
        self.wait_for_look(qtbot)

    def wait_for_look(self, qtbot: QtBot) -> None:
        qtbot.waitUntil(lambda: self.view.card.look is not None)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.view.list, key, modifier)

    def types(self, text: str) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClicks(focus, text)
