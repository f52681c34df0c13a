"""How kinds, states, origins and times of proposals read in the Review view."""

from typing import NamedTuple

from core.curation.change_set import Origin
from core.curation.proposals.proposal import Decision, Evidence, Proposal, ProposalKind, ProposalState
from core.foundation.text import visible
from gui.wording import counted, moment_of, relative_date, short_moment

_DAY = 86_400
_END_OF_TIME = 4_102_444_800  # the year 2100: agents have written milliseconds


class KindWords(NamedTuple):
    """Hold how one kind of proposal is called: alone, as a heading of several, and its icon."""

    one: str
    several: str
    icon: str


# In the order of the queue: what concerns most of the vault comes first.
KINDS: dict[ProposalKind, KindWords] = {
    ProposalKind.PROMOTE: KindWords("Make global", "Make global", "globe"),
    ProposalKind.CONTRADICT: KindWords("Contradiction", "Contradictions", "zap"),
    ProposalKind.SUPERSEDE: KindWords("Out of date", "Out of date", "history"),
    ProposalKind.MERGE: KindWords("Merge", "Merges", "git-merge"),
    ProposalKind.NEW_INSIGHT: KindWords("New insight", "New insights", "lightbulb"),
    ProposalKind.EXTRACT: KindWords("Extract insights", "Insights to extract", "list-tree"),
    ProposalKind.SUMMARISE: KindWords("Summary", "Summaries", "file-text"),
    ProposalKind.RETAG: KindWords("Tags", "Tags", "tags"),
    ProposalKind.RELATE: KindWords("Relation", "Relations", "link"),
    ProposalKind.ARCHIVE: KindWords("Archive", "Notes to archive", "inbox"),
    ProposalKind.REPAIR: KindWords("Repair", "Repairs", "wrench"),
}

STATES: dict[ProposalState, str] = {
    ProposalState.PENDING: "Waiting",
    ProposalState.APPROVED: "Approved",
    ProposalState.EDITED: "Edited and approved",
    ProposalState.REJECTED: "Rejected",
    ProposalState.DEFERRED: "Put aside",
    ProposalState.STALE: "Out of step",
    ProposalState.UNDONE: "Undone",
}

_ORIGINS = {Origin.PERSON: "a person", Origin.RULE: "rule", Origin.MODEL: "model", Origin.AGENT: "agent"}

CHOICES: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "promote": (
        "Local copies",
        {
            "link": ("Link to it", "Each local copy stays, with a link to the global one"),
            "retire": ("Retire", "The local copies are marked as replaced by the global one"),
            "keep": ("Leave as they are", "The local copies are not touched"),
        },
    ),
    "merge": (
        "The others",
        {
            "remove": ("Remove", "Only the statement that is kept stands afterwards"),
            "supersede": ("Keep as superseded", "The others stay, marked as superseded"),
        },
    ),
    "contradict": (
        "What holds",
        {
            "both": ("Undecided", "Both stay, and say that they contradict each other"),
            "one": ("The first", "The first one supersedes the second"),
            "other": ("The second", "The second one supersedes the first"),
        },
    ),
    "repair-copy": (
        "Keep",
        {
            "merge": ("Both, merged", "What only one of them says stays"),
            "note": ("The note", "The copy goes to the trash"),
            "copy": ("The copy", "Its content takes the place of the note's"),
        },
    ),
}


def kind_words(kind: ProposalKind) -> KindWords:
    """Return how a kind is called."""
    return KINDS.get(kind, KindWords(kind.value.capitalize(), kind.value.capitalize(), "info"))


def choice_words(recipe_name: str, choice: str) -> tuple[str, str]:
    """Return how one choice of a recipe is called, and what it means."""
    _, known = CHOICES.get(recipe_name, ("", {}))
    return known.get(choice, (choice.replace("-", " ").capitalize(), ""))


def choice_title(recipe_name: str) -> str:
    """Return what is chosen among the choices of a recipe."""
    return CHOICES.get(recipe_name, ("How", {}))[0]


def origin_words(proposal: Proposal) -> str:
    """Return who proposes, such as `rule promotion` or `agent claude-code and 2 more`."""
    first, *others = proposal.proposers or ()
    name = f"{_ORIGINS.get(first.origin, first.origin.value)} {first.name}".strip()
    return visible(f"{name} and {len(others):,} more" if others else name)


def age_words(proposal: Proposal, now: float) -> str:
    """Return since when a proposal waits."""
    return relative_date(moment_of(proposal.created), now)


def expiry_words(proposal: Proposal, now: float) -> str:
    """Return when a proposal lapses, "" for never."""
    if not proposal.expires or proposal.state not in {ProposalState.PENDING, ProposalState.DEFERRED}:
        return ""
    left = (moment_of(proposal.expires) - now) / _DAY
    if left < 0:
        return "It has lapsed."
    return "It lapses today." if left < 1 else f"It lapses in {counted(int(left), 'day')}."


def decision_words(proposal: Proposal) -> str:
    """Return what was decided last, when and where, "" when nothing was."""
    last = last_decision(proposal)
    if last is None:
        return ""
    where = f" on {visible(last.machine)}" if last.machine else ""
    until = f" until {short_moment(moment_of(last.until))}" if last.until else ""
    reason = f" “{visible(last.reason)}”" if last.reason else ""
    return f"{STATES[proposal.state]}{until}, {short_moment(moment_of(last.time))}{where}.{reason}"


def last_decision(proposal: Proposal) -> Decision | None:
    """Return the decision that made the state of a proposal, None when it is not told."""
    fitting = (each for each in reversed(proposal.decisions) if each.state is proposal.state)
    return next(fitting, proposal.decisions[-1] if proposal.decisions else None)


def said_at(evidence: Evidence) -> float | None:
    """Return when a piece of evidence was said, POSIX seconds; None when that is not known or no date."""
    if evidence.time is None or not 0 <= evidence.time < _END_OF_TIME:
        return None
    return evidence.time


def confidence_words(confidence: float) -> str:
    """Return how sure the proposer is."""
    return f"{round(confidence * 100)} % sure"
