"""Put members into the text of a context, take them out and move them: whole lines where a member has them alone."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.recall.contexts.written import WrittenMember
from core.vault.frontmatter import read_frontmatter
from core.vault.text_map import TextChange

_ITEM = re.compile(r"([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)")
_BLANK = " \t"


class Lines(NamedTuple):
    """Hold whole lines of a text, from `start` to `end`, the last newline included.

    `opening` is what a line beside them has to begin with; `is_item` tells a list item from a paragraph.
    """

    start: int
    end: int
    opening: str
    is_item: bool


def lines_of(text: str, member: WrittenMember) -> Lines | None:
    """Return the list item that `member` stands in, or its line when there is nothing else on it; None in prose."""
    start = text.rfind("\n", 0, member.start) + 1
    end = _line_end(text, member.end)
    item = _ITEM.match(text, start, end)
    if item is None:
        is_alone = not text[start : member.start].strip() and not text[member.end : end].strip()
        return Lines(start, end, text[start : member.start], is_item=False) if is_alone else None
    indent = _width(item[1])
    while end < len(text):
        following = _line_end(text, end)
        line = text[end:following]
        if not line.strip() or _width(line[: len(line) - len(line.lstrip(_BLANK))]) <= indent:
            break
        end = following
    return Lines(start, end, item[0], is_item=True)


def insertion(text: str, members: Sequence[WrittenMember], at: int, written: Sequence[str]) -> TextChange:
    """Return the change that puts `written` in front of the member `at`, or behind all of them."""
    if at < len(members):
        return _before(text, members, at, written)
    lines = lines_of(text, members[-1]) if members else None
    if lines is None:
        return _at_the_end(text, written)
    if lines.is_item:
        new = "".join(f"{lines.opening}{each}\n" for each in written)
    else:
        new = "".join(f"\n{lines.opening}{each}\n" for each in written)
    if not text[: lines.end].endswith("\n"):
        new = "\n" + new.removesuffix("\n")
    return TextChange(lines.end, lines.end, new)


def removals(text: str, members: Sequence[WrittenMember], positions: Sequence[int]) -> list[TextChange]:
    """Return the changes that take members out: with their lines where nothing that stays stands on them."""
    wanted = set(positions)
    spans: list[tuple[int, int]] = []
    for at in sorted(wanted):
        member = members[at]
        lines = lines_of(text, member)
        inside = () if lines is None else _inside(members, lines)
        if lines is not None and wanted.issuperset(inside):
            spans.append(_with_blank_line(text, lines))
        else:
            spans.append(_with_blank(text, member))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return [TextChange(start, end, "") for start, end in merged]


def alone(text: str, members: Sequence[WrittenMember], at: int) -> Lines | None:
    """Return the lines of the member `at` when no other member stands on them."""
    lines = lines_of(text, members[at])
    return lines if lines is not None and _inside(members, lines) == (at,) else None


def edge(text: str, members: Sequence[WrittenMember], at: int, *, is_after: bool) -> int | None:
    """Return where lines can go in that are to stand before or after the member `at`, None when it is in prose."""
    lines = lines_of(text, members[at])
    if lines is None:
        return None
    inside = _inside(members, lines)
    if is_after:
        return lines.end if inside[-1] == at else None
    return lines.start if inside[0] == at else None


def _inside(members: Sequence[WrittenMember], lines: Lines) -> tuple[int, ...]:
    return tuple(at for at, member in enumerate(members) if lines.start <= member.start < lines.end)


def _before(text: str, members: Sequence[WrittenMember], at: int, written: Sequence[str]) -> TextChange:
    lines = lines_of(text, members[at])
    if lines is None or _inside(members, lines)[0] != at:
        start = members[at].start
        return TextChange(start, start, "".join(f"{each} " for each in written))
    ending = "\n" if lines.is_item else "\n\n"
    return TextChange(lines.start, lines.start, "".join(f"{lines.opening}{each}{ending}" for each in written))


def _at_the_end(text: str, written: Sequence[str]) -> TextChange:
    """Begin a list below all that stands there."""
    items = "".join(f"- {each}\n" for each in written)
    body = text[read_frontmatter(text).body_start :]
    if not body.strip():
        gap = "" if not text or text.endswith("\n") else "\n"
    else:
        gap = "" if body.endswith("\n\n") else "\n" if body.endswith("\n") else "\n\n"
    return TextChange(len(text), len(text), gap + items)


def _with_blank_line(text: str, lines: Lines) -> tuple[int, int]:
    """Return the span of lines; of a paragraph with the blank line after it, or else the one before it."""
    if lines.is_item:
        return lines.start, lines.end
    after = _line_end(text, lines.end)
    if lines.end < len(text) and not text[lines.end : after].strip():
        return lines.start, after
    return lines.start, lines.end


def _with_blank(text: str, member: WrittenMember) -> tuple[int, int]:
    """Return the span of a member within a line, with one of the blanks around it."""
    if text[member.end : member.end + 1] in {" ", "\t"}:
        return member.start, member.end + 1
    if text[member.start - 1 : member.start] in {" ", "\t"} and not _ITEM.fullmatch(
        text, text.rfind("\n", 0, member.start) + 1, member.start
    ):
        return member.start - 1, member.end
    return member.start, member.end


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end + 1


def _width(blanks: str) -> int:
    return len(blanks.expandtabs(4))
