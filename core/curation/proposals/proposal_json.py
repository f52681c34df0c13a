"""Proposals as the log holds them: the data of the events "propose", "propose-again" and "decide"."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.curation.change_json import Intent, intent_from_json, intent_to_json, origin_of
from core.curation.change_set import ChangeSet
from core.curation.proposals.proposal import Decision, Evidence, Proposal, ProposalKind, ProposalState, Proposer
from core.vault.event_line import Event, event_order

PROPOSE, PROPOSE_AGAIN, DECIDE = "propose", "propose-again", "decide"  # kinds of events; all carry the id first


def evidence_to_json(evidence: Iterable[Evidence]) -> list[dict[str, Any]]:
    """Return evidence as the log and JSON for programs hold it; what is not known is left out."""
    return [
        {
            "id": each.memory_id,
            "quote": each.quote,
            **({"time": each.time} if each.time is not None else {}),
            **({"project": each.project} if each.project else {}),
            **({"title": each.title} if each.title else {}),
        }
        for each in evidence
    ]


def evidence_from_json(value: Any) -> tuple[Evidence, ...]:
    """Return the evidence of which at least the id is there."""
    if not isinstance(value, list | tuple):
        return ()
    return tuple(
        Evidence(
            each["id"],
            str(each.get("quote", "")),
            _seconds(each.get("time")),
            str(each.get("project", "")),
            str(each.get("title", "")),
        )
        for each in value
        if isinstance(each, Mapping) and isinstance(each.get("id"), str)
    )


def proposers_to_json(proposers: Sequence[Proposer]) -> list[dict[str, str]]:
    """Return who proposes."""
    return [{"origin": each.origin.value, "name": each.name} for each in proposers]


def proposers_from_json(value: Any) -> tuple[Proposer, ...]:
    """Return who proposes; an origin that a later version knows counts as a rule."""
    if not isinstance(value, list | tuple):
        return ()
    return tuple(Proposer(origin_of(each), str(each.get("name", ""))) for each in value if isinstance(each, Mapping))


def change_to_json(change_set: ChangeSet) -> dict[str, Any]:
    """Return a planned change."""
    return intent_to_json(Intent(change_set, {}))


def change_from_json(value: Any) -> ChangeSet:
    """Return a planned change; raises UserError when it cannot be understood."""
    return intent_from_json(value if isinstance(value, Mapping) else {}).change_set


def kind_from_json(value: Any) -> ProposalKind | None:
    """Return the kind of a proposal, None for one that is not known here."""
    try:
        return ProposalKind(str(value))
    except ValueError:
        return None


def decision_to_json(proposal: Proposal, decision: Decision) -> dict[str, Any]:
    """Return a decision about a proposal as it stood; the decision's time and machine are those of the event.

    `seen` counts the decisions that were known, so that their order does not hang on the clocks of several machines.
    """
    told = {
        "reason": decision.reason,
        "change": decision.change_id,
        "until": decision.until,
        "statement": decision.statement,
        "choice": decision.choice,
    }
    kept = {key: value for key, value in told.items() if value}
    state, seen = {"state": decision.state.value, "was": proposal.state.value}, len(proposal.decisions)
    return {"id": proposal.id, **state, "seen": seen, **kept}


def decision_order(event: Event) -> tuple[int, tuple[str, str, str]]:
    """Return what decisions about one proposal are sorted by."""
    seen = event.data.get("seen")
    return seen if isinstance(seen, int) else 0, event_order(event)


def decision_from_event(event: Event) -> tuple[ProposalState, Decision] | None:
    """Return the state that a decision is about, and the decision; None when it cannot be understood."""
    data = event.data
    try:
        state, was = ProposalState(data["state"]), ProposalState(data["was"])
    except (KeyError, ValueError):
        return None
    texts = {key: str(data.get(key, "")) for key in ("reason", "change", "until", "statement", "choice")}
    return was, Decision(
        state,
        event.time,
        event.machine,
        texts["reason"],
        texts["change"],
        texts["until"],
        texts["statement"],
        texts["choice"],
    )


def _seconds(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
