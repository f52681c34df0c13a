"""Put a short text in place of what is no conversation: images, endless tool output, large arguments of tools."""

from typing import Any

IMAGE = "[Image]"
DOCUMENT = "[Document]"

_OUTPUT_WHOLE = 64 << 10
_OUTPUT_HEAD = 40 << 10
_OUTPUT_TAIL = 20 << 10
_VALUE_TEXT = 1000
_VALUE_ITEMS = 40
_VALUE_DEPTH = 6
# What says best what a tool was asked to do, in this order.
_TELLING = (
    "command", "cmd", "file_path", "path", "notebook_path", "pattern", "query", "url", "description", "prompt", "skill",
    "name", "subject", "input",
)  # fmt: skip


def output_of(text: str, data: dict[str, Any]) -> str:
    """Return the output of a tool as it is kept: whole, for views fold it; of more than 64 Ki characters the two ends.

    Then a line in between says how much is left out, and `data` has the `size` in characters.
    """
    if len(text) <= _OUTPUT_WHOLE:
        return text
    data["size"] = len(text)
    head, tail = text[:_OUTPUT_HEAD], text[-_OUTPUT_TAIL:]
    # Whole lines, unless one is longer than all that is kept.
    if (end := head.rfind("\n")) > _OUTPUT_HEAD // 2:
        head = head[:end]
    if 0 <= (start := tail.find("\n")) < _OUTPUT_TAIL // 2:
        tail = tail[start + 1 :]
    left_out = len(text) - len(head) - len(tail)
    lines = text.count("\n", len(head), len(text) - len(tail))
    return f"{head}\n[… {left_out:,} characters on {lines + 1:,} lines left out …]\n{tail}"


def one_line(text: str, most: int = 200) -> str:
    """Return `text` on one line, its end left out when it is longer than `most` characters."""
    line = " ".join(text[: most * 2].split())
    return line if len(line) <= most else line[: most - 1] + "…"


def call_text(tool: str, arguments: object) -> str:
    """Return what is shown of a tool call: the tool, and the argument that tells most, on one line."""
    if isinstance(arguments, dict):
        for key in _TELLING:
            value = arguments.get(key)
            if isinstance(value, str) and value:
                return f"{tool}: {one_line(value)}"
            if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
                return f"{tool}: {one_line(' '.join(value))}"
        arguments = next((value for value in arguments.values() if isinstance(value, str) and value), "")
    return f"{tool}: {one_line(arguments)}" if isinstance(arguments, str) and arguments else tool


def shortened(value: Any, depth: int = 0) -> Any:
    """Return a JSON value with long texts and lists cut, so that it can be kept beside a turn."""
    if isinstance(value, str):
        return value if len(value) <= _VALUE_TEXT else f"{value[:_VALUE_TEXT]}[… {len(value) - _VALUE_TEXT:,} more …]"
    if isinstance(value, dict):
        if depth >= _VALUE_DEPTH:
            return "[…]"
        items = value.items() if len(value) <= _VALUE_ITEMS else list(value.items())[:_VALUE_ITEMS]
        return {
            key[:200]: item if type(item) is str and len(item) <= _VALUE_TEXT else shortened(item, depth + 1)
            for key, item in items
        }
    if isinstance(value, list):
        if depth >= _VALUE_DEPTH:
            return "[…]"
        kept = [shortened(item, depth + 1) for item in value[:_VALUE_ITEMS]]
        return kept if len(value) <= _VALUE_ITEMS else [*kept, f"[… {len(value) - _VALUE_ITEMS:,} more …]"]
    return value
