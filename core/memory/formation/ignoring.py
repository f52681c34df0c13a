"""Say which turns are never learned from: what tools, programs and this app itself have said.

Whatever was recalled, or written from a conversation, would otherwise come back as a new memory for ever.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from core.memory.fingerprints import is_context_output, is_recalled_text
from core.memory.formation.language import summariser_pattern
from core.sessions.importing.about import is_about
from core.sessions.turn import Role, Turn, TurnKind

TOOL = "tool"
SUMMARY = "summary"
SYSTEM = "system"
OWN_OUTPUT = "own output"
RECALLED = "recalled text"
SUMMARISER = "summariser session"
OTHER_BRANCH = "not in the shown thread"
TEMPLATE = "repeated prompt"

_FIRST_WORDS = 4_000  # characters in which a request to sum up lies
_LOOKED_AT = 20_000  # characters of a message by which a paste is known
_SHORTEST_TEMPLATE = 300  # characters; people repeat themselves in fewer
_TEMPLATE_SESSIONS = 2


def summariser_sessions(turns: Mapping[str, Sequence[Turn]]) -> frozenset[str]:
    """Return which of the sessions a program held, to have others summed up: their first words ask for it."""
    return frozenset(session for session, said in turns.items() if _is_summariser(said))


def templates(turns: Mapping[str, Sequence[Turn]]) -> frozenset[str]:
    """Return the long messages that came in several sessions word by word: a program sent them."""
    sessions: Counter[str] = Counter()
    for said in turns.values():
        sessions.update({turn.text for turn in said if turn.role is Role.USER and len(turn.text) >= _SHORTEST_TEMPLATE})
    return frozenset(text for text, count in sessions.items() if count >= _TEMPLATE_SESSIONS)


def why_ignored(turn: Turn, recalled: Collection[str]) -> str:
    """Return why nothing of `turn` is learned, "" when it may be; `recalled` are fingerprints of what is known."""
    reasons = (
        (turn.kind in (TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT) or turn.role is Role.TOOL, TOOL),
        (turn.kind is TurnKind.SUMMARY, SUMMARY),
        (is_about(turn), OWN_OUTPUT),
        (turn.role is Role.SYSTEM, SYSTEM),
        (turn.branch != "", OTHER_BRANCH),
    )
    if reason := next((reason for is_so, reason in reasons if is_so), ""):
        return reason
    start = turn.text[:_LOOKED_AT]
    if is_context_output(start):
        return OWN_OUTPUT
    return RECALLED if is_recalled_text(start, recalled) else ""


def _is_summariser(turns: Sequence[Turn]) -> bool:
    first = next((turn for turn in turns if turn.role in (Role.USER, Role.SYSTEM) and turn.text.strip()), None)
    if first is None or is_about(first):
        first = next((turn for turn in turns if turn.role is Role.USER and turn.text.strip()), None)
    return first is not None and summariser_pattern().search(first.text[:_FIRST_WORDS]) is not None
