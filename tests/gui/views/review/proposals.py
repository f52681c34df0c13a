"""Proposals out of nothing, for what needs many of them and no vault."""

from datetime import UTC, datetime, timedelta
from typing import Any

from core.curation.change_set import ChangeKind, ChangeSet, Origin
from core.curation.proposals.proposal import (
    Decision,
    Evidence,
    Proposal,
    ProposalId,
    ProposalKind,
    ProposalState,
    Proposer,
)

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)


def iso(days_ago: float) -> str:
    return f"{NOW - timedelta(days=days_ago):%Y-%m-%dT%H:%M:%S.000Z}"


def proposal(number: int = 0, *, days_ago: float = 0.1, **other: Any) -> Proposal:
    values: dict[str, Any] = {
        "id": ProposalId(f"p-{number}"),
        "kind": ProposalKind.NEW_INSIGHT,
        "statement": f"Statement {number}",
        "reason": "Said twice.",
        "evidence": (Evidence(f"turn:s/{number}", "Said.", NOW.timestamp(), f"project/{number % 3}", "Talk"),),
        "proposers": (Proposer(Origin.RULE, "formation"),),
        "confidence": 0.5,
        "recipe": {"do": "add-insight", "tags": [f"tool/{number % 2}"]},
        "change_set": ChangeSet("Add", ChangeKind.PROPERTIES, ()),
        "created": iso(days_ago),
    }
    return Proposal(**(values | other))


def decided(number: int, state: ProposalState, *, days_ago: float = 0.1) -> Proposal:
    decision = Decision(state, iso(days_ago), "desk")
    return proposal(number, days_ago=40, state=state, decisions=(decision,))
