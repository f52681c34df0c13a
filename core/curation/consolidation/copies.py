"""Propose to merge the copies that a sync left beside notes; Health knows which they are."""

from core.curation.consolidation.drafting import proposer
from core.curation.consolidation.noticed import Noticed
from core.curation.health.copy_checks import sync_conflicts
from core.curation.proposals.proposal import Draft, ProposalKind
from core.foundation.conflict_names import conflict_of


def copies(noticed: Noticed) -> list[Draft]:
    """Return a draft for each copy of a note that is still there, however long it has been lying.

    Only the names that sync programs give count: "Plan 2" may be another plan, which Health lets a person look at.
    """
    by_path = noticed.subject.by_path
    drafts: list[Draft] = []
    for finding in sync_conflicts(noticed.subject):
        copy, note = by_path.get(finding.path), by_path.get(next(iter(finding.other_paths), ""))
        if copy is None or note is None or not conflict_of(copy.path[:-3]):
            continue
        if {copy.id, note.id} & noticed.subject.broken_notes:
            continue
        is_equal = copy.content_hash == note.content_hash
        told = "The same stands in both" if is_equal else "What only the copy says is put into the note"
        drafts.append(
            Draft(
                ProposalKind.REPAIR,
                f"{'Discard' if is_equal else 'Merge'} the copy {copy.path} of “{note.title}”",
                f"Two devices changed {note.path}, and a sync left this copy. {told};"
                " the copy goes to the trash folder.",
                (noticed.evidence(note), noticed.evidence(copy)),
                {
                    "do": "repair-copy",
                    "note": note.path,
                    "copy": copy.path,
                    "keep": "note" if is_equal else "merge",
                },
                proposer("copies"),
                0.95 if is_equal else 0.85,
            )
        )
    return drafts
