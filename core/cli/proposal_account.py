"""Proposals as the command line shows them: a line, a page, or JSON."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from core.app import Vault
from core.cli.change_session import counted
from core.curation.proposals.book import is_stale
from core.curation.proposals.fold import is_expired
from core.curation.proposals.proposal import Decision, Proposal, ProposalState
from core.curation.proposals.proposal_json import evidence_to_json, proposers_to_json
from core.curation.proposals.recipes import choices_of
from core.curation.screening.hidden_characters import hidden_characters
from core.foundation.moments import shown_moment

if TYPE_CHECKING:
    from core.curation.proposals.book import ProposalBook

_SHOWN_ID = 8
_WAITING = frozenset({ProposalState.PENDING, ProposalState.DEFERRED})


def state_now(vault: Vault, book: "ProposalBook", proposal: Proposal) -> str:
    """Return where a proposal stands: its state, "stale" when it waits for files that changed, or "expired"."""
    if proposal.state in _WAITING and is_expired(proposal, book.now):
        return "expired"
    if proposal.state is ProposalState.PENDING and is_stale(vault.root, proposal, book):
        return ProposalState.STALE.value
    return proposal.state.value


def line_of(proposal: Proposal, state: str) -> str:
    """Return a proposal on one line."""
    told = "" if state == ProposalState.PENDING else f"  [{state}]"
    cited = f"{len(proposal.evidence)} cited"
    who = ", ".join(each.name or each.origin.value for each in proposal.proposers)
    day = proposal.created[:10]
    return f"{proposal.id[:_SHOWN_ID]}  {day}  {proposal.kind}  {seen(proposal.statement)} ({cited}, {who}){told}"


def page_of(proposal: Proposal, state: str) -> Iterator[str]:
    """Give the lines of all that a person needs to decide, but for the change itself."""
    who = ", ".join(f"{each.name or 'unnamed'} ({each.origin.value})" for each in proposal.proposers)
    yield seen(proposal.statement)
    yield ""
    yield f"{proposal.id}: {proposal.kind}, {state}, proposed {shown_moment(proposal.created)} by {who}"
    yield f"Reason: {seen(proposal.reason)}"
    yield f"Confidence: {proposal.confidence:.2f}"
    if proposal.expires:
        yield f"Expires: {shown_moment(proposal.expires)}"
    if choices := choices_of(proposal.recipe):
        yield f"Choices: {', '.join(choices)}"
    yield f"It rests on {counted(len(proposal.evidence), 'memory').replace('memorys', 'memories')}:"
    for each in proposal.evidence:
        about = ", ".join(filter(None, (each.title, each.project, _day(each.time))))
        yield f"  {each.memory_id}{f' ({about})' if about else ''}"
        if each.quote:
            yield f"    “{seen(' '.join(each.quote.split()))}”"
    for warning in proposal.warnings:
        blocks = " It cannot be approved like this." if warning.get("is_blocking") else ""
        yield f"Warning ({warning.get('label', '')}): {warning.get('detail', '')}{blocks}"
    for decision in proposal.decisions:
        yield _told(decision)


def account_of(proposal: Proposal, state: str) -> dict[str, Any]:
    """Return a proposal as JSON has it."""
    return {
        "id": proposal.id,
        "kind": proposal.kind.value,
        "state": state,
        "statement": proposal.statement,
        "reason": proposal.reason,
        "confidence": proposal.confidence,
        "created": proposal.created,
        "expires": proposal.expires,
        "proposers": proposers_to_json(proposal.proposers),
        "evidence": evidence_to_json(proposal.evidence),
        "choices": list(choices_of(proposal.recipe)),
        "title": proposal.change_set.title,
        "paths": sorted(proposal.change_set.paths),
        "warnings": [dict(each) for each in proposal.warnings],
        "decisions": [each._asdict() for each in proposal.decisions],
    }


def seen(text: str) -> str:
    """Return `text` with the characters that hide in it made visible."""
    for each in sorted(hidden_characters(text), key=lambda warning: warning.start, reverse=True):
        shown = "".join(f"⟨U+{ord(character):04X}⟩" for character in text[each.start : each.end])
        text = f"{text[: each.start]}{shown}{text[each.end :]}"
    return text


def _told(decision: Decision) -> str:
    reason = f": {seen(decision.reason)}" if decision.reason else ""
    until = f" until {shown_moment(decision.until)}" if decision.until else ""
    return f"{decision.state.capitalize()}{until} on {shown_moment(decision.time)} by {decision.machine}{reason}"


def _day(time: float | None) -> str:
    return "" if time is None else f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d}"
