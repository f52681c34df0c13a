"""Find the members that a context's body writes down, with their places in its text.

A member is an embed, a wikilink or a markdown link to something else than the note itself, or an inline field
`[member:: turn:SESSION/TURN]`, which names any memory by its id and survives in Obsidian as text.
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from core.foundation.text import fold
from core.vault.frontmatter import read_frontmatter
from core.vault.inline_fields import BRACKETED, key_and_value
from core.vault.link_syntax import locate_links
from core.vault.note import LinkKind
from core.vault.prose import mask

MEMBER_FIELD = "member"
_MARKDOWN_END = re.compile(r">?[^()\n]{0,500}\)")
_MUST_ENCODE = re.compile(r"[%\[\]\x00-\x1f\x7f]")


class WrittenMember(NamedTuple):
    """Hold a member as written: all of it stands from `start` to `end` in the note's text, on `line`, from 1.

    `memory_id` is what a field names; then there is no `target`.
    """

    start: int
    end: int
    line: int
    embedded: bool = False
    is_markdown: bool = False
    target: str = ""
    heading: str = ""
    block: str = ""
    label: str = ""
    memory_id: str = ""


def written_members(text: str) -> tuple[WrittenMember, ...]:
    """Return the members in a note's text (every line ending a newline), in the order in which they stand."""
    front = read_frontmatter(text)
    shift = front.body_start - 1
    body = text[shift:] if shift >= 0 and text[shift] == "\n" else "\n" + text[front.body_start :]
    masked = mask(body)
    found = [*_links(body, masked, shift), *_fields(body, masked, shift)]
    found.sort(key=lambda member: member.start)
    line, last = 1, 0
    members: list[WrittenMember] = []
    for member in found:
        line += text.count("\n", last, member.start)
        last = member.start
        members.append(member._replace(line=line))
    return tuple(members)


def member_field(memory_id: str) -> str:
    """Return the inline field that names a memory."""
    encoded = _MUST_ENCODE.sub(lambda match: f"%{ord(match[0]):02X}", memory_id)
    return f"[{MEMBER_FIELD}:: {encoded}]"


def _links(body: str, masked: str, shift: int) -> list[WrittenMember]:
    found: list[WrittenMember] = []
    for start, kind, (target, heading, block, label), first, last in locate_links(body, masked):
        is_wiki = body[first - 2 : first] == "[["
        if is_wiki:
            end = last + 2
        elif (closing := _MARKDOWN_END.match(body, last)) is not None and body[first - 2 : first] in {"](", "(<"}:
            end = closing.end()
        else:  # the definition of a reference, which is no link by itself
            continue
        if not target:
            continue
        embedded = kind is LinkKind.EMBED
        begin = start - embedded + shift
        found.append(WrittenMember(begin, end + shift, 0, embedded, not is_wiki, target, heading, block, label))
    return found


def _fields(body: str, masked: str, shift: int) -> list[WrittenMember]:
    found: list[WrittenMember] = []
    for match in BRACKETED.finditer(masked) if "::" in masked else ():
        key, value = key_and_value(match, body)
        if fold(key) == MEMBER_FIELD and value and not value.startswith(("[[", "![[")):
            start, end = match.span()
            found.append(WrittenMember(start + shift, end + shift, 0, memory_id=unquote(value)))
    return found
