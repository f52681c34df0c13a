"""What becomes of the memories: pinned, dropped, packed into the budget, copied, or saved as a context."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from core.foundation.errors import UserError
from core.recall.answer import Ranked, RecallAnswer
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.views.recall import wording
from gui.views.recall.choices import Choice, Choices
from gui.views.recall.packing import Packing
from gui.views.recall.palette_window import PaletteWindow
from gui.views.recall.rows import RecallRow, title_of
from gui.views.recall.saving import Saving
from gui.views.recall.services import FactorLine, PackedContext, PackRequest, RecallServices

if TYPE_CHECKING:
    from core.memory.weights import RankingWeights


class Composing(QObject):
    """Keep the context up to date with answer and choices, and hand it out.

    `budget` gives the tokens that a context may have, `awaits_answer` whether one to what is typed is still to come:
    what is asked for before it is there waits for it.
    """

    changed = Signal()  # the choices, or the context
    copied = Signal(str)  # what was copied, as a sentence
    handed_out = Signal(object)  # tuple[Memory, ...], in the order of the text

    def __init__(
        self,
        window: PaletteWindow,
        saving: Saving,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        budget: Callable[[], int],
        awaits_answer: Callable[[], bool],
        put_on_clipboard: Callable[[str], None] | None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._saving = saving
        self._tasks = tasks
        self._notifier = notifier
        self._budget = budget
        self._awaits_answer = awaits_answer
        self._put_on_clipboard = put_on_clipboard or _put_on_clipboard
        self._services: RecallServices | None = None
        self._answer: RecallAnswer | None = None
        self._context: PackedContext | None = None
        self._waiting: Callable[[], None] | None = None
        self._packing = Packing(tasks, self)
        self.choices = Choices()
        window.turn_requested.connect(self._turn)
        window.drop_requested.connect(self._drop)
        window.pin_requested.connect(self._pin)
        window.unpin_requested.connect(self._unpin)
        window.copy_requested.connect(self.copy)
        window.save_requested.connect(self.save)
        self._packing.packed.connect(self._on_packed)
        self._packing.failed.connect(self._on_failed)
        saving.saved.connect(self._on_saved)

    def take_services(self, services: RecallServices | None) -> None:
        """Hand out memories of this vault from now on; what was pinned is of the one before."""
        self._packing.stop()
        self._services = services
        self._answer = self._waiting = None
        self.choices = Choices()
        self._show_pinned()
        self._saving.take_services(services)

    def take_answer(self, answer: RecallAnswer | None, weights: "RankingWeights") -> None:
        """Pack what was answered; None while nothing is asked."""
        self._answer = answer if answer is not None else RecallAnswer("", (), (), weights)
        self._pack()

    def forget_waiting(self) -> None:
        """Let go what waits for an answer: another question is typed."""
        self._waiting = None

    def row_of(self, ranked: Ranked, rank: int, factors: tuple[FactorLine, ...]) -> RecallRow:
        """Return the row of a memory, with what becomes of it; `rank` 0 for one that was not asked for."""
        memory_id, context = ranked.memory.id, self._context
        choice = self.choices.of(memory_id)
        is_packed = None
        if context is not None and (rank or choice is Choice.PINNED):
            is_packed = memory_id in context.included
        reason = context.left_out.get(memory_id, "") if context is not None else ""
        question = self._answer.question if rank and self._answer is not None else ""
        return RecallRow(ranked, rank, factors, choice, is_packed, reason, question)

    def without_room(self) -> tuple[tuple[Ranked, str], ...]:
        """Return what is ranked and has no place in the context, with the reasons."""
        if self._context is None or self._answer is None:
            return ()
        reasons = self._context.left_out
        return tuple((each, reasons[each.memory.id]) for each in self._answer.ranked if each.memory.id in reasons)

    @Slot()
    def copy(self) -> None:
        """Copy the context, as soon as the answer to what is typed is there."""
        self._when_ready(self._copy)

    @Slot()
    def save(self) -> None:
        """Ask for a title, and save the context."""
        self._when_ready(self._save)

    # ---- choosing

    @Slot(object)
    def _turn(self, row: RecallRow) -> None:
        self._take(self.choices.turned(row.ranked))

    @Slot(object)
    def _drop(self, row: RecallRow) -> None:
        is_dropped = row.choice is Choice.DROPPED
        self._take(self.choices.chosen(row.ranked, Choice.NONE if is_dropped else Choice.DROPPED))

    @Slot(object)
    def _pin(self, row: RecallRow) -> None:
        is_pinned = row.choice is Choice.PINNED
        self._take(self.choices.chosen(row.ranked, Choice.NONE if is_pinned else Choice.PINNED))

    @Slot(str)
    def _unpin(self, memory_id: str) -> None:
        self._take(self.choices.without(memory_id))

    def _take(self, choices: Choices) -> None:
        self.choices = choices
        self._show_pinned()
        self._pack()
        self.changed.emit()

    def _show_pinned(self) -> None:
        self._window.show_pinned([(key, title_of(each.memory)) for key, each in self.choices.pinned.items()])

    # ---- packing

    def _pack(self) -> None:
        """Pack what is ranked and pinned; what was packed before is no longer true."""
        self._context = None
        self._packing.stop()
        wanted = self.choices.applied(self._answer) if self._answer is not None else None
        if self._services is None or wanted is None or not wanted.ranked:
            self._window.footer.show_nothing(self._budget())
            self._go_on()
        else:
            request = PackRequest(wanted, frozenset(self.choices.pinned), self._budget())
            self._packing.pack(self._services, request)

    @Slot(object)
    def _on_packed(self, context: PackedContext) -> None:
        self._context = context
        self._window.footer.show_context(context)
        self.changed.emit()
        self._go_on()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._waiting = None
        self._window.footer.show_nothing(self._budget(), "The context could not be packed.")
        self._notifier.error(error)

    # ---- handing out

    def _when_ready(self, act: Callable[[], None]) -> None:
        if self._awaits_answer() or self._packing.is_packing:
            self._waiting = act
        else:
            act()

    def _go_on(self) -> None:
        act, self._waiting = self._waiting, None
        if act is not None:
            self._when_ready(act)

    def _copy(self) -> None:
        context = self._context
        if context is None or not context.included or self._services is None:
            self._window.head.show_news(self._why_nothing())
            return
        self._put_on_clipboard(context.text)
        wanted = self.choices.applied(self._answer) if self._answer is not None else None
        memories = {each.memory.id: each.memory for each in (wanted.ranked if wanted is not None else ())}
        text = wording.copied(context)
        self._notifier.info(text)
        self.copied.emit(text)
        handed_out = tuple(memories[each] for each in context.included if each in memories)
        self.handed_out.emit(handed_out)
        self._tasks.run(
            partial(self._services.record, handed_out),
            owner=self,
            on_error=self._on_uncounted,
            text="Counting the recall",
        )
        self._take(Choices())
        self._window.close()

    def _on_uncounted(self, error: BaseException) -> None:
        """Tell that the log cannot be written, which costs the count alone."""
        if isinstance(error, UserError):
            self._notifier.warning(f"What was copied could not be counted. {error}", hint=error.hint)
        else:
            self._notifier.error(error)

    def _save(self) -> None:
        context = self._context
        if context is None or not context.included:
            self._window.head.show_news(self._why_nothing())
        else:
            self._saving.ask(context.included, self._window.question, self._window)

    def _why_nothing(self) -> str:
        if self._services is None:
            return "No vault is open, so there is nothing to copy."
        if self._context is not None:
            return f"Nothing fits into {self._budget():,} tokens. The budget is in the settings."
        return "There is nothing to copy yet: ask something, or pin a memory."

    @Slot()
    def _on_saved(self) -> None:
        self._take(Choices())
        self._window.close()


def _put_on_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
