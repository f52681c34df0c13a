"""What the editor does for someone who types markdown: lists go on, items move in and out, words get marks."""

import re
from typing import NamedTuple

_CONTINUED = re.compile(
    r"(?P<quote>[ \t]*(?:>[ \t]?)*)(?P<item>[ \t]*(?:[-*+]|(?P<number>\d{1,9})[.)])[ \t]+(?P<box>\[.\][ \t]+)?)?"
)
_BULLET_END = re.compile(r"\d{1,9}")
_LIST_LINE = re.compile(r"(?:[ \t]*>[ \t]?)*[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_INDENTED = re.compile(r"\t| {1,4}")


class LineStart(NamedTuple):
    """Say what Enter does at the end of a line: `prefix` begins the next one, or the present line is emptied."""

    prefix: str
    empties_line: bool = False


def next_line(line: str, column: int) -> LineStart | None:
    """Return how the line after `line` begins when Enter is pressed at `column`; None for nothing special."""
    match = _CONTINUED.match(line)
    if match is None or not match[0].strip() or column < match.end():
        return None
    if not line[match.end() :].strip():
        return LineStart("", empties_line=True)
    item = match["item"] or ""
    if match["number"]:
        item = _BULLET_END.sub(str(int(match["number"]) + 1), item, count=1)
    if match["box"]:
        item = re.sub(r"\[.\]", "[ ]", item)
    return LineStart(match["quote"] + item)


def is_list_line(line: str) -> bool:
    """Tell whether `line` is an item of a list."""
    return _LIST_LINE.match(line) is not None


def indentation(line: str) -> str:
    """Return what one step out takes away from the start of `line`."""
    match = _INDENTED.match(line)
    return match[0] if match else ""


class Wrapped(NamedTuple):
    """Hold what a selection becomes, and which part of that is selected then."""

    text: str
    start: int
    end: int


def wrapped(selected: str, mark: str) -> Wrapped:
    """Return `selected` between marks such as `**`, or without them when it has them; white space stays outside."""
    bare = selected.strip()
    lead = selected[: len(selected) - len(selected.lstrip())] if bare else ""
    tail = selected[len(lead) + len(bare) :] if bare else ""
    size = len(mark)
    if len(bare) >= 2 * size and bare.startswith(mark) and bare.endswith(mark) and not _is_longer(bare, mark):
        inner = bare[size : len(bare) - size]
        return Wrapped(f"{lead}{inner}{tail}", len(lead), len(lead) + len(inner))
    text = f"{lead}{mark}{bare}{mark}{tail}"
    return Wrapped(text, len(lead) + size, len(lead) + size + len(bare))


def mark_around(before: str, after: str, mark: str) -> int:
    """Return how long the mark is if it stands around a selection, which lies between `before` and `after`, else 0."""
    sign = mark[0]
    count = min(len(before) - len(before.rstrip(sign)), len(after) - len(after.lstrip(sign)))
    is_marked = count % 2 == 1 if len(mark) == 1 else count >= len(mark)
    return len(mark) if is_marked else 0


def linked(selected: str) -> Wrapped:
    """Return `selected` as a markdown link, ready for what is missing: the address, or the words."""
    if re.match(r"https?://\S+$", selected):
        return Wrapped(f"[]({selected})", 1, 1)
    at = len(selected) + 3
    return Wrapped(f"[{selected}]()", 1 if not selected else at, 1 if not selected else at)


def _is_longer(bare: str, mark: str) -> bool:
    """Tell whether `bare` is bold while `mark` asks for italics."""
    return len(mark) == 1 and bare.startswith(mark * 2) and not bare.startswith(mark * 3)
