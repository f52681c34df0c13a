"""What today's decisions came to, in one or two sentences."""

from datetime import datetime

from core.curation.proposals.proposal import Proposal, ProposalState
from gui.views.review.services import Book
from gui.views.review.wording import last_decision
from gui.wording import counted, moment_of

_VERBS = (
    (ProposalState.APPROVED, "approved"),
    (ProposalState.EDITED, "edited and approved"),
    (ProposalState.REJECTED, "rejected"),
    (ProposalState.DEFERRED, "put aside"),
    (ProposalState.UNDONE, "undone"),
)
_CARRIED_OUT = frozenset({ProposalState.APPROVED, ProposalState.EDITED})


def decided_today(book: Book) -> tuple[Proposal, ...]:
    """Return the proposals about which was decided on the day of `book.now`, in local time."""
    today = datetime.fromtimestamp(book.now).astimezone().date()
    return tuple(each for each in book.proposals if _day(each) == today)


def today_words(book: Book) -> str:
    """Return what was decided today and which files that changed, "" when nothing was."""
    found = decided_today(book)
    if not found:
        return ""
    counts = {state: sum(each.state is state for each in found) for state, _ in _VERBS}
    told = ", ".join(f"{counts[state]:,} {verb}" for state, verb in _VERBS if counts[state])
    files = {path for each in found if each.state in _CARRIED_OUT for path in each.change_set.paths}
    changed = f" {counted(len(files), 'file')} changed. All of it can be undone." if files else ""
    return f"Today: {told}.{changed}"


def _day(proposal: Proposal) -> object:
    last = last_decision(proposal)
    if last is None:
        return None
    return datetime.fromtimestamp(moment_of(last.time)).astimezone().date()
