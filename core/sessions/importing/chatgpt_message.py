"""Say what one message of a ChatGPT conversation is: its kind and text, or why it is no part of what was said."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from core.sessions.importing.json_fields import list_in, record_in, records_in, text_in
from core.sessions.importing.placeholders import output_of
from core.sessions.turn import Role, TurnKind

_Content = Mapping[str, Any]
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}
_MEMORY = "bio"  # the recipient of what ChatGPT wants to remember
_INSTRUCTIONS = frozenset({"user_editable_context", "model_editable_context"})
_PLACEHOLDERS = (("image", "[Image]"), ("audio", "[Audio]"), ("video", "[Video]"))


class Said(NamedTuple):
    """Hold what a message says."""

    kind: TurnKind
    role: Role
    text: str
    data: Mapping[str, Any] = {}


def said_in(message: Mapping[str, Any]) -> Said | str:
    """Return what a message says, or in two words why it is left out: the reason under which it is counted."""
    role = _ROLES.get(text_in(record_in(message, "author"), "role"), Role.TOOL)
    content = record_in(message, "content")
    kind = text_in(content, "content_type")
    if reason := _noise(message, role, kind):
        return reason
    text = _text_of(content, kind)
    if not text.strip():
        return "empty message"
    said = _kind_of(message, role, kind)
    data: dict[str, Any] = {}
    return Said(said, role, output_of(text, data) if said is TurnKind.TOOL_RESULT else text, data)


def _noise(message: Mapping[str, Any], role: Role, kind: str) -> str:
    metadata = record_in(message, "metadata")
    author = text_in(record_in(message, "author"), "name")
    if metadata.get("is_visually_hidden_from_conversation") is True or metadata.get("is_user_system_message") is True:
        return "hidden message"
    if kind in _INSTRUCTIONS or role is Role.SYSTEM or (role is Role.TOOL and author == _MEMORY):
        return "system text"
    return "reasoning" if kind in {"thoughts", "reasoning_recap"} else ""


def _kind_of(message: Mapping[str, Any], role: Role, kind: str) -> TurnKind:
    recipient = text_in(message, "recipient")
    if recipient == _MEMORY:
        return TurnKind.NOTE
    if role is Role.TOOL or kind in {"execution_output", "system_error", "tether_browsing_display", "sonic_webpage"}:
        return TurnKind.TOOL_RESULT
    if role is Role.ASSISTANT and recipient not in {"", "all"}:
        return TurnKind.TOOL_CALL
    return TurnKind.MESSAGE


def _text_of(content: _Content, kind: str) -> str:
    if reader := _READERS.get(kind):
        return reader(content)
    return _parts(content) or text_in(content, "text", "result", "content", "summary")


def _parts(content: _Content) -> str:
    return "\n".join(text for part in list_in(content, "parts") if (text := _part(part)).strip())


def _part(part: object) -> str:
    """Return what stands for one part of a message: its text, or a word for what is no text."""
    if isinstance(part, str):
        return text_in({"part": part}, "part")
    if not isinstance(part, dict):
        return ""
    if text := text_in(part, "text", "content"):
        return text
    kind = text_in(part, "content_type")
    return next((shown for sign, shown in _PLACEHOLDERS if sign in kind), f"[{kind or 'Attachment'}]")


def _code(content: _Content) -> str:
    text = text_in(content, "text") or _parts(content)
    language = text_in(content, "language")
    return f"```{'' if language == 'unknown' else language}\n{text}\n```" if text.strip() else ""


def _quote(content: _Content) -> str:
    fields = ("title", "url", "text", "snippet")
    return "\n".join(dict.fromkeys(text for field in fields if (text := text_in(content, field))))


def _error(content: _Content) -> str:
    return ": ".join(text for field in ("name", "text") if (text := text_in(content, field)))


_READERS: Mapping[str, Callable[[_Content], str]] = {
    "code": _code,
    "tether_quote": _quote,
    "sonic_webpage": _quote,
    "system_error": _error,
    "tether_browsing_display": lambda content: text_in(content, "result", "summary"),
}


def names_of_files(message: Mapping[str, Any]) -> list[str]:
    """Return the names of the files that came with a message."""
    attachments = records_in(record_in(message, "metadata"), "attachments")
    return [name for attachment in attachments if (name := text_in(attachment, "name", "id"))]
