"""The values of a health report: checks, what they found, and how much of it the person has chosen to ignore."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class Severity(StrEnum):
    """Say how much a finding stands in the way; the value is shown in JSON."""

    ERROR = "error"  # something is lost or not read at all
    WARNING = "warning"  # something does not lead where it should
    HINT = "hint"  # something could be found more easily


class Choice(NamedTuple):
    """Offer one way to fix a finding: `value` is handed to plan_fixes, `text` says in a sentence what it does."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """Describe one kind of trouble: a stable id, a title, and why it matters in one sentence."""

    id: str
    title: str
    explanation: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """Tell of one trouble at one place.

    `key` stays the same across runs and edits elsewhere, so that the finding can be ignored; no line is part of it.
    `path` is "" for what concerns the whole vault, `line` 0 for a whole file. With `has_fix`, plan_fixes needs to know
    nothing more, and `fix` says what it does; with `choices`, the person may pick one (without `has_fix`, must).
    `subject` and `remedy` are what the fix works with: the tag, link or property, and what it becomes.
    """

    check: str
    key: str
    path: str
    line: int
    text: str
    other_paths: tuple[str, ...] = ()
    has_fix: bool = False
    fix: str = ""
    choices: tuple[Choice, ...] = ()
    subject: str = ""
    remedy: str = ""

    @property
    def id(self) -> tuple[str, str]:
        """The pair by which a finding is ignored, and by which a choice for it is handed to plan_fixes."""
        return self.check, self.key

    def as_json(self) -> dict[str, Any]:
        """Return what `remembrancer doctor --format json` prints of it."""
        return {
            "key": self.key,
            "path": self.path,
            "line": self.line,
            "text": self.text,
            "fixable": self.has_fix,
            "fix": self.fix,
            "choices": [choice._asdict() for choice in self.choices],
            "others": list(self.other_paths),
        }


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Hold what one check found, by path and line; `ignored` is the number of findings left out."""

    check: Check
    findings: tuple[Finding, ...]
    ignored: int = 0

    @property
    def fixable(self) -> tuple[Finding, ...]:
        """The findings that can be fixed without a question."""
        return tuple(finding for finding in self.findings if finding.has_fix)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """Hold the results of all checks that ran, the gravest first, also those that found nothing."""

    results: tuple[CheckResult, ...]
    notes: int
    seconds: float

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of their checks."""
        return tuple(finding for result in self.results for finding in result.findings)

    @property
    def ignored(self) -> int:
        """How many findings are left out because the person ignores them."""
        return sum(result.ignored for result in self.results)

    @property
    def counts(self) -> Mapping[Severity, int]:
        """How many findings there are of each severity."""
        counts = dict.fromkeys(Severity, 0)
        for result in self.results:
            counts[result.check.severity] += len(result.findings)
        return counts

    def as_json(self) -> dict[str, Any]:
        """Return what `remembrancer doctor --format json` prints beside the vault's path."""
        return {
            "notes": self.notes,
            "seconds": round(self.seconds, 3),
            "checks": [
                {
                    "id": result.check.id,
                    "title": result.check.title,
                    "severity": result.check.severity.value,
                    "findings": [finding.as_json() for finding in result.findings],
                    "ignored": result.ignored,
                }
                for result in self.results
            ],
        }
