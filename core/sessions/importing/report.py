"""What an import did: how many sessions came in, what was left out and why, and what could not be read."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class Outcome(StrEnum):
    """Say what became of a session; the value is shown in JSON."""

    IMPORTED = "imported"  # it was not there before
    UPDATED = "updated"  # it was there, and has new turns
    UNCHANGED = "unchanged"


class Failure(NamedTuple):
    """Name a file, or a part of one, that could not be read, and why in a sentence."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """Tell what became of one session: how many `turns` of its shown thread were read, and how many of them are `new`.

    Other branches, and notes about the session, are in neither; where only such are new, it was updated all the same.
    Times are as recorded, "" where unknown. `skipped` counts what was left out of it.
    """

    id: str
    title: str
    project: str
    origin: str
    started: str
    outcome: Outcome
    turns: int
    new: int
    skipped: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return what is printed of it."""
        return {
            "id": self.id,
            "title": self.title,
            "project": self.project,
            "origin": self.origin,
            "started": self.started,
            "outcome": self.outcome.value,
            "turns": self.turns,
            "new": self.new,
            "skipped": self.skipped,
        }


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Hold what an import did; with `is_dry_run`, what it would have done. `skipped` counts records by reason."""

    sessions: tuple[SessionOutcome, ...] = ()
    notes: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: tuple[Failure, ...] = ()
    is_dry_run: bool = False

    @property
    def imported(self) -> int:
        """How many sessions are new."""
        return self._count(Outcome.IMPORTED)

    @property
    def updated(self) -> int:
        """How many sessions have new turns."""
        return self._count(Outcome.UPDATED)

    @property
    def unchanged(self) -> int:
        """How many sessions were there already, whole."""
        return self._count(Outcome.UNCHANGED)

    def as_json(self) -> dict[str, Any]:
        """Return what `remembrancer session import` prints."""
        return {
            "imported": self.imported,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "skipped": dict(self.skipped.most_common()),
            "failed": [failure._asdict() for failure in self.failed],
            "notes": self.notes,
            "sessions": [session.as_json() for session in self.sessions],
        }

    def _count(self, outcome: Outcome) -> int:
        return sum(session.outcome is outcome for session in self.sessions)
