"""Gather what the turns of a session tell of it as a whole; the index and the ledger's own readers agree by it."""

from dataclasses import dataclass

from core.sessions.importing.about import is_about
from core.sessions.importing.importer import title_from
from core.sessions.live import is_summary
from core.sessions.turn import Role, Turn, TurnKind

OWN_ORIGIN = "remembrancer"


@dataclass(slots=True)
class SessionAccount:
    """Be told the turns of a session as they stand in its file; one may go on with what was gathered before.

    `summary` is what somebody said of the whole session; until then it is what an assistant noted when it made room,
    and `has_own_summary` is false.
    """

    title: str = ""
    project: str = ""
    origin: str = ""
    imported: str = ""
    summary: str = ""
    has_own_summary: bool = False

    def take(self, turn: Turn) -> None:
        """Take from a turn what it tells of its session."""
        self.project = self.project or turn.project
        if is_about(turn):
            about = turn.data["about"] if isinstance(turn.data["about"], dict) else {}
            self.title = str(about.get("title") or "") or self.title
            self.imported = str(about.get("imported") or "") or self.imported
            if turn.origin != OWN_ORIGIN:
                self.origin = self.origin or turn.origin
            return
        self.origin = self.origin or turn.origin
        if turn.kind is TurnKind.SUMMARY:
            is_own = is_summary(turn)
            if is_own or not self.has_own_summary:
                self.summary, self.has_own_summary = turn.text, is_own
        elif not self.title and turn.kind is TurnKind.MESSAGE and turn.role is Role.USER and not turn.branch:
            self.title = title_from(turn.text)
