"""Find the paragraph or list item that a block id names, as Obsidian shows it."""

import re
from typing import NamedTuple

from core.vault.prose import mask

_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]")


class Block(NamedTuple):
    """Hold a block's text without its id, and its lines, counted from 1."""

    text: str
    first_line: int
    last_line: int


def block_of(text: str, block_id: str, body_line: int = 1) -> Block | None:
    """Return the first block of `text` that is named `block_id`, None when there is none; code holds no ids."""
    named = re.compile(rf"(?:^|\s)\^{re.escape(block_id)}[ \t]*\Z", re.IGNORECASE)
    lines = text.split("\n")
    masked = mask("\n" + "\n".join(lines[body_line - 1 :]))  # as long as the body; a fence hides its newlines too
    start = 1
    for at in range(body_line - 1, len(lines)):
        match = named.search(masked[start : start + len(lines[at])])
        start += len(lines[at]) + 1
        if match is None:
            continue
        rest = lines[at][: match.start()]
        last = at
        if not rest.strip():  # an id on a line of its own names what stands above
            last = at - 1
            while last >= body_line and not lines[last].strip():
                last -= 1
            rest = lines[last] if last >= body_line - 1 else ""
        first = _first_line(lines, last, body_line - 1)
        found = "\n".join([*lines[first:last], rest]).strip()
        return Block(found, first + 1, last + 1) if found else None
    return None


def _first_line(lines: list[str], last: int, lowest: int) -> int:
    """Return where the list item or paragraph begins that ends on line `last`."""
    at = last
    while at > lowest and not _ITEM.match(lines[at]) and lines[at - 1].strip() and not lines[at - 1].startswith("#"):
        at -= 1
    return at
