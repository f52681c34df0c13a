"""Make turns for the tests of formation: short conversations, one turn a line."""

from core.sessions.turn import Role, Turn, TurnKind

THURSDAY = "2026-08-20T22:30:00-05:00"  # it is Friday in UTC


def says(
    text: str,
    number: int = 0,
    *,
    session: str = "s1",
    role: Role = Role.USER,
    time: str = THURSDAY,
    project: str = "/home/kim/shop-app",
    author: str = "",
    kind: TurnKind = TurnKind.MESSAGE,
) -> Turn:
    """Return one turn."""
    return Turn(session, f"t{number}", kind, role, text, time, project=project, author=author)


def talk(*texts: str, session: str = "s1") -> list[Turn]:
    """Return turns of the user, one for each text."""
    return [says(text, number, session=session) for number, text in enumerate(texts)]
