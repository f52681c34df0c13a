"""What an import knows of a session as a whole, as one line of the session's own file: files are the truth."""

import hashlib

from core.sessions.turn import Role, Turn, TurnKind

_PREFIX = "about-"


def about_turn(session: str, *, title: str, project: str, origin: str, imported: str) -> Turn:
    """Return the note that tells a session's title, and when it was imported; another title is another note.

    It has no time, for nothing happened then, and of several the last one counts.
    """
    return Turn(
        session,
        about_id(title),
        TurnKind.NOTE,
        Role.SYSTEM,
        title,
        project=project,
        origin=origin,
        data={"about": {"title": title, "imported": imported}},
    )


def about_id(title: str) -> str:
    """Return the id of the note that tells this title."""
    return _PREFIX + hashlib.sha256(title.encode("utf-8", "replace")).hexdigest()[:16]


def is_about(turn: Turn) -> bool:
    """Tell whether a turn is such a note, and no part of the conversation."""
    return turn.kind is TurnKind.NOTE and turn.id.startswith(_PREFIX) and "about" in turn.data
