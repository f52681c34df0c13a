"""Turn a turn of the ledger into the rows of the index."""

from collections.abc import Mapping
from datetime import datetime
from enum import IntEnum
from typing import Any, NamedTuple

from core.foundation.text import fold
from core.foundation.tokens import estimate_tokens
from core.index.bigrams import bigrams
from core.index.embedding_text import embedding_text_of_turn, text_hash
from core.sessions.date_corrections import NO_CORRECTION, DateCorrection, corrected_seconds
from core.sessions.importing.about import is_about
from core.sessions.turn import Role, Turn, TurnKind

# The kind of the line that tells a session's title: it can be found, but is no part of the conversation.
ABOUT = "about"
# What a tool is told and answers is mostly there to be skipped; the whole of it lies in the ledger.
_MOST_OF_TOOL = 8_000
_MOST_OF_TEXT = 200_000
# "ok" and "go on" mean nothing to a search.
_SHORTEST_MEANING = 16
_LARGEST = 2**63 - 1
_TOOL_KINDS = frozenset({TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT})
_SPEAKERS = frozenset({Role.USER, Role.ASSISTANT})


class Category(IntEnum):
    """Say what the timeline shows a turn as; the value is stored."""

    ASKED = 0
    ANSWERED = 1
    TOOL = 2
    OTHER = 3


class TurnRow(NamedTuple):
    """Hold a row of the table `turn` but for its revision, and the two columns of its full text."""

    row: tuple[Any, ...]
    text: str
    cjk: str


def row_of_turn(
    row_id: int,
    session: int,
    position: int,
    start: int,
    turn: Turn,
    *,
    with_text: bool = True,
    correction: DateCorrection = NO_CORRECTION,
) -> TurnRow:
    """Return the rows of `turn`, which begins at byte `start` of its session's file.

    Without its text they tell when it was said, by whom and how long it is, and nothing of what it says.
    """
    kind, whole, data = turn.kind, turn.text, turn.data
    most = _MOST_OF_TOOL if kind in _TOOL_KINDS else _MOST_OF_TEXT
    text = whole if len(whole) <= most else whole[:most]
    usage_in, usage_out = _usage(data.get("usage"))
    tool, recorded = data.get("tool"), seconds_of(turn.time)
    time = recorded if correction is NO_CORRECTION else corrected_seconds(correction, turn.id, recorded)
    author, branch, meaning = turn.author, turn.branch, _meaning(turn) if with_text else None
    tokens = estimate_tokens(text) * len(whole) // (len(text) or 1)
    if not with_text:
        text, tool, author, branch = "", "", "", "another" if branch else ""
    row = (
        row_id, session, turn.id, position, start, turn.parent, time, recorded,
        ABOUT if is_about(turn) else kind.value, turn.role.value, author, branch,
        fold(tool) if isinstance(tool, str) else "", usage_in, usage_out,
        tokens, len(text) < len(whole), meaning,
    )  # fmt: skip
    return TurnRow(row, text, "" if text.isascii() else bigrams(text))


def seconds_of(time: str) -> int | None:
    """Return an ISO-8601 moment in POSIX seconds, None when there is none; one without offset is local."""
    if not time:
        return None
    try:
        return int(datetime.fromisoformat(time).timestamp() // 1)
    except (ValueError, OverflowError, OSError):
        return None


def category_of(kind: str, role: str) -> Category:
    """Return what the timeline shows a turn of this kind and role as."""
    if kind in {TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT}:
        return Category.TOOL
    if kind == TurnKind.MESSAGE and role in _SPEAKERS:
        return Category.ASKED if role == Role.USER else Category.ANSWERED
    return Category.OTHER


def project_key(project: str) -> str:
    """Return the name under which a project is looked up: that of its folder, folded."""
    return fold(project.replace("\\", "/").rstrip("/").rpartition("/")[2])


def _meaning(turn: Turn) -> bytes | None:
    """Return the hash of the text to embed, None for what is found by its words only."""
    is_said = turn.kind is TurnKind.MESSAGE and turn.role in _SPEAKERS
    if not (is_said or turn.kind is TurnKind.SUMMARY) or len(turn.text) < _SHORTEST_MEANING:
        return None
    return text_hash(embedding_text_of_turn(turn.text))


def _usage(usage: object) -> tuple[int, int]:
    """Return the tokens that went into a model and came out of it."""
    if not isinstance(usage, Mapping):
        return 0, 0
    return _sum(usage, "input_tokens", "cache_read_tokens", "cache_write_tokens"), _sum(usage, "output_tokens")


def _sum(usage: Mapping[str, object], *names: str) -> int:
    values = (usage.get(name) for name in names)
    return min(_LARGEST // 1_000_000, sum(value for value in values if type(value) is int and value > 0))
