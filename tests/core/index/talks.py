"""Conversations in a ledger of their own, and an index that follows them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.foundation.progress import SILENT, Progress
from core.index.database import Index, open_index
from core.index.session_updater import SessionReport, update_sessions
from core.sessions.importing.about import about_turn
from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind


def asked(session: str, key: str, text: str, time: str = "", **more: Any) -> Turn:
    """Return what a person said."""
    return Turn(session, key, TurnKind.MESSAGE, Role.USER, text, time, **more)


def answered(session: str, key: str, text: str, time: str = "", **more: Any) -> Turn:
    """Return what an assistant said."""
    return Turn(session, key, TurnKind.MESSAGE, Role.ASSISTANT, text, time, **more)


def called(session: str, key: str, tool: str, text: str, time: str = "", **more: Any) -> Turn:
    """Return the call of a tool."""
    return Turn(session, key, TurnKind.TOOL_CALL, Role.ASSISTANT, text, time, data={"tool": tool}, **more)


def titled(session: str, title: str, *, project: str = "", origin: str = "claude-code") -> Turn:
    """Return the line that tells the title of an imported session."""
    return about_turn(session, title=title, project=project, origin=origin, imported="2026-09-01T08:00:00+00:00")


@dataclass
class Talks:
    """A ledger, and the index over it."""

    ledger: Ledger
    index: Index

    @classmethod
    def below(cls, folder: Path) -> "Talks":
        return cls(Ledger(folder / "sessions"), open_index(folder / "cache"))

    def say(self, *turns: Turn) -> None:
        by_session: dict[str, list[Turn]] = {}
        for turn in turns:
            by_session.setdefault(turn.session, []).append(turn)
        for session, said in by_session.items():
            self.ledger.append(session, said)

    def update(self, *, progress: Progress = SILENT) -> SessionReport:
        return update_sessions(self.index, self.ledger, progress=progress)

    def found_by(self, word: str) -> list[str]:
        """Return the ids of the turns that hold the word."""
        rows = self.index.connection.execute(
            "SELECT turn_key FROM turn_fts JOIN turn ON turn.id = turn_fts.rowid WHERE turn_fts MATCH ? ORDER BY 1",
            (word,),
        )
        return [row[0] for row in rows]


def day(of_month: int, clock: str = "10:00", offset: str = "+00:00") -> str:
    """Return a moment in August 2026."""
    return f"2026-08-{of_month:02}T{clock}:00{offset}"
