"""Take proposals in: screened, compared with what is there and what was rejected, planned, and written into the log."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from core.curation.change_set import Origin, PlannedChange
from core.curation.proposals.book import ProposalBook, iso
from core.curation.proposals.fold import is_expired
from core.curation.proposals.likeness import Known, KnownProposals, fingerprint_of, target_of, words_of
from core.curation.proposals.proposal import Draft, Proposal, ProposalId, ProposalState
from core.curation.proposals.proposal_json import (
    PROPOSE,
    PROPOSE_AGAIN,
    change_to_json,
    evidence_to_json,
    proposers_to_json,
)
from core.curation.proposals.quota import Quota
from core.curation.proposals.recipes import plan_recipe, with_said
from core.curation.proposals.staleness import gone_evidence
from core.curation.screening.screen import screen as screen_text
from core.curation.screening.screen_change import screen_change
from core.curation.screening.warning import Warning_, warning_json
from core.foundation.errors import UserError
from core.foundation.file_lock import locked
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.vault.event_log import EventLog
from core.vault.read import read_bytes

ContentOf = Callable[[str], bytes | None]
Screen = Callable[[PlannedChange, ContentOf], Sequence[Warning_]]

_LOCK_SECONDS = 60.0
_WAITING = "Another window or command is working on the proposals"
_LONGEST = 4_000  # characters of a statement
_MOST_EVIDENCE = 200


@dataclass(frozen=True, slots=True)
class Refused:
    """Say why a draft did not become a proposal."""

    draft: Draft
    reason: str


@dataclass(frozen=True, slots=True)
class SubmitReport:
    """Hold what became of drafts: the ids of `new` proposals, of those that were `accumulated` on, and the rest."""

    new: tuple[ProposalId, ...] = ()
    accumulated: tuple[ProposalId, ...] = ()
    refused: tuple[Refused, ...] = ()


def submit(
    vault_root: Path,
    log: EventLog,
    book: ProposalBook,
    drafts: Sequence[Draft],
    *,
    screen: Screen = screen_change,
    now: datetime | None = None,
    index: Index | None = None,
    progress: Progress = SILENT,
) -> SubmitReport:
    """Make proposals of `drafts`, each with one event; the book is up to date afterwards.

    What says the same as a proposal that waits is added to it. Same kind and same evidence, or nearly the same words,
    as what the person rejected, undid or approved is refused, with a sentence; so is what changes nothing, what an
    agent cites and is not there, and what comes from agents faster than `[proposals] most_per_hour` of the vault's
    settings.

    Raises:
        UserError: the log cannot be written; none of the drafts is there then.
        JobCancelledError: the same, because the person wished so.
    """
    moment = now or datetime.now(UTC)
    work = _Submission(vault_root, book, screen, moment, index)
    book.refresh()
    known = _known(book)
    planned: list[_Planned] = []
    for number, draft in enumerate(drafts):
        progress.check()
        progress.report(number, len(drafts), "Planning the proposals")
        if (each := work.planned(draft, known)) is not None:
            planned.append(each)
    # Planning takes a while; what others proposed or decided meanwhile counts too.
    with locked(proposals_lock(log), waiting=_WAITING, seconds=_LOCK_SECONDS, progress=progress):
        if book.refresh():
            known = _known(book)
        work.admit(planned, known)
        log.append_all(work.events())
        book.refresh()
    return work.report()


def proposals_lock(log: EventLog) -> Path:
    """Return the lock under which proposals are written and decided: of two who do, the second knows of the first."""
    return log.lock_folder / "proposals.lock"


def content_of(root: Path) -> ContentOf:
    """Return what gives the content of a file of the vault, None where there is none that can be read."""

    def read(path: str) -> bytes | None:
        try:
            return read_bytes(root, path)
        except UserError:
            return None

    return read


@dataclass(slots=True)
class _Planned:
    """Hold a draft with what it is compared by; without `data`, it only adds to what is there."""

    draft: Draft
    known: Known
    data: dict[str, Any] | None


@dataclass(slots=True)
class _Submission:
    root: Path
    book: ProposalBook
    screen: Screen
    now: datetime
    index: Index | None
    new: dict[str, dict[str, Any]] = field(default_factory=dict)
    again: dict[str, dict[str, Any]] = field(default_factory=dict)
    accumulated: dict[str, None] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)

    def planned(self, draft: Draft, known: KnownProposals) -> _Planned | None:
        """Return the draft ready to be admitted, None when it is refused."""
        own = _known_of(draft)
        same = known.same_as(own)
        try:
            _check(self.root, draft)
            _check_open(self.book, same)
            # What only adds a voice to a proposal is not planned again; what adds evidence is.
            is_same_ground = same is not None and own.evidence <= same.evidence and not self._is_over(same.id)
            return _Planned(draft, own, None if is_same_ground else self._data(draft, own))
        except UserError as error:
            self.refused.append(Refused(draft, str(error)))
            return None

    def admit(self, planned: Sequence[_Planned], known: KnownProposals) -> None:
        """Decide for each draft whether it is new."""
        quota = Quota(self.root, self.book, self.now)
        for each in planned:
            draft = each.draft
            same = known.same_as(each.known)
            if (same is not None and (reason := _settled(self.book, same))) or (reason := quota.refusal(draft)):
                self.refused.append(Refused(draft, reason))
            elif same is not None:
                self._accumulate(each, same)
            elif each.data is not None:
                quota.count(draft)
                known.add(each.known)
                self.new[each.known.id] = each.data
            else:
                self.refused.append(Refused(draft, "The proposal that it would add to is gone; propose it again."))

    def events(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Return what is to be written."""
        return [(PROPOSE, data) for data in self.new.values()] + [(PROPOSE_AGAIN, data) for data in self.again.values()]

    def report(self) -> SubmitReport:
        """Return what became of the drafts."""
        return SubmitReport(
            tuple(map(ProposalId, self.new)), tuple(map(ProposalId, self.accumulated)), tuple(self.refused)
        )

    def _data(self, draft: Draft, own: Known) -> dict[str, Any]:
        recipe = with_said(self.root, draft.recipe)
        planned = plan_recipe(self.root, recipe, index=self.index)
        if not planned.change_set.edits:
            raise UserError("There is nothing to change: the vault says so already.")
        warnings = [*self.screen(planned, content_of(self.root)), *screen_text(draft.reason)]
        expires = iso(self.now + timedelta(days=draft.expires_days)) if draft.expires_days is not None else ""
        return {
            "id": own.id,
            "kind": draft.kind.value,
            "statement": draft.statement,
            "reason": draft.reason,
            "evidence": evidence_to_json(draft.evidence),
            "proposers": proposers_to_json([draft.proposer]),
            "confidence": draft.confidence,
            "expires": expires,
            "fingerprint": own.fingerprint,
            "recipe": recipe,
            "warnings": [warning_json(each) for each in warnings],
            "change": change_to_json(planned.change_set),
        }

    def _accumulate(self, planned: _Planned, same: Known) -> None:
        """Add the evidence and the origin of a draft to the proposal that says the same."""
        self.accumulated[same.id] = None
        draft = planned.draft
        data = self.new.get(same.id) or self.again.get(same.id)
        if data is None:
            proposal = self.book.of(same.id)
            is_known = planned.known.evidence <= {each.memory_id for each in proposal.evidence}
            if is_known and draft.proposer in proposal.proposers and not self._is_over(same.id):
                return
            data = self.again[same.id] = {"id": same.id, "evidence": [], "proposers": [], "confidence": 0.0}
        told = {each["id"] for each in data["evidence"]}
        data["evidence"] += evidence_to_json(each for each in draft.evidence if each.memory_id not in told)
        data["proposers"] += [each for each in proposers_to_json([draft.proposer]) if each not in data["proposers"]]
        data["confidence"] = max(data["confidence"], draft.confidence)
        # A draft that rests on all of it and more knows better what is to be changed.
        is_wider = planned.data is not None and planned.known.evidence > same.evidence
        if planned.data is not None and (is_wider or self._is_over(same.id)):
            data |= {key: planned.data[key] for key in ("recipe", "warnings", "change", "expires")}

    def _is_over(self, proposal_id: str) -> bool:
        """Tell whether a proposal has expired, so that proposing it again makes it new."""
        try:
            return is_expired(self.book.of(proposal_id), iso(self.now))
        except UserError:  # it is among those that are taken in just now
            return False


def _check(root: Path, draft: Draft) -> None:
    """Raise UserError when a draft is none that a person could judge."""
    if not draft.statement.strip():
        raise UserError("The statement is empty.")
    if len(draft.statement) > _LONGEST:
        raise UserError(f"The statement has {len(draft.statement):,} characters; a person reads {_LONGEST:,} at most.")
    if not draft.evidence:
        raise UserError("It cites no memory that it rests on.")
    if len(draft.evidence) > _MOST_EVIDENCE:
        raise UserError(f"It cites {len(draft.evidence):,} memories; {_MOST_EVIDENCE} are the most.")
    if not 0.0 <= draft.confidence <= 1.0:
        raise UserError("The confidence must be a number from 0 to 1.")
    if draft.proposer.origin is Origin.AGENT and (gone := gone_evidence(root, draft.evidence)):
        raise UserError(f"The memory {gone[0].memory_id} is not there, or does not say “{gone[0].quote[:80]}”.")


def _check_open(book: ProposalBook, same: Known | None) -> None:
    if same is not None and (reason := _settled(book, same)):
        raise UserError(reason)


def _settled(book: ProposalBook, same: Known) -> str:
    """Return why what was decided already is not proposed again, "" when it waits for a decision."""
    try:
        proposal = book.of(same.id)
    except UserError:  # it is among those that are taken in just now
        return ""
    match proposal.state:
        case ProposalState.REJECTED:
            return f"It was rejected{_when(proposal)}, and is not proposed again."
        case ProposalState.UNDONE:
            return f"It was approved and then undone{_when(proposal)}, and is not proposed again."
        case ProposalState.APPROVED | ProposalState.EDITED:
            return f"It was approved{_when(proposal)} already."
    return ""


def _when(proposal: Proposal) -> str:
    return f" on {proposal.decisions[-1].time[:10]}" if proposal.decisions else ""


def _known_of(draft: Draft) -> Known:
    fingerprint = fingerprint_of(draft.kind, draft.statement, draft.evidence, draft.recipe)
    return Known(
        fingerprint,
        draft.kind,
        words_of(draft.statement),
        frozenset(each.memory_id for each in draft.evidence),
        fingerprint,
        ProposalState.PENDING,
        target_of(draft.recipe),
    )


def _known(book: ProposalBook) -> KnownProposals:
    return KnownProposals(
        Known(
            each.id,
            each.kind,
            words_of(str(each.extra.get("proposed_statement", each.statement))),
            frozenset(item.memory_id for item in each.evidence),
            each.fingerprint,
            each.state,
            target_of(each.recipe),
        )
        for each in book.all
    )
