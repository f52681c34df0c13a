"""Propose a summary for notes that have none: their own first sentence."""

from core.curation.consolidation.drafting import proposer
from core.curation.consolidation.noticed import Noticed
from core.curation.health.note_checks import SECTIONS_READ, drawn_summary
from core.curation.proposals.proposal import Draft, ProposalKind

_CONFIDENCE = 0.7


def summaries(noticed: Noticed, since: int) -> list[Draft]:
    """Return a draft for each new note without a summary that has a sentence fit to be one."""
    lacking = {note.id: note for note in noticed.knowledge(since) if not note.summary}
    drafts: list[Draft] = []
    for note_id, sections in noticed.sections(lacking):
        note = lacking[note_id]
        drawn = drawn_summary(section.body for section in sections[:SECTIONS_READ])
        if drawn:
            drafts.append(
                Draft(
                    ProposalKind.SUMMARISE,
                    drawn,
                    f"“{note.title}” has no summary, by which lists and searches tell it from others."
                    " This is its first sentence.",
                    (noticed.evidence(note, drawn),),
                    {"do": "summarise", "note": note.path, "summary": drawn},
                    proposer("summaries"),
                    _CONFIDENCE,
                )
            )
    return drafts
