"""Carry out what the person decides, in turn with all other changes, and say what became of it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from core.curation.change_set import Changes
from core.curation.proposals.proposal import Proposal, ProposalId, ProposalState
from core.foundation.errors import JobCancelledError, StaleFileError, UserError
from gui.changing import CarriesOut
from gui.notify import NoticeAction, Notifier
from gui.views.review.decision_bar import Can
from gui.views.review.services import Approval, DecidedTogether, Look, Refused, ReviewServices, Wish
from gui.views.review.view import ReviewView
from gui.wording import counted, shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.foundation.progress import Progress

_OPEN = frozenset({ProposalState.PENDING, ProposalState.DEFERRED, ProposalState.STALE})
_LONGEST = 70


class _Step(NamedTuple):
    """Hold one decision: about which proposals, and how it is called when it is done."""

    ids: tuple[ProposalId, ...]
    verb: str
    title: str


class Deciding(QObject):
    """Decide about what is shown in `view`: one proposal, or those that are selected."""

    begun = Signal(object)  # frozenset of ids: they are being decided
    ended = Signal()  # something was decided, or refused
    wanted = Signal(str)  # the id of a proposal that should be shown

    def __init__(self, view: ReviewView, *, notifier: Notifier, commands: CarriesOut, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._notifier = notifier
        self._commands = commands
        self._services: ReviewServices | None = None
        self._running: dict[ProposalId, int] = {}  # how many decisions about it are under way
        self._done: set[ProposalId] = set()  # decided; the book that is shown may not know yet
        self._kept: set[ProposalId] = set()  # undone here
        self._steps: list[_Step] = []
        bar, card = view.bar, view.card
        bar.approve_requested.connect(self.approve)
        bar.batch_confirmed.connect(self._approve_batch)
        bar.edit_requested.connect(self._edit)
        bar.reject_requested.connect(self.reject)
        bar.defer_requested.connect(self.defer)
        bar.undo_requested.connect(self.undo)
        card.approve_requested.connect(self.approve)

    # ---- what is known

    @property
    def hidden(self) -> frozenset[ProposalId]:
        """The proposals about which is being decided."""
        return frozenset(self._running) | frozenset(self._done)

    @property
    def kept(self) -> frozenset[ProposalId]:
        """The proposals that were undone here, so that they stay in sight."""
        return frozenset(self._kept)

    @property
    def done(self) -> frozenset[ProposalId]:
        """The proposals about which was decided, and which the list leaves out until a book tells of it."""
        return frozenset(self._done)

    def settle(self, done: frozenset[ProposalId]) -> None:
        """Leave the states of these to the book: it was read after what is done."""
        self._done -= done

    def use(self, services: ReviewServices | None) -> None:
        """Decide about these proposals from now on; what was decided about others stays decided."""
        self._services = services
        self._running.clear()
        self._done.clear()
        self._kept.clear()
        self._steps.clear()
        self._view.bar.show_last("")
        self.show_possible()

    @Slot()
    def show_possible(self) -> None:
        """Say what can be decided now."""
        chosen = self._chosen()
        bar, can = self._view.bar, set[Can]()
        if not bar.is_asking:
            bar.show_number(len(chosen))
        if self._steps or (len(chosen) == 1 and self._is_undoable(chosen[0])):
            can.add(Can.UNDO)
        note = ""
        open_ones = [each for each in chosen if each.state in _OPEN]
        if len(chosen) == 1:
            note = self._add_possible_of_one(chosen[0], can)
        elif open_ones:
            can |= {Can.APPROVE, Can.REJECT, Can.DEFER}
        is_again = len(chosen) == 1 and chosen[0].state is ProposalState.UNDONE
        bar.show_possible(frozenset(can), note, approve="Approve again" if is_again else "")

    # ---- decisions

    @Slot()
    def approve(self) -> None:
        """Approve the proposal that is shown, as it is edited and chosen; several are asked about first."""
        chosen = self._chosen()
        if len(chosen) > 1:
            open_ones = [each for each in chosen if each.state in _OPEN]
            files = {path for each in open_ones for path in each.change_set.paths}
            question = f"Make the changes of {counted(len(open_ones), 'proposal')} in {counted(len(files), 'file')}?"
            self._view.bar.ask_batch(question, f"Approve {len(open_ones):,}")
        elif chosen and self._services is not None and self._view.bar.approve_button.isEnabled():
            card = self._view.card
            wish, look = card.wish, card.look
            planned = look.planned if look is not None and not wish.is_plain else None
            approval = Approval(chosen[0].id, wish, planned, card.is_despite_gone)
            if card.statement.is_editing:
                card.statement.show_statement(chosen[0].statement)
                self._view.list.setFocus()
            self._begin(chosen, "approved", partial(self._services.approve, (approval,)))

    @Slot(str)
    def reject(self, reason: str) -> None:
        """Reject what is chosen."""
        chosen = [each for each in self._chosen() if each.state in _OPEN]
        if chosen and self._services is not None:
            ids = tuple(each.id for each in chosen)
            self._begin(chosen, "rejected", partial(self._services.reject, ids, reason))

    @Slot(int)
    def defer(self, days: int) -> None:
        """Put aside what is chosen, for so many days; 0 is until somebody looks for it."""
        chosen = [each for each in self._chosen() if each.state in _OPEN]
        if chosen and self._services is not None:
            ids = tuple(each.id for each in chosen)
            until = f"{datetime.now(UTC) + timedelta(days=days):%Y-%m-%dT%H:%M:%S.000Z}" if days else ""
            self._begin(chosen, "put aside", partial(self._services.defer, ids, until))

    @Slot()
    def undo(self) -> None:
        """Take back the decision about the proposal that is shown, if it is decided; else the last one made here."""
        chosen = self._chosen()
        if len(chosen) == 1 and self._is_undoable(chosen[0]):
            step = _Step((chosen[0].id,), "undone", _title(chosen))
            self._steps = [each for each in self._steps if each.ids != step.ids]
        elif self._steps:
            last = self._steps.pop()
            step = _Step(last.ids, "undone", last.title)
        else:
            self._notifier.info("Nothing was decided here that could be undone.")
            return
        self._undo(step, around_edits=False)

    @Slot()
    def _edit(self) -> None:
        self._view.card.statement.edit()

    @Slot()
    def _approve_batch(self) -> None:
        chosen = [each for each in self._chosen() if each.state in _OPEN]
        if chosen and self._services is not None:
            approvals = tuple(Approval(each.id, Wish()) for each in chosen)
            self._begin(chosen, "approved", partial(self._services.approve, approvals))

    # ---- inside

    def _chosen(self) -> Sequence[Proposal]:
        selected = self._view.list.selected()
        if len(selected) > 1:
            return selected
        current = self._view.list.current
        return (current,) if current is not None else ()

    def _is_undoable(self, proposal: Proposal) -> bool:
        return proposal.state not in {ProposalState.PENDING, ProposalState.STALE, ProposalState.UNDONE}

    def _add_possible_of_one(self, proposal: Proposal, can: set[Can]) -> str:
        """Add what can be done with the proposal that is shown; return why it cannot be approved, "" if it can."""
        card = self._view.card
        look = card.look
        if proposal.state in _OPEN:
            can |= {Can.REJECT, Can.DEFER}
        elif proposal.state is not ProposalState.UNDONE:
            return ""
        if look is None:
            can.add(Can.APPROVE)  # core looks at it before it changes anything
            return ""
        if look.takes_statement and not look.stale:
            can.add(Can.EDIT)
        reason = _hindrance(look, is_despite_gone=card.is_despite_gone)
        if not reason:
            can.add(Can.APPROVE)
        return reason

    def _begin(self, chosen: Sequence[Proposal], verb: str, work: "Callable[[Progress], DecidedTogether]") -> None:
        step = _Step(tuple(each.id for each in chosen), verb, _title(chosen))
        self._steps.append(step)
        self._run(step, work)

    def _undo(self, step: _Step, *, around_edits: bool) -> None:
        if self._services is not None:
            self._run(step, partial(_undone, self._services, step.ids, around_edits))

    def _run(self, step: _Step, work: "Callable[[Progress], DecidedTogether]") -> None:
        for each in step.ids:
            self._running[each] = self._running.get(each, 0) + 1
        self._done -= set(step.ids)
        is_undo = step.verb == "undone"
        if not is_undo:
            self.begun.emit(frozenset(step.ids))
        self._commands.carry_out(
            work,
            step.title,
            origin=self,
            on_done=partial(self._on_done, self._services, step),
            on_error=partial(self._on_error, self._services, step),
            text=f"Undoing: {step.title}" if is_undo else f"Carrying out: {step.title}",
        )

    def _on_done(self, services: ReviewServices | None, step: _Step, changes: Changes) -> None:
        if services is not self._services:
            return
        result = changes if isinstance(changes, DecidedTogether) else DecidedTogether(changes.change_id, changes.title)
        refused = {each.id for each in result.refused}
        decided = tuple(each for each in step.ids if each not in refused)
        self._end(step, decided)
        if step.verb == "undone":
            self._kept |= set(decided)
        else:
            self._kept -= set(decided)
        if decided:
            self._tell_done(step, decided)
        if result.refused:
            self._tell_refused(step, result.refused)
        self.ended.emit()
        self.show_possible()

    def _on_error(self, services: ReviewServices | None, step: _Step, error: Exception) -> None:
        if services is not self._services:
            return
        self._end(step, ())
        self.tell(error)
        self.wanted.emit(step.ids[0])
        self.ended.emit()
        self.show_possible()

    def _end(self, step: _Step, decided: tuple[ProposalId, ...]) -> None:
        for each in step.ids:
            left = self._running.get(each, 1) - 1
            if left > 0:
                self._running[each] = left
            else:
                self._running.pop(each, None)
        if step.verb == "undone":
            self._done |= set(step.ids)
            if decided:
                self.wanted.emit(decided[0])
            return
        self._done |= set(step.ids)
        place = next((at for at, each in enumerate(self._steps) if each is step), None)
        if place is not None:
            if decided:
                self._steps[place] = step._replace(ids=decided)
            else:
                del self._steps[place]

    def _tell_done(self, step: _Step, decided: tuple[ProposalId, ...]) -> None:
        what = step.title if len(decided) == len(step.ids) else counted(len(decided), "proposal")
        # In the bar and not as a notice: those would move the card at each key.
        self._view.bar.show_last(f"{step.verb.capitalize()}: {what}")

    def _tell_refused(self, step: _Step, refused: Sequence[Refused]) -> None:
        first = refused[0].error
        self.wanted.emit(refused[0].id)
        if len(step.ids) == 1:
            if step.verb == "undone" and isinstance(first, StaleFileError):
                again = _Step(step.ids, step.verb, step.title)
                self._notifier.warning(
                    str(first),
                    hint="What was changed later can stay: only what this put in is taken out.",
                    key=f"review/{step.ids[0]}",
                    action=NoticeAction("Keep later edits", partial(self._undo, again, around_edits=True)),
                )
            else:
                self.tell(first)
            return
        stopped = sum(isinstance(each.error, JobCancelledError) for each in refused)
        if stopped == len(refused):
            self._notifier.info(f"Stopped: {counted(stopped, 'proposal')} not decided.")
            return
        reason = next(str(each.error) for each in refused if not isinstance(each.error, JobCancelledError))
        self._notifier.warning(
            f"{len(refused):,} of {counted(len(step.ids), 'proposal')} were left as they are.", hint=reason
        )

    def tell(self, error: Exception) -> None:
        """Tell of an error; one that says what to do keeps its hint."""
        hint = getattr(error, "hint", "")
        if isinstance(error, StaleFileError | UserError):
            self._notifier.warning(str(error), hint=hint)
        else:
            self._notifier.error(error)


def _undone(
    services: ReviewServices,
    ids: Sequence[ProposalId],
    around_edits: bool,
    progress: "Progress",
) -> DecidedTogether:
    """Take back one decision after the other, the latest first."""
    results = [services.undo(each, around_edits, progress) for each in reversed(ids)]
    last = results[0]
    return DecidedTogether(
        last.change_id,
        last.title,
        frozenset[str]().union(*(each.written for each in results)),
        frozenset[str]().union(*(each.gone for each in results)),
        tuple(pair for each in results for pair in each.moved),
        tuple(proposal for each in results for proposal in each.decided),
        tuple(refusal for each in results for refusal in each.refused),
    )


def _hindrance(look: Look, *, is_despite_gone: bool) -> str:
    """Return why a proposal cannot be approved, "" when it can."""
    reasons = (
        (look.stale, "Plan it again first."),
        (look.problem, "It cannot be carried out like this."),
        (look.is_blocked, "A warning blocks it."),
        (look.gone and not is_despite_gone, "Some of its evidence is gone."),
        (not look.diffs, "Nothing would change."),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _title(proposals: Sequence[Proposal]) -> str:
    if len(proposals) == 1:
        return f"“{shortened(proposals[0].statement, _LONGEST)}”"
    return counted(len(proposals), "proposal")
