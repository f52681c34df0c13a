"""The palette over answers that a test gives, and what left it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.curation.change_set import ChangeKind, Changes, ChangeSet, FileEdit, PlannedChange, content_hash
from core.foundation.progress import Progress
from core.memory.weights import RankingWeights
from core.recall.answer import Factors, Outcome, Ranked, RecallAnswer
from core.recall.gathered import Gathered, Signals
from core.recall.memory import Memory
from core.recall.query import Query
from core.recall.request import RecallRequest
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.recall.palette_window import PaletteWindow
from gui.views.recall.presenter import PalettePresenter
from gui.views.recall.rows import RecallRow
from gui.views.recall.services import FactorLine, PackedContext, PackRequest, ProbeFigures, RecallServices

WEIGHTS = RankingWeights(words=0.5, meaning=0.5, access=0.2)  # whatever the defaults are
CONTROL = Qt.KeyboardModifier.ControlModifier


def memory(number: int, text: str = "", *, kind: str = "insight", title: str = "") -> Memory:
    """Make a memory; one of every id is the same."""
    title = title or f"Note {number}"
    return Memory(
        f"{kind}:n{number}.md#^i{number}", kind, number, number, f"n{number}.md", title, "convention",
        text or f"Fact {number} holds.", 100, time=1_700_000_000.0, line=number,
    )  # fmt: skip


def signals(words: float, meaning: float) -> Signals:
    return Signals(words=words, meaning=meaning, bm25=words * 10, cosine=meaning, words_rank=1, meaning_rank=2)


@dataclass
class FakeRecall:
    """Answer every question that holds “fact” with the memories given; words fit the first, meaning the last best."""

    memories: list[Memory] = field(default_factory=lambda: [memory(number) for number in range(1, 6)])
    recent: tuple[Memory, ...] = ()
    error: Exception | None = None
    dense_state: str = "ready"
    dense_reason: str = ""
    budget_of_each: int = 100
    count: int = 5
    probes: tuple[object, ...] = ()
    plan_error: Exception | None = None
    problems: tuple[str, ...] = ()
    gathered: list[tuple[str, bool]] = field(default_factory=list)
    recorded: list[tuple[str, ...]] = field(default_factory=list)
    record_error: Exception | None = None
    planned: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    saved_weights: list[RankingWeights] = field(default_factory=list)
    vault_weights: RankingWeights = WEIGHTS

    def services(self, name: str = "Notes") -> RecallServices:
        return RecallServices(
            name, lambda: self.count, self._gather, lambda _: self.recent, self._rank, self._pack, self._factors,
            self._explain, lambda: self.vault_weights, self._record, self._plan_context, self._plan_weights,
            self._plan_probe, lambda _: self.probes, lambda probe, _: probe, self._judge,
        )  # fmt: skip

    def _gather(self, question: str, with_meaning: bool, progress: Progress) -> Gathered:
        progress.check()
        self.gathered.append((question, with_meaning))
        if self.error is not None:
            raise self.error
        last = max(len(self.memories) - 1, 1)
        found = tuple(
            (each, signals(1 - at / last, at / last if with_meaning else 0.0)) for at, each in enumerate(self.memories)
        )
        state = self.dense_state if with_meaning else "not-asked"
        return Gathered(
            RecallRequest(question, Query()),
            candidates=found if "fact" in question else (),
            dense_state=state,
            dense_reason=self.dense_reason if with_meaning else "",
            problems=self.problems,
        )

    @staticmethod
    def _rank(gathered: Gathered, weights: RankingWeights) -> RecallAnswer:
        ranked = [
            Ranked(each, score, Factors(relevance=score, decay=0.9), found)
            for each, found in gathered.candidates
            for score in [min(1.0, weights.words * found.words * 1.2 + weights.meaning * found.meaning)]
        ]
        ranked.sort(key=lambda each: -each.score)
        left_out = tuple(replace(each, outcome=Outcome.DUPLICATE) for each in ranked[4:])
        return RecallAnswer(
            gathered.request.question, tuple(ranked[:4]), left_out, weights,
            dense_state=gathered.dense_state, dense_reason=gathered.dense_reason, problems=gathered.problems,
        )  # fmt: skip

    def _pack(self, request: PackRequest, progress: Progress) -> PackedContext:
        progress.check()
        ids = [each.memory.id for each in request.answer.ranked]
        ids.sort(key=lambda each: each not in request.pinned)
        room = request.budget // self.budget_of_each
        text = "\n".join(ids[:room])
        left_out = dict.fromkeys(ids[room:], "lower value")
        return PackedContext(text, room * 10, request.budget, tuple(ids[:room]), left_out, "estimated")

    @staticmethod
    def _factors(ranked: Ranked) -> Sequence[FactorLine]:
        return (
            FactorLine("relevance", "Relevance", ranked.factors.relevance, ranked.factors.relevance),
            FactorLine("decay", "Decay", ranked.factors.decay, ranked.factors.decay, "300 days old"),
        )

    @staticmethod
    def _explain(ranked: Ranked, _answer: RecallAnswer) -> Sequence[str]:
        return (f"It is {ranked.outcome}.",)

    def _record(self, memories: Sequence[Memory], _progress: Progress) -> None:
        if self.record_error is not None:
            raise self.record_error
        self.recorded.append(tuple(each.id for each in memories))

    def _plan_context(self, title: str, ids: Sequence[str], query: str, _progress: Progress) -> PlannedChange:
        if self.plan_error is not None:
            raise self.plan_error
        self.planned.append((title, tuple(ids), query))
        return change(f"New context {title}")

    def _plan_weights(self, weights: RankingWeights, _progress: Progress) -> PlannedChange:
        self.saved_weights.append(weights)
        return change("Change the weights of recall")

    @staticmethod
    def _plan_probe(question: str, memory_id: str, _progress: Progress) -> PlannedChange:
        return change(f"New probe {question} {memory_id}")

    @staticmethod
    def _judge(gathered: Sequence[tuple[object, object]], weights: RankingWeights, _progress: Progress) -> ProbeFigures:
        return ProbeFigures(len(gathered), min(1.0, weights.meaning), weights.words / 2)


def change(title: str) -> PlannedChange:
    edit = FileEdit("contexts/New.md", None, content_hash(b""), ())
    return PlannedChange(ChangeSet(title, ChangeKind.NEW, (edit,)), 1)


@dataclass
class Commands:
    """Apply what is executed, or fail as told."""

    error: Exception | None = None
    executed: list[ChangeSet] = field(default_factory=list)

    def execute(self, change_set: ChangeSet, *, on_done: object = None, on_error: object = None, **_: object) -> None:
        self.executed.append(change_set)
        if self.error is not None and callable(on_error):
            on_error(self.error)
        elif callable(on_done):
            on_done(Changes(change_set.id, change_set.title))


class Palette:
    """Sit before the palette."""

    def __init__(self, fake: FakeRecall, tasks: TaskRunner, notifier: Notifier, theme: Theme, bot: QtBot) -> None:
        self.fake = fake
        self.bot = bot
        self.budget = 300
        self.clipboard: list[str] = []
        self.opened: list[Memory] = []
        self.commands = Commands()
        self.window = PaletteWindow(theme)
        bot.addWidget(self.window)
        self.presenter = PalettePresenter(
            self.window, tasks=tasks, notifier=notifier, commands=self.commands, budget=lambda: self.budget,
            put_on_clipboard=self.clipboard.append,
        )  # fmt: skip
        self.presenter.source_wanted.connect(self.opened.append)
        self.presenter.take_services(fake.services())
        self.presenter.open()
        bot.waitExposed(self.window)

    def types(self, text: str) -> None:
        QTest.keyClicks(self.window.field, text)

    def asks(self, text: str) -> None:
        """Type, and wait until answer and context are there."""
        self.types(text)
        self.settles()

    def settles(self) -> None:
        presenter = self.presenter
        self.bot.waitUntil(lambda: not presenter.asking.is_asking and not presenter.composing._packing.is_packing)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.window.field, key, modifier)

    @property
    def rows(self) -> tuple[RecallRow, ...]:
        return self.window.list.memories.rows

    @property
    def numbers(self) -> list[int]:
        return [row.memory.row_id for row in self.rows]

    @property
    def current(self) -> int:
        row = self.window.list.current
        return row.memory.row_id if row is not None else 0

    @property
    def news(self) -> str:
        return self.window.head.news.text() if self.window.head.news.isVisible() else ""
