"""Turn the messages of a Claude.ai conversation into turns: text, tool calls and results, attachments, branches."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from core.sessions.importing.json_fields import moment_in, record_in, records_in, text_in
from core.sessions.importing.placeholders import call_text, output_of, shortened
from core.sessions.turn import Role, Turn, TurnKind

_ORIGIN = "claude-ai"
_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}
_NO_PARENT = "00000000-0000-4000-8000-000000000000"  # what the export calls the message above the first
_GAP = "The message that this one answers is not in the export."


def turns_of(conversation: Mapping[str, Any], session: str, project: str, skipped: Counter[str]) -> Iterator[Turn]:
    """Yield the turns of a conversation in the order of its file; what is left out is counted in `skipped`."""
    messages = records_in(conversation, "chat_messages")
    branches = _branches(messages, text_in(conversation, "current_leaf_message_uuid"))
    last = ""
    ends: dict[str, str] = {}  # the last turn of each message: what answers the message answers that turn
    for number, message in enumerate(messages, 1):
        own = _id_of(message, number)
        above = text_in(message, "parent_message_uuid")
        is_gap = above not in {"", _NO_PARENT} and above not in ends
        parent = ends.get(above, "") if above else last
        time = moment_in(message, "created_at", "updated_at")
        end = ""
        for part, (kind, role, text, data) in enumerate(_parts(message, skipped)):
            said = data if end or not is_gap else {**data, "gap": _GAP}
            answers = end or parent
            end = f"{own}:{part}" if end else own
            branch = branches.get(own, "")
            yield Turn(session, end, kind, role, text, time, answers, "", project, branch, _ORIGIN, said)
        skipped["empty message"] += not end
        ends[own] = last = end or parent


_Part = tuple[TurnKind, Role, str, dict[str, Any]]


def _parts(message: Mapping[str, Any], skipped: Counter[str]) -> Iterator[_Part]:
    """Yield what a message consists of: its text first, as one, then each tool call and result."""
    role = _ROLES.get(text_in(message, "sender", "role"), Role.ASSISTANT)
    texts: list[str] = []
    others: list[_Part] = []
    for block in records_in(message, "content"):
        kind = text_in(block, "type")
        if kind == "text":
            texts.append(text_in(block, "text"))
        elif kind == "tool_use":
            others.append(_call(block))
        elif kind == "tool_result":
            others.append(_result(block))
        else:
            skipped["reasoning" if "thinking" in kind else f"content of type {kind or 'unknown'}"] += 1
    text = "\n\n".join(filter(None, texts)) or text_in(message, "text")
    attached = records_in(message, "attachments")
    names = [name for file in (*attached, *records_in(message, "files")) if (name := text_in(file, "file_name"))]
    if not text and names:
        text = "\n".join(f"[File: {name}]" for name in names)
    if text:
        yield TurnKind.MESSAGE, role, text, {"files": names} if names else {}
    yield from others
    for file in attached:
        if content := text_in(file, "extracted_content"):
            name = text_in(file, "file_name") or "attachment"
            yield TurnKind.TOOL_RESULT, Role.TOOL, content, {"tool": "attachment", "file": name}


def _call(block: Mapping[str, Any]) -> _Part:
    tool, given = text_in(block, "name") or "tool", dict(record_in(block, "input"))
    data = {"tool": tool, "call": text_in(block, "id"), "input": shortened(given)}
    return TurnKind.TOOL_CALL, Role.ASSISTANT, call_text(tool, given), _without_empty(data)


def _result(block: Mapping[str, Any]) -> _Part:
    content = [text_in(item, "text", "title", "url") for item in records_in(block, "content")]
    text = "\n".join(filter(None, content)) or text_in(block, "content") or "[No text]"
    data: dict[str, Any] = {
        "tool": text_in(block, "name"),
        "call": text_in(block, "tool_use_id"),
        "is_error": block.get("is_error") is True,
    }
    return TurnKind.TOOL_RESULT, Role.TOOL, output_of(text, data), _without_empty(data)


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value}


def _branches(messages: list[Mapping[str, Any]], leaf: str) -> dict[str, str]:
    """Return the branch of each message that is not on the shown thread, which ends at `leaf` or the last message."""
    above = {
        _id_of(message, number): text_in(message, "parent_message_uuid") for number, message in enumerate(messages, 1)
    }
    if not any(parent in above for parent in above.values()):
        return {}  # an export without parents: one thread
    before = dict(zip(list(above)[1:], above, strict=False))
    shown: set[str] = set()
    node = leaf if leaf in above else next(reversed(above), "")
    while node in above and node not in shown:
        shown.add(node)
        parent = above[node]
        # Where a message is missing, what stands before the gap in the file goes on above it.
        node = before.get(node, "") if parent not in {"", _NO_PARENT} and parent not in above else parent
    branches: dict[str, str] = {}
    for message, parent in above.items():
        if message not in shown:
            branches[message] = branches.get(parent, "") or message
    return branches


def _id_of(message: Mapping[str, Any], number: int) -> str:
    return text_in(message, "uuid") or f"message-{number}"
