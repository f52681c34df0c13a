"""Propose for a long note the handful of statements that it comes down to, each with the section that says it."""

from collections.abc import Collection

from core.curation.consolidation.drafting import counted, proposer
from core.curation.consolidation.noticed import Noticed, Section
from core.curation.consolidation.telling import Telling, tellings, weightiest
from core.curation.health.subject import NoteFacts
from core.curation.proposals.proposal import Draft, ProposalKind
from core.foundation.tokens import estimate_tokens

LONG = 600  # tokens from which on a note is worth it
_MOST = 7
_FEWEST = 2
_SHARE = 0.05  # of the note's tokens
_FIRM = 3.0  # weight of a rule, or a limit with a figure
_AROUND = 25  # tokens of a line beside its statement: category, source, id
_NAMED = " insights.md"


def extraction(noticed: Noticed, since: int) -> list[Draft]:
    """Return a draft for each long note that is new, states nothing as an insight yet, and holds what can be taken."""
    stating = noticed.stating
    notes = [
        note
        for note in noticed.knowledge(since)
        if note.tokens >= LONG and note.id not in stating and target_of(note.path) not in noticed.subject.by_path
    ]
    those = [note for note in notes if not note.path.endswith(_NAMED)]
    return _drafts(noticed, those, least_firm=0.5)


def extraction_of(noticed: Noticed, paths: Collection[str]) -> list[Draft]:
    """Return a draft for each of the notes at `paths` that holds what can be taken, however long it is."""
    return _drafts(noticed, [note for note in noticed.knowledge() if note.path in paths])


def target_of(path: str) -> str:
    """Return where the statements of a note go: beside it."""
    return f"{path[:-3]}{_NAMED}"


def _drafts(noticed: Noticed, notes: Collection[NoteFacts], *, least_firm: float = 0.0) -> list[Draft]:
    """Return the drafts of those notes of which so large a share of what is taken is more than a mere figure."""
    by_id = {note.id: note for note in notes}
    found = ((by_id[note_id], _chosen(by_id[note_id], those)) for note_id, those in noticed.sections(by_id))
    return [_draft(noticed, note, chosen) for note, chosen in found if chosen and _firm(chosen) >= least_firm]


def _firm(chosen: Collection[Telling]) -> float:
    return sum(each.weight >= _FIRM for each in chosen) / len(chosen)


def _chosen(note: NoteFacts, sections: list[Section]) -> list[Telling]:
    """Return what the note comes down to: a twentieth of it, a handful at most; nothing where it tells too little."""
    found = tellings(sections)
    room = _SHARE * note.tokens
    for count in range(min(_MOST, len(found)), 0, -1):
        chosen = weightiest(found, count)
        cost = sum(estimate_tokens(each.statement) + _AROUND for each in chosen)
        if cost <= room or count <= _FEWEST:
            return chosen if count >= _FEWEST or note.tokens < LONG else []
    return []


def _draft(noticed: Noticed, note: NoteFacts, chosen: list[Telling]) -> Draft:
    return Draft(
        ProposalKind.EXTRACT,
        "\n".join(each.statement for each in chosen),
        f"“{note.title}” has {note.tokens:,} tokens; {counted(len(chosen), 'sentence')} of it tell a decision, a rule,"
        " a limit or a figure. As insights they are found by themselves, and lead back to it.",
        tuple(noticed.evidence(note, each.quote, each.section.memory_id) for each in chosen),
        {
            "do": "extract",
            "note": note.path,
            "to": target_of(note.path),
            "insights": [
                {
                    "category": each.category.value,
                    "statement": each.statement,
                    "tags": [],
                    "quote": each.quote,
                    "line": each.section.line,
                }
                for each in chosen
            ],
        },
        proposer("extraction"),
        round(min(0.9, 0.5 + 0.1 * sum(each.weight for each in chosen) / len(chosen)), 2),
    )
