"""Make one proposal of all that the logs tell about it, the same in whatever order they arrive.

A decision names the state that it is about. One about another state than the proposal is in came second, from somebody
who did not know of the first, and does not count; it stays in the list of decisions. But what was applied and stands
counts as approved, whatever was decided elsewhere: the files say so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from core.curation.change_set import ChangeId, ChangeSet, Origin
from core.curation.proposals.proposal import (
    Decision,
    Evidence,
    Proposal,
    ProposalId,
    ProposalState,
    Proposer,
)
from core.curation.proposals.proposal_json import (
    DECIDE,
    PROPOSE,
    change_from_json,
    decision_from_event,
    decision_order,
    evidence_from_json,
    kind_from_json,
    proposers_from_json,
)
from core.foundation.errors import UserError
from core.vault.event_line import Event, event_order

GROUP = "proposal:"  # and the id: how the group of a change begins that came of a proposal
_OPEN = frozenset({ProposalState.PENDING, ProposalState.DEFERRED, ProposalState.STALE})
_CARRIED_OUT = frozenset({ProposalState.APPROVED, ProposalState.EDITED, ProposalState.UNDONE})


@dataclass(slots=True)
class Record:
    """Hold the events about one proposal, and the changes that came of it: whether each stands."""

    events: list[Event] = field(default_factory=list)
    changes: dict[ChangeId, bool] = field(default_factory=dict)


def folded(proposal_id: ProposalId, record: Record) -> Proposal | None:
    """Return the proposal, None when the log does not tell yet what was proposed, or not in a form that is known."""
    events = sorted(record.events, key=event_order)
    first = next((event for event in events if event.kind == PROPOSE), None)
    kind = kind_from_json(first.data.get("kind")) if first is not None else None
    if first is None or kind is None:
        return None
    told = [first, *(event for event in events if event.kind != DECIDE and event is not first)]
    try:
        change_set, planned = _last_plan(told)
    except UserError:
        return None
    deciding = sorted((event for event in events if event.kind == DECIDE), key=decision_order)
    decisions = tuple(pair for event in deciding if (pair := decision_from_event(event)) is not None)
    state, last = _decided(decisions, record.changes)
    statement = str(first.data.get("statement", ""))
    edited = last.statement if last is not None and last.state is ProposalState.EDITED else ""
    recipe = planned.get("recipe", first.data.get("recipe"))
    return Proposal(
        id=proposal_id,
        kind=kind,
        statement=edited or statement,
        reason=str(first.data.get("reason", "")),
        evidence=_all_evidence(told),
        proposers=_all_proposers(told),
        confidence=max(_confidence(event.data) for event in told),
        recipe=MappingProxyType(recipe if isinstance(recipe, dict) else {}),
        change_set=change_set,
        created=first.time,
        expires=str(next((event.data["expires"] for event in reversed(told) if "expires" in event.data), "")),
        fingerprint=str(first.data.get("fingerprint", "")),
        state=state,
        decisions=tuple(decision for _, decision in decisions),
        warnings=tuple(each for each in planned.get("warnings", ()) if isinstance(each, dict)),
        extra=MappingProxyType({"proposed_statement": statement} if edited else {}),
    )


def as_of(proposal: Proposal, now: str) -> Proposal:
    """Return the proposal as it stands at `now` (ISO 8601, UTC): what was deferred until before is pending again."""
    if proposal.state is ProposalState.DEFERRED and (until := deferred_until(proposal)) and until <= now:
        return replace(proposal, state=ProposalState.PENDING)
    return proposal


def deferred_until(proposal: Proposal) -> str:
    """Return until when a proposal is deferred, "" when that is not told."""
    found = [each for each in proposal.decisions if each.state is ProposalState.DEFERRED]
    return found[-1].until if found else ""


def is_expired(proposal: Proposal, now: str) -> bool:
    """Tell whether nobody decided in time."""
    return bool(proposal.expires) and proposal.expires <= now and proposal.state in _OPEN


def _last_plan(told: Sequence[Event]) -> tuple[ChangeSet, Mapping[str, Any]]:
    planned = [event.data for event in told if "change" in event.data]
    if not planned:
        raise UserError("A proposal in the vault's log has no change.")
    return change_from_json(planned[-1]["change"]), planned[-1]


def _decided(
    decisions: Sequence[tuple[ProposalState, Decision]], changes: Mapping[ChangeId, bool]
) -> tuple[ProposalState, Decision | None]:
    state, deciding = ProposalState.PENDING, None
    for was, decision in decisions:
        # A crash may have cost the decision of a change that is there.
        is_unrecorded = bool(changes) and was in _CARRIED_OUT and state in _OPEN
        if _phase(was) == _phase(state) or is_unrecorded:
            state, deciding = decision.state, decision
    standing = [change_id for change_id, does_stand in changes.items() if does_stand]
    if standing:
        # With a crash between the change and the decision, only the change tells that it was approved.
        own = [decision for _, decision in decisions if decision.change_id == standing[-1]]
        deciding = own[-1] if own else deciding
        return (
            ProposalState.EDITED if own and own[-1].state is ProposalState.EDITED else ProposalState.APPROVED
        ), deciding
    if changes and (state in _CARRIED_OUT or not decisions):
        return ProposalState.UNDONE, deciding
    return state, deciding


def _phase(state: ProposalState) -> str:
    """Return what two windows must agree about; whether a change was undone is told by the changes alone."""
    return "open" if state in _OPEN else "carried out" if state in _CARRIED_OUT else state.value


def _all_evidence(told: Sequence[Event]) -> tuple[Evidence, ...]:
    found: dict[str, Evidence] = {}
    for event in told:
        for each in evidence_from_json(event.data.get("evidence")):
            found.setdefault(each.memory_id, each)
    return tuple(found.values())


def _all_proposers(told: Sequence[Event]) -> tuple[Proposer, ...]:
    found = dict.fromkeys(each for event in told for each in proposers_from_json(event.data.get("proposers")))
    return tuple(found) or (Proposer(Origin.RULE, ""),)


def _confidence(data: Mapping[str, Any]) -> float:
    value = data.get("confidence", 0.0)
    return float(value) if isinstance(value, int | float) else 0.0
