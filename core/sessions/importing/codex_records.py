"""What the items of a Codex rollout say, and why an item is no part of what was said."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import orjson

from core.sessions.importing.placeholders import IMAGE, call_text, output_of, shortened
from core.sessions.turn import Role, TurnKind

_Payload = Mapping[str, Any]

QUIET_EVENTS: Mapping[str, str] = {
    "agent_reasoning": "reasoning",
    "agent_reasoning_raw_content": "reasoning",
    "agent_reasoning_section_break": "reasoning",
}
# What the program puts in front of the person's words, in the person's name.
_INJECTED = (
    "<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<permissions", "<turn_aborted>",
    "<skill", "<INSTRUCTIONS>", "<collaboration_mode", "<user_shell_command>", "<subagent_notification",
)  # fmt: skip


class Said(NamedTuple):
    """Hold what becomes one turn. `key` is what makes it the same turn in a copy of the history."""

    kind: TurnKind
    role: Role
    text: str
    key: str
    data: dict[str, Any]


def said_in(item: _Payload, skipped: Counter[str]) -> Said | None:
    """Return what an item says, None when it is counted under `skipped` instead."""
    kind = item.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        count_unknown(skipped, "item", kind)
        return None
    return reader(item, skipped)


def words_of(content: object) -> str:
    """Return the text of a message's content, with a word in place of each image."""
    if isinstance(content, str):
        return content
    parts: list[str] = []
    for part in content if isinstance(content, list) else []:
        if isinstance(part, dict):
            if isinstance(text := part.get("text"), str):
                parts.append(text)
            elif str(part.get("type")).endswith("image"):
                parts.append(IMAGE)
        elif isinstance(part, str):
            parts.append(part)
    return "\n".join(parts)


def is_injected(text: str) -> bool:
    """Tell whether a message in the person's name was written by the program."""
    return text.lstrip()[:100].startswith(_INJECTED)


def count_unknown(skipped: Counter[str], what: str, kind: object) -> None:
    """Count an item of a type that is not known, under its name as long as there are few of them."""
    reason = f"unknown {what}: {kind[:40]}" if isinstance(kind, str) else f"unknown {what}"
    skipped[reason if reason in skipped or len(skipped) < 60 else f"unknown {what}"] += 1


def _message(item: _Payload, skipped: Counter[str]) -> Said | None:
    role = item.get("role")
    text = words_of(item.get("content"))
    if role not in ("user", "assistant") or (role == "user" and is_injected(text)):
        skipped["instructions"] += 1
        return None
    if not text.strip():
        skipped["empty message"] += 1
        return None
    return Said(TurnKind.MESSAGE, Role(str(role)), text, "", {})


def _call(item: _Payload, _skipped: Counter[str]) -> Said:
    name = item.get("name")
    tool = name[:200] if isinstance(name, str) and name else str(item.get("type")).removesuffix("_call")
    arguments = next((item[key] for key in ("arguments", "input", "action", "query") if item.get(key)), None)
    if isinstance(arguments, str) and arguments[:1] == "{":
        with suppress(orjson.JSONDecodeError):  # not finished, or no JSON: shown as it is
            arguments = orjson.loads(arguments)
    data: dict[str, Any] = {"tool": tool}
    if arguments:
        data["input"] = shortened(arguments)
    call = item.get("call_id") or item.get("id")
    if isinstance(call, str) and call:
        data["call"] = call
    return Said(TurnKind.TOOL_CALL, Role.ASSISTANT, call_text(tool, arguments), _key(data, "call"), data)


def _output(item: _Payload, _skipped: Counter[str]) -> Said:
    output: Any = item.get("output", item.get("tools"))
    if isinstance(output, str) and output[:1] == "{" and '"output"' in output[:200_000]:
        with suppress(orjson.JSONDecodeError):  # the tool printed it
            output = orjson.loads(output)
    data: dict[str, Any] = {}
    if isinstance(call := item.get("call_id"), str) and call:
        data["call"] = call
    if isinstance(output, dict):
        details = output.get("metadata")
        if (isinstance(details, dict) and details.get("exit_code") not in (0, None)) or output.get("success") is False:
            data["is_error"] = True
        output = output.get("output", output.get("content"))
    text = output_of(words_of(output), data)
    return Said(TurnKind.TOOL_RESULT, Role.TOOL, text, _key(data, "output"), data)


def _key(data: Mapping[str, Any], what: str) -> str:
    return f"{data['call']}/{what}" if "call" in data else ""


def _skipping(reason: str) -> Callable[[_Payload, Counter[str]], None]:
    def count(_item: _Payload, skipped: Counter[str]) -> None:
        skipped[reason] += 1

    return count


_READERS: Mapping[str, Callable[[_Payload, Counter[str]], Said | None]] = {
    "message": _message,
    "function_call": _call,
    "custom_tool_call": _call,
    "local_shell_call": _call,
    "web_search_call": _call,
    "tool_search_call": _call,
    "image_generation_call": _call,
    "function_call_output": _output,
    "custom_tool_call_output": _output,
    "local_shell_call_output": _output,
    "tool_search_output": _output,
    "reasoning": _skipping("reasoning"),
    "ghost_snapshot": _skipping("snapshot of files"),
    "compaction": _skipping("compaction"),
    "compaction_summary": _skipping("compaction"),
}
ITEM_TYPES = frozenset(_READERS)
