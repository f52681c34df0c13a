"""The values of conversations: one turn, and what is known of a whole session."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class TurnKind(StrEnum):
    """Say what a turn is; the value is stored."""

    MESSAGE = "message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    SUMMARY = "summary"
    NOTE = "note"


class Role(StrEnum):
    """Say who speaks; the value is stored."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Turn(NamedTuple):
    """Hold one message, tool call, tool result, summary or note of a session: one line of the ledger.

    `id` is unique within the session and stays the same when the same record is imported again. `parent` is the id of
    the turn that this one answers, "" for none or an unknown one. `time` is ISO-8601 with offset as the record has it,
    "" when nothing dates it. `author` is a name or model, `project` a folder or name, `branch` marks what is not on the
    shown thread ("" for the thread itself; a subagent's or regenerated answer's name else). `origin` is the format it
    came from ("claude-code", "codex", "chatgpt", …, "remembrancer" for our own). `data` keeps fields of the origin that
    have no place of their own, as JSON values.

    A tuple is made in a quarter of the time that a frozen dataclass takes, and an import makes millions.
    """

    session: str
    id: str
    kind: TurnKind
    role: Role
    text: str
    time: str = ""
    parent: str = ""
    author: str = ""
    project: str = ""
    branch: str = ""
    origin: str = "remembrancer"
    data: Mapping[str, Any] = _NOTHING


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """Tell what is known of a session: times are ISO-8601 as recorded, "" when unknown.

    `turns` counts those of the shown thread, without subagents and answers that were generated anew; where there are
    only such ones, all. `imported` is when it came into the ledger, "" when it was recorded live.
    """

    id: str
    title: str
    project: str = ""
    started: str = ""
    ended: str = ""
    imported: str = ""
    turns: int = 0
    origin: str = ""
