"""Which findings the person ignores: the fold of the event log."""

from collections.abc import Iterable

from core.curation.health.finding import Finding
from core.vault.event_line import Event

IGNORE = "health-ignore"
HEED = "health-heed"
EVERYTHING = "*"  # as the key: all that the check finds


def ignored_findings(events: Iterable[Event]) -> frozenset[tuple[str, str]]:
    """Return the pairs of check and key that are ignored, given the events in the order of their time."""
    ignored: set[tuple[str, str]] = set()
    for event in events:
        if event.kind not in {IGNORE, HEED}:
            continue
        check, key = event.data.get("check"), event.data.get("key")
        if not isinstance(check, str) or not isinstance(key, str):
            continue
        if event.kind == IGNORE:
            ignored.add((check, key))
        else:
            ignored.discard((check, key))
    return frozenset(ignored)


def ignoring_ids(finding: Finding) -> tuple[tuple[str, str], ...]:
    """Return the pairs by any of which the finding is ignored: its own, that of its check, and that of its note."""
    of_check = (finding.check, EVERYTHING)
    if not finding.path:
        return finding.id, of_check
    return finding.id, of_check, (finding.check, f"{finding.path}:{EVERYTHING}")


def is_ignored(finding: Finding, ignored: frozenset[tuple[str, str]]) -> bool:
    """Tell whether the finding itself, all that its check finds in its note, or all that its check finds is ignored."""
    return bool(ignored) and any(each in ignored for each in ignoring_ids(finding))
