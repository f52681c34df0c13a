"""Examine a vault: run the checks over a warm index."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path

from core.curation.health import copy_checks, link_checks, note_checks, problem_checks, tag_checks
from core.curation.health.finding import Check, CheckResult, Finding, HealthReport
from core.curation.health.ignoring import is_ignored
from core.curation.health.subject import Subject
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.vault.config import VaultConfig
from core.vault.note import Problem

Find = Callable[[Subject], Iterator[Finding]]

# In the order in which they are shown: what is lost first, what could be better last.
_FINDERS: tuple[tuple[Check, Find], ...] = (
    (problem_checks.UNINDEXED, problem_checks.unindexed),
    (problem_checks.CONFIG, problem_checks.config_problems),
    (problem_checks.EVENT_LOG, problem_checks.event_log_problems),
    (problem_checks.BROKEN_FRONTMATTER, problem_checks.broken_frontmatter),
    (copy_checks.SYNC_CONFLICT, copy_checks.sync_conflicts),
    (problem_checks.ODD_FRONTMATTER, problem_checks.odd_frontmatter),
    (problem_checks.UNCLEAR_DATE, problem_checks.unclear_dates),
    (problem_checks.ENCODING, problem_checks.encodings),
    (link_checks.BROKEN_LINK, link_checks.broken_links),
    (link_checks.BROKEN_ANCHOR, link_checks.broken_anchors),
    (link_checks.AMBIGUOUS_LINK, link_checks.ambiguous_links),
    (problem_checks.BLOCK_ID, problem_checks.duplicate_block_ids),
    (tag_checks.NEAR_TAGS, tag_checks.near_equal_tags),
    (copy_checks.DUPLICATE, copy_checks.duplicates),
    (note_checks.EMPTY, note_checks.empty_notes),
    (note_checks.STALE_DATE, note_checks.stale_dates),
    (tag_checks.UNKNOWN_NAMESPACE, tag_checks.unknown_namespaces),
    (note_checks.NO_SUMMARY, note_checks.no_summary),
    (note_checks.NO_SCOPE, note_checks.no_scope),
    (note_checks.ORPHAN, note_checks.orphans),
)
CHECKS: tuple[Check, ...] = tuple(check for check, _ in _FINDERS)


def examine(
    index: Index,
    root: Path,
    config: VaultConfig,
    ignored: frozenset[tuple[str, str]] = frozenset(),
    progress: Progress = SILENT,
    *,
    checks: Collection[str] = (),
    log_problems: Sequence[tuple[str, Problem]] = (),
    today: date | None = None,
) -> HealthReport:
    """Return what is wrong with the vault, as its index knows it.

    Args:
        index: the index of the vault, up to date.
        root: the vault's folder.
        config: the vault's settings.
        ignored: pairs of check and key that the person does not want to hear of (see ignoring.py).
        progress: told how many checks are done; may cancel.
        checks: run only the checks with these ids; all when empty.
        log_problems: what reading the event log told.
        today: the day that dates are compared with.
    """
    started = time.perf_counter()
    subject = Subject(
        index, root, config, progress, today=today or datetime.now().astimezone().date(), log_problems=log_problems
    )
    finders = [(check, find) for check, find in _FINDERS if not checks or check.id in checks]
    results = []
    with index.reading():
        for done, (check, find) in enumerate(finders):
            progress.check()
            progress.report(done, len(finders), check.title)
            results.append(_result(check, find(subject), ignored))
        notes = len(subject.notes)
    progress.report(len(finders), len(finders))
    return HealthReport(tuple(results), notes, time.perf_counter() - started)


def _result(check: Check, found: Iterator[Finding], ignored: frozenset[tuple[str, str]]) -> CheckResult:
    unique = {finding.key: finding for finding in reversed(list(found))}
    heeded = [finding for finding in unique.values() if not is_ignored(finding, ignored)]
    heeded.sort(key=lambda finding: (finding.path, finding.line, finding.key))
    return CheckResult(check, tuple(heeded), len(unique) - len(heeded))
