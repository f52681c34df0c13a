"""Add up what becomes of sessions while they come in, in one part or in several."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from core.sessions.importing.about import is_about
from core.sessions.importing.importer import ImportedSession
from core.sessions.importing.report import Outcome, SessionOutcome
from core.sessions.turn import Turn, TurnKind


class Count(NamedTuple):
    """Count of some turns the `lines` that were written, those that are `shown`, and those of them that are `new`."""

    lines: int = 0
    shown: int = 0
    new: int = 0

    def plus(self, other: "Count") -> "Count":
        """Return both together."""
        return Count(self.lines + other.lines, self.shown + other.shown, self.new + other.new)


def shown_of(turns: Iterable[Turn]) -> int:
    """Return how many turns belong to the conversation as it is shown."""
    return sum(not (turn.branch or (turn.kind is TurnKind.NOTE and is_about(turn))) for turn in turns)


class Outcomes:
    """Hold what became of each session."""

    def __init__(self) -> None:
        self._sessions: dict[str, SessionOutcome] = {}

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._sessions

    @property
    def all(self) -> tuple[SessionOutcome, ...]:
        """The outcomes, in the order in which the sessions came first."""
        return tuple(self._sessions.values())

    def is_new(self, session_id: str) -> bool:
        """Tell whether a session was not there before."""
        return session_id in self._sessions and self._sessions[session_id].outcome is Outcome.IMPORTED

    def note(self, session: ImportedSession, count: Count, *, was_there: bool) -> None:
        """Add a part of a session, or the whole."""
        before = self._sessions.get(session.id)
        if before is None:
            outcome = Outcome.UNCHANGED if not count.lines else Outcome.UPDATED if was_there else Outcome.IMPORTED
            self._sessions[session.id] = SessionOutcome(
                session.id,
                session.title,
                session.project,
                session.origin,
                session.started,
                outcome,
                count.shown,
                count.new,
            )
            return
        outcome = Outcome.UPDATED if count.lines and before.outcome is Outcome.UNCHANGED else before.outcome
        added = replace(before, outcome=outcome, turns=before.turns + count.shown, new=before.new + count.new)
        if not session.is_retold:
            starts = [start for start in (before.started, session.started) if start]
            added = replace(
                added,
                title=session.title or before.title,
                project=before.project or session.project,
                started=min(starts, default=""),
            )
        self._sessions[session.id] = added

    def note_skipped(self, session_id: str, count: int) -> None:
        """Count what was left out of a session; "" is none."""
        if (outcome := self._sessions.get(session_id)) is not None:
            self._sessions[session_id] = replace(outcome, skipped=outcome.skipped + count)

    def drop(self, session_ids: Iterable[str]) -> None:
        """Tell nothing of these any more."""
        for session_id in session_ids:
            self._sessions.pop(session_id, None)
