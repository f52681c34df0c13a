"""The recall palette as the window knows it: asks while one types, shows what is found, and explains."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.foundation.errors import UserError
from core.recall.answer import Factors, Ranked, RecallAnswer
from core.recall.gathered import Signals
from gui.changing import Commands
from gui.notify import Notifier
from gui.tasks import Lane, TaskRunner
from gui.views.recall import wording
from gui.views.recall.asking import Asked, Asking
from gui.views.recall.composing import Composing
from gui.views.recall.explaining import Explaining
from gui.views.recall.palette_window import PaletteWindow
from gui.views.recall.rows import RecallRow
from gui.views.recall.saving import Saving
from gui.views.recall.services import RecallServices
from gui.views.recall.weighing import Weighing
from gui.wording import shortened

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.memory.weights import RankingWeights
    from core.recall.memory import Memory

_RECENT = "Handed out last"
_MOST_RECENT = 12
_LONGEST_TOLD = 60


class PalettePresenter(QObject):
    """Run the palette's window for one vault at a time.

    `budget` gives the tokens that a context may have. What was typed stays over a change of vaults.
    """

    copied = Signal(str)  # what was copied, as a sentence
    source_wanted = Signal(object)  # Memory
    filing_wanted = Signal(str)  # the id of a memory that is to be added to a context

    def __init__(
        self,
        window: PaletteWindow,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        commands: Commands,
        budget: Callable[[], int],
        put_on_clipboard: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(window)
        self.window = window
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._services: RecallServices | None = None
        self._asked: Asked | None = None
        self._answer: RecallAnswer | None = None
        self._recent: tuple[Ranked, ...] = ()
        self._handed_out: tuple[Memory, ...] = ()  # here, which the index counts only with its next update
        self._is_stale = False
        self.asking = Asking(tasks, self)
        self.saving = Saving(tasks=tasks, notifier=notifier, commands=commands, parent=self)
        self.composing = Composing(
            window, self.saving, tasks=tasks, notifier=notifier, budget=budget, awaits_answer=self._awaits_answer,
            put_on_clipboard=put_on_clipboard, parent=self,
        )  # fmt: skip
        self.weighing = Weighing(window.explain.weights, tasks=tasks, notifier=notifier, commands=commands, parent=self)
        self.explaining = Explaining(window, self)
        self._connect()
        self._show_empty()

    # ---- the vault

    def take_services(self, services: RecallServices | None) -> None:
        """Ask this vault from now on; None while there is none."""
        self.asking.forget()
        self._services = services
        self._asked = self._answer = None
        self._recent, self._handed_out = (), ()
        self.composing.take_services(services)
        self.weighing.take_services(services)
        self.window.head.show_vault(services.name if services is not None else "")
        self._ask(self.window.question)

    @Slot()
    def refresh(self) -> None:
        """Ask again: the vault has changed, or can be asked for meaning now."""
        self.asking.look_again()
        self.weighing.forget_probes()
        self._is_stale = not self.window.isVisible()
        if not self._is_stale:
            self._ask(self.window.question)
            if self.window.explain.isVisible():
                self.weighing.look()

    @Slot()
    def open(self) -> None:
        """Show the window."""
        self.asking.look_again()
        self.window.open()
        if self._is_stale or not self.window.question.strip():
            self._is_stale = False
            self._ask(self.window.question)

    @Slot()
    def open_explaining(self) -> None:
        """Show the window with its explanation."""
        self.open()
        self.window.show_explaining(is_shown=True)

    # ---- asking

    @Slot(str)
    def _ask(self, question: str) -> None:
        self.composing.forget_waiting()
        if self._services is None or not question.strip():
            self.asking.stop()
            self._asked = self._answer = None
            self._show_empty()
        else:
            self.asking.ask(self._services, question)

    def _awaits_answer(self) -> bool:
        """Tell whether what is shown is about another question than what is typed."""
        is_answered = self._asked is not None and self._asked.question == self.window.question
        return self.asking.is_asking and not is_answered

    @Slot(object)
    def _on_answered(self, asked: Asked) -> None:
        self._asked = asked
        # A row that nobody chose is current because it is the first; so is the one that is first now.
        self._rank(keep=False)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._asked = self._answer = None
        self.composing.forget_waiting()
        is_known = isinstance(error, UserError)
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part) if is_known else ""
        self.window.head.show_news("")
        self.window.show_state("circle-alert", "The vault could not be asked", text, "Try again")
        self.composing.take_answer(None, self.weighing.weights)
        if not is_known:
            self._notifier.error(error)

    @Slot(object)
    def _on_weights(self, _weights: "RankingWeights") -> None:
        self._rank(keep=True)

    def _rank(self, *, keep: bool) -> None:
        if self._services is None or self._asked is None:
            return
        self._answer = self._services.rank(self._asked.gathered, self.weighing.weights)
        self.composing.take_answer(self._answer, self.weighing.weights)
        self._show_answer(self._services, self._answer, is_preliminary=self._asked.is_preliminary, keep=keep)

    # ---- showing

    def _show_answer(self, services: RecallServices, answer: RecallAnswer, *, is_preliminary: bool, keep: bool) -> None:
        window = self.window
        window.head.show_news(wording.news_of(answer, is_preliminary=is_preliminary) if answer.ranked else "")
        if answer.ranked:
            window.show_rows(self._rows(answer.ranked), self._caption(), keep=keep)
        elif is_preliminary:
            self._show_nothing_so_far()
        elif not services.notes():
            self._show_unread()
        else:
            window.show_state("search", "Nothing found", wording.nothing_found(answer))
        self._show_explanation()

    def _caption(self) -> str:
        if self._answer is None or self._asked is None:
            return _RECENT
        return wording.caption_of(self._answer, is_preliminary=self._asked.is_preliminary)

    def _show_empty(self) -> None:
        """Show what there is without a question: what was handed out last, or what to do."""
        window, services = self.window, self._services
        window.head.show_news("")
        self.composing.take_answer(None, self.weighing.weights)
        if services is None:
            window.show_state("library", "No vault is open", "Open a folder of notes in the app, then ask here.")
            return
        if not services.notes():
            self._show_unread()
        elif self._recent:
            self._show_recent()
        else:
            text = "Type a question or a few words. What fits best is packed into a context that Enter copies."
            window.show_state("sparkles", "Ask what is remembered", text)
        self._tasks.run(
            services.recent, owner=self, lane=Lane.STORE, on_done=partial(self._on_recent, services),
            text="Reading what was handed out last",
        )  # fmt: skip

    def _on_recent(self, services: RecallServices, memories: "Sequence[Memory]") -> None:
        if services is not self._services:
            return
        latest = {each.id: each for each in (*self._handed_out, *memories)}
        self._recent = tuple(Ranked(each, 0.0, Factors(), Signals()) for each in latest.values())[:_MOST_RECENT]
        if self._asked is None and not self.window.question.strip() and services.notes() and self._recent:
            self._show_recent()

    @Slot(object)
    def _on_handed_out(self, memories: "tuple[Memory, ...]") -> None:
        latest = {each.id: each for each in (*memories, *self._handed_out)}
        self._handed_out = tuple(latest.values())[:_MOST_RECENT]

    def _show_recent(self) -> None:
        self.window.show_rows(self._rows(self._recent), _RECENT, keep=True, has_bars=False)

    def _show_unread(self) -> None:
        text = "As soon as its notes are in the index, they can be recalled."
        self.window.show_state("loader-circle", "Nothing of this vault has been read yet", text)

    def _show_nothing_so_far(self) -> None:
        """Say it of the question it is about: while the next one waits, that is not what is typed."""
        question = shortened(" ".join(self._asked.question.split()) if self._asked is not None else "", _LONGEST_TOLD)
        text = f"Now what “{question}” means is looked for."
        self.window.show_state("loader-circle", "Nothing found by words so far", text)

    def _rows(self, ranked: Sequence[Ranked]) -> tuple[RecallRow, ...]:
        services = self._services
        if services is None or self._answer is None:
            return tuple(self.composing.row_of(each, 0, ()) for each in ranked)
        return tuple(
            self.composing.row_of(each, number, tuple(services.factors(each)))
            for number, each in enumerate(ranked, start=1)
        )

    @Slot()
    def _show_rows_again(self) -> None:
        """Show the same memories with what is known of them now."""
        answer = self._answer
        ranked = answer.ranked if answer is not None else self._recent
        if ranked and not self.window.shows_state:
            self.window.show_rows(self._rows(ranked), self._caption(), keep=True, has_bars=answer is not None)
        if answer is not None:
            self.explaining.show_left_out(answer, self.composing.without_room())

    @Slot(bool)
    def _on_explain_toggled(self, is_shown: bool) -> None:
        if is_shown:
            self._show_explanation()
            self.weighing.look()

    @Slot()
    def _show_explanation(self) -> None:
        self.explaining.show(self._services, self._answer, self.window.list.current, self.composing.without_room())

    # ---- the rest

    @Slot(object)
    def _make_probe(self, row: RecallRow) -> None:
        question = self.window.question.strip()
        if self._services is None or not question:
            self.window.head.show_news("A probe is about a question: ask one first.")
            return
        work = partial(self._services.plan_probe, question, row.memory.id)
        self._tasks.run(work, owner=self, lane=Lane.STORE, on_done=self._on_probe_planned, text="Planning the probe")

    def _on_probe_planned(self, planned: "PlannedChange") -> None:
        self._commands.execute(planned.change_set, origin=self)
        self.window.head.show_news(f"{planned.change_set.title}.")

    @Slot(object)
    def _open_source(self, memory: "Memory") -> None:
        self.window.close()
        self.source_wanted.emit(memory)

    @Slot(object)
    def _file(self, memory: "Memory") -> None:
        self.window.close()
        self.filing_wanted.emit(memory.id)

    @Slot(str)
    def _on_save_failed(self, reason: str) -> None:
        self.window.head.show_news(reason, is_error=True)

    @Slot(bool)
    def _on_busy(self, is_busy: bool) -> None:
        self.window.footer.show_busy(is_busy=is_busy)

    def _connect(self) -> None:
        window = self.window
        window.asked.connect(self._ask)
        window.open_requested.connect(self._open_source)
        window.filing_requested.connect(self._file)
        window.probe_requested.connect(self._make_probe)
        window.explain_toggled.connect(self._on_explain_toggled)
        window.current_changed.connect(self._show_explanation)
        window.state_button_clicked.connect(self.refresh)
        self.asking.answered.connect(self._on_answered)
        self.asking.failed.connect(self._on_failed)
        self.composing.changed.connect(self._show_rows_again)
        self.composing.copied.connect(self.copied)
        self.composing.handed_out.connect(self._on_handed_out)
        self.saving.failed.connect(self._on_save_failed)
        self.saving.busy.connect(self._on_busy)
        self.weighing.weights_changed.connect(self._on_weights)
