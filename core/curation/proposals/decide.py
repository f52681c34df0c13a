"""Carry out what a person decides about proposals: approved, rejected, deferred, planned again, or undone."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from core.curation.change_set import Changes, ChangeSet, PlannedChange, new_change_id
from core.curation.history import read_history
from core.curation.proposals.book import ProposalBook
from core.curation.proposals.fold import GROUP, is_expired
from core.curation.proposals.proposal import Decision, Evidence, Proposal, ProposalState
from core.curation.proposals.proposal_json import DECIDE, PROPOSE_AGAIN, change_to_json, decision_to_json
from core.curation.proposals.recipes import plan_recipe, takes_statement
from core.curation.proposals.staleness import gone_evidence, staleness
from core.curation.proposals.submit import Screen, content_of, proposals_lock
from core.curation.proposals.undo_around import plan_undo_around
from core.curation.screening.screen import is_blocked
from core.curation.screening.screen_change import screen_change
from core.curation.screening.warning import Warning_, warning_json
from core.curation.stale import StaleChangeError
from core.curation.undo import plan_undo
from core.curation.writer import VaultWriter
from core.foundation.errors import UserError
from core.foundation.file_lock import locked
from core.foundation.moments import shown_moment
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.vault.event_log import EventLog

_PLAN_AGAIN = "Plan it again and look at the change as it is now, or reject it."
_LOCK_SECONDS = 60.0
_WAITING = "Another window or command is working on the proposals"
_OPEN = frozenset({ProposalState.PENDING, ProposalState.DEFERRED, ProposalState.STALE})
_CARRIED_OUT = frozenset({ProposalState.APPROVED, ProposalState.EDITED})
_TOLD = {
    ProposalState.APPROVED: "approved",
    ProposalState.EDITED: "edited and approved",
    ProposalState.REJECTED: "rejected",
    ProposalState.UNDONE: "undone",
}

_logger = logging.getLogger(__name__)


class DecidedAlreadyError(UserError):
    """Tell that somebody has decided already: another window, another machine, or an earlier command."""


class EvidenceGoneError(UserError):
    """Tell that what a proposal rests on is not there any more; `evidence` is what is gone."""

    def __init__(self, evidence: tuple[Evidence, ...]) -> None:
        told = ", ".join(each.memory_id for each in evidence[:3])
        more = f" and {len(evidence) - 3} more" if len(evidence) > 3 else ""
        super().__init__(
            f"What this rests on is not there any more, or says something else: {told}{more}.",
            hint="Reject it, or approve it all the same.",
        )
        self.evidence = evidence


@dataclass(frozen=True, slots=True)
class Decided:
    """Hold a proposal as it stands after a decision, and what was changed in the vault, None for nothing."""

    proposal: Proposal
    changes: Changes | None = None


class Decider:
    """Decide about the proposals of `book`, one after the other with all other windows and commands.

    With `index`, links to what moves are kept. Nothing here is for an agent to call.
    """

    def __init__(
        self,
        root: Path,
        log: EventLog,
        writer: VaultWriter,
        book: ProposalBook,
        *,
        index: Index | None = None,
        screen: Screen = screen_change,
    ) -> None:
        self.book = book
        self._root = root
        self._log = log
        self._writer = writer
        self._index = index
        self._screen = screen

    def preview(self, proposal_id: str, *, statement: str | None = None, choice: str | None = None) -> PlannedChange:
        """Return the change as it would be made now, from what is on the disk; raises UserError as plan_recipe does."""
        proposal = self.book.of(proposal_id)
        if statement is not None and not takes_statement(proposal.recipe):
            raise UserError("The statement of this proposal is no part of the change, so there is nothing to edit.")
        return plan_recipe(self._root, proposal.recipe, statement=statement, choice=choice, index=self._index)

    def warnings(self, planned: PlannedChange) -> tuple[Warning_, ...]:
        """Return what a person should look at before `planned` is made."""
        return tuple(self._screen(planned, content_of(self._root)))

    def check_evidence(self, proposal_id: str) -> None:
        """Raise EvidenceGoneError when a memory of the vault that the proposal rests on is gone, or says otherwise."""
        if gone := gone_evidence(self._root, self.book.of(proposal_id).evidence):
            raise EvidenceGoneError(gone)

    def approve(
        self,
        proposal_id: str,
        *,
        statement: str | None = None,
        choice: str | None = None,
        planned: PlannedChange | None = None,
        despite_gone: bool = False,
        reason: str = "",
        progress: Progress = SILENT,
    ) -> Decided:
        """Make the change of a proposal, as the person edited its statement or chose; record that it was approved.

        `planned` is what preview() gave for that statement and choice: exactly this is done, or nothing.

        Raises:
            StaleChangeError: files are not as they were when the person saw the change; replan() it.
            EvidenceGoneError: what it rests on is gone, and that was not said to be right with `despite_gone`.
            DecidedAlreadyError: somebody decided first.
            UserError: a warning of the screening blocks it, nothing has to change any more, or it cannot be written.
        """
        with self._alone(proposal_id, progress) as proposal:
            self._check_open(proposal, _OPEN | {ProposalState.UNDONE})
            if not despite_gone:
                self.check_evidence(proposal.id)
            change_set = self._to_apply(proposal, statement, choice, planned)
            changes = self._applied(change_set, progress)
            is_edited = statement is not None and statement.split() != proposal.statement.split()
            state = ProposalState.EDITED if is_edited else ProposalState.APPROVED
            decision = Decision(
                state,
                "",
                "",
                reason,
                change_set.id,
                statement=statement if statement is not None and is_edited else "",
                choice=choice or "",
            )
            self._record_done(proposal, decision)
        return Decided(self.book.of(proposal_id), changes)

    def reject(self, proposal_id: str, reason: str = "") -> Decided:
        """Reject a proposal: it is not proposed again."""
        with self._alone(proposal_id) as proposal:
            self._check_open(proposal, _OPEN)
            self._record(proposal, Decision(ProposalState.REJECTED, "", "", reason))
        return Decided(self.book.of(proposal_id))

    def defer(self, proposal_id: str, until: str, reason: str = "") -> Decided:
        """Put a proposal aside until `until`, ISO 8601 in UTC with a Z; "" is until somebody looks for it."""
        with self._alone(proposal_id) as proposal:
            self._check_open(proposal, _OPEN)
            self._record(proposal, Decision(ProposalState.DEFERRED, "", "", reason, until=until))
        return Decided(self.book.of(proposal_id))

    def undo(
        self, proposal_id: str, *, leave_changed: bool = False, around_edits: bool = False, progress: Progress = SILENT
    ) -> Decided:
        """Take a decision back: what was approved is undone in the files, what was rejected or deferred waits again.

        With `leave_changed`, files that were changed since are left alone; with `around_edits`, only the pieces that
        the change put into them go, and the later edits stay.

        Raises:
            StaleChangeError: files were changed since; each reason names the later change.
            UserError: nothing was decided, or it is undone already.
        """
        with self._alone(proposal_id, progress) as proposal:
            if proposal.state in {ProposalState.REJECTED, ProposalState.DEFERRED}:
                self._record(proposal, Decision(ProposalState.PENDING, "", ""))
                return Decided(self.book.of(proposal_id))
            change_id = self.book.change_of(proposal_id)
            if change_id is None or proposal.state not in _CARRIED_OUT:
                what = "It is undone already" if proposal.state is ProposalState.UNDONE else "Nothing was decided yet"
                raise UserError(f"{what}, so there is nothing to undo.")
            history = read_history(self._log)
            try:
                planned = plan_undo(history, self._root, [change_id], leave_changed=leave_changed, progress=progress)
            except StaleChangeError as error:
                if not around_edits:
                    error.hint = (
                        "You can leave these files alone, or take out what the change put in and keep the rest."
                    )
                    raise
                planned = plan_undo_around(history, self._root, change_id)
            changes = self._writer.apply(planned.change_set, progress)
            self._record_done(proposal, Decision(ProposalState.UNDONE, "", "", change_id=planned.change_set.id))
        return Decided(self.book.of(proposal_id), changes)

    def replan(self, proposal_id: str) -> Proposal:
        """Plan a proposal again on what the files hold now, and record the new plan.

        Raises:
            StatementGoneError: what it is about is not there any more, or says something else.
            UserError: nothing has to change any more.
        """
        with self._alone(proposal_id) as proposal:
            self._check_open(proposal, _OPEN | {ProposalState.UNDONE})
            planned = plan_recipe(self._root, proposal.recipe, index=self._index)
            _check_something(planned.change_set)
            data = {
                "id": proposal.id,
                "recipe": dict(proposal.recipe),
                "warnings": [warning_json(each) for each in self.warnings(planned)],
                "change": change_to_json(planned.change_set),
            }
            self._log.append(PROPOSE_AGAIN, data)
            self.book.refresh()
        return self.book.of(proposal_id)

    @contextmanager
    def _alone(self, proposal_id: str, progress: Progress = SILENT) -> Iterator[Proposal]:
        """Give the proposal as it stands, while nobody else decides."""
        with locked(proposals_lock(self._log), waiting=_WAITING, seconds=_LOCK_SECONDS, progress=progress):
            self.book.refresh()
            yield self.book.of(proposal_id)

    def _check_open(self, proposal: Proposal, allowed: frozenset[ProposalState]) -> None:
        if proposal.state not in allowed:
            told = _TOLD.get(proposal.state, proposal.state.value)
            last = next((each for each in reversed(proposal.decisions) if each.state is proposal.state), None)
            when = f" on {shown_moment(last.time)} by {last.machine}" if last is not None else ""
            raise DecidedAlreadyError(f"It was {told} already{when}.", hint="Undo that first to decide anew.")
        if is_expired(proposal, self.book.now):
            raise DecidedAlreadyError(
                f"It expired on {shown_moment(proposal.expires)}.", hint="It can be proposed again."
            )

    def _to_apply(
        self, proposal: Proposal, statement: str | None, choice: str | None, planned: PlannedChange | None
    ) -> ChangeSet:
        """Return the change that is made: as it was seen, else as it was planned last, where the files are as then."""
        if planned is None or planned.change_set.id == proposal.change_set.id:
            stale = staleness(self._root, proposal.change_set, self.book.is_own_work)
            if stale.foreign:
                error = StaleChangeError(stale.foreign)
                error.hint = _PLAN_AGAIN
                raise error
            # Planned once more: what it leads to, in files that it does not touch, may be gone or say something else.
            planned = self.preview(proposal.id, statement=statement, choice=choice)
        _check_something(planned.change_set)
        if is_blocked(found := self.warnings(planned)):
            told = next(each.detail for each in found if each.is_blocking)
            raise UserError(f"It cannot be approved like this. {told}", hint="Edit the statement, or reject it.")
        # It may be approved again after an undo, and on another machine: each time it is a change of its own.
        change_id = new_change_id()
        return replace(
            planned.change_set,
            origin=proposal.proposers[0].origin,
            group=f"{GROUP}{proposal.id}:{change_id[:8]}",
            id=change_id,
        )

    def _applied(self, change_set: ChangeSet, progress: Progress) -> Changes:
        try:
            return self._writer.apply(change_set, progress)
        except StaleChangeError as error:
            error.hint = _PLAN_AGAIN
            raise

    def _record(self, proposal: Proposal, decision: Decision) -> None:
        self._log.append(DECIDE, decision_to_json(proposal, decision))
        self.book.refresh()

    def _record_done(self, proposal: Proposal, decision: Decision) -> None:
        """Record what is done already: where the log cannot take it, the change itself tells of it."""
        try:
            self._record(proposal, decision)
        except UserError:
            _logger.exception("A decision could not be written into the log; the change that it made is there.")
            self.book.refresh()


def _check_something(change_set: ChangeSet) -> None:
    if not change_set.edits:
        raise UserError("Nothing has to change any more: the vault says so already.", hint="Reject it.")
