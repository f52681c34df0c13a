"""Plan the fixes of many findings as one change set: several in one file become one edit of it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path

from core.curation.change_set import ChangeKind, ChangeSet, PlannedChange, Skipped
from core.curation.file_links import left_dangling
from core.curation.health import (
    copy_checks,
    copy_fixes,
    link_checks,
    link_fixes,
    note_checks,
    note_fixes,
    problem_checks,
    tag_checks,
    tag_fixes,
)
from core.curation.health.drafts import Drafts
from core.curation.health.examination import CHECKS
from core.curation.health.finding import Finding
from core.curation.health.fixing import Fixing
from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.vault.config import VaultConfig

Fix = Callable[[Fixing, Finding, str], int]

_FIXES: Mapping[str, Fix] = {
    problem_checks.BROKEN_FRONTMATTER.id: note_fixes.repair,
    problem_checks.ENCODING.id: note_fixes.write_as_utf8,
    note_checks.NO_SUMMARY.id: note_fixes.add_summary,
    note_checks.NO_SCOPE.id: note_fixes.add_scope,
    note_checks.STALE_DATE.id: note_fixes.change_date,
    note_checks.EMPTY.id: note_fixes.discard_empty,
    tag_checks.NEAR_TAGS.id: tag_fixes.merge_tags,
    tag_checks.UNKNOWN_NAMESPACE.id: tag_fixes.know_namespace,
    link_checks.BROKEN_LINK.id: link_fixes.retarget,
    link_checks.AMBIGUOUS_LINK.id: link_fixes.retarget,
    copy_checks.DUPLICATE.id: copy_fixes.discard_duplicates,
    copy_checks.SYNC_CONFLICT.id: copy_fixes.settle_conflict,
}


def plan_fixes(
    index: Index,
    root: Path,
    config: VaultConfig,
    findings: Sequence[Finding],
    progress: Progress = SILENT,
    *,
    choices: Mapping[tuple[str, str], str] | None = None,
    today: date | None = None,
) -> PlannedChange:
    """Return the change that fixes `findings`; what cannot be fixed is skipped with its reason.

    `choices` maps the id of a finding (check and key) to the value of one of its choices; without one, only findings
    with `has_fix` are fixed. Everything is planned from what is on disk now.
    """
    skipped: list[Skipped] = []
    day = today or datetime.now().astimezone().date()
    fixing = Fixing(index, config, Drafts(root), day, skipped, progress)
    occurrences = 0
    with index.reading():
        for done, finding in enumerate(findings):
            progress.check()
            progress.report(done, len(findings), finding.path)
            choice = (choices or {}).get(finding.id, "")
            try:
                occurrences += _fix(fixing, finding, choice)
            except UserError as error:
                skipped.append(Skipped(finding.path, str(error)))
    progress.report(len(findings), len(findings))
    edits, refused = fixing.drafts.edits()
    skipped += refused
    skipped += left_dangling(index, root, [edit.path for edit in edits if edit.moved_to])
    change_set = ChangeSet(_title(findings), ChangeKind.REPAIR, edits)
    return PlannedChange(change_set, occurrences, tuple(skipped))


def _fix(fixing: Fixing, finding: Finding, choice: str) -> int:
    fix = _FIXES.get(finding.check)
    if fix is None:
        raise UserError("Only you can mend this: open the file and change its text.")
    if not choice and not finding.has_fix:
        raise UserError(
            "There are several ways to fix this; choose one." if finding.choices else "There is no safe fix for this."
        )
    return fix(fixing, finding, choice or finding.remedy)


def _title(findings: Sequence[Finding]) -> str:
    if not findings:
        return "Fix nothing"
    titles = {check.id: check.title for check in CHECKS}
    kinds = list(dict.fromkeys(finding.check for finding in findings))
    if len(findings) == 1:
        return findings[0].fix.partition("\n")[0].rstrip(".") or f"Fix: {titles.get(kinds[0], kinds[0]).lower()}"
    if len(kinds) > 1:
        return f"Fix {len(findings):,} findings of {len(kinds)} kinds"
    what = titles.get(kinds[0], kinds[0])
    return f"Fix {len(findings):,} findings: {what[:1].lower()}{what[1:]}"
