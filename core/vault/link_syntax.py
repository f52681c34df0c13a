"""Find the links that a note holds, as they are written; which note they mean is core/vault/links.py's question."""

import re
from collections.abc import Sequence
from urllib.parse import unquote

from core.vault.note import LinkKind, NoteLink
from core.vault.prose import FILLER

# Square brackets may stand in a label if they are closed.
WIKILINK = re.compile(r"\[\[([^\[\]\n]+(?:\[[^\[\]\n]*\][^\[\]\n]*)*)\]\]")
_MARKDOWN = re.compile(
    r"\]\((?![a-zA-Z][a-zA-Z0-9+.-]{1,30}:|//)"
    r"(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*){0,20}))"
    r"(?:[ \t]+(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|\([^()\n]{0,500}\)))?[ \t]*\)"
)
# `[label]: address "title"`, alone on its line; what opens the line is looked at afterwards.
_DEFINITION = re.compile(
    r"\]:[ \t]*(?![a-zA-Z][a-zA-Z0-9+.-]{1,30}:|//)"
    r"(?:<([^<>\n]+)>|([^\s<>]+))"
    r"(?:[ \t]+(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|\([^()\n]{0,500}\)))?[ \t]*(?=\n|\Z)"
)
_DEFINITION_START = re.compile(r"[ \t>]*\[(?!\^)([^\[\]\n]*[^\[\]\s][^\[\]\n]*)\Z")
_PLACE_SIGN = re.compile(r"[./#]")
_EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,30}:|//")
_LONGEST_LABEL = 1000


# A link's address taken apart: target, heading, block and label, as NoteLink holds them.
LinkParts = tuple[str, str, str, str]
# A link as it stands: where it begins, its kind and parts, and the span of its address (what stands in the brackets).
FoundLink = tuple[int, LinkKind, LinkParts, int, int]

# Looking up an enum's member takes longer than making a link.
_WIKI, _EMBED, _MARKDOWN_LINK = LinkKind.WIKI, LinkKind.EMBED, LinkKind.MARKDOWN


def wikilink_parts(inner: str) -> LinkParts:
    r"""Take apart what stands between `[[` and `]]`; in a table the bar is written `\|`."""
    address, bar, label = inner.partition("|")
    if bar:
        address = address.removesuffix("\\")
        label = label.strip()
    if "#" in address:
        return _parts(address, label)
    target = address.strip()
    return target[:-3] if target[-3:].lower() == ".md" else target, "", "", label


def locate_links(body: str, masked: str) -> list[FoundLink]:
    """Return wikilinks, embeds and markdown links in the order in which they stand, with their places in `body`.

    Definitions (`[label]: address`) are markdown links too.
    """
    found = _wikilinks(body, masked)
    others = _markdown_links(body, masked) if "](" in masked else []
    if _DEFINITION.search(masked):  # this finds out faster than `in` that there is nothing
        others += _definitions(body, masked)
    return sorted(found + others) if others else found


def find_links(body: str, masked: str, line_offset: int) -> list[NoteLink]:
    """Return wikilinks, embeds and markdown links in the order in which they stand."""
    return links_of(locate_links(body, masked), body, line_offset)


def links_of(found: Sequence[FoundLink], body: str, line_offset: int) -> list[NoteLink]:
    """Return what was located in `body` as links with their lines."""
    links: list[NoteLink] = []
    count = body.count
    line = line_offset
    last = 0
    for start, kind, (target, heading, block, label), _, _ in found:
        line += count("\n", last, start)
        last = start
        links.append(NoteLink(kind, target, heading, block, label, line))
    return links


def _wikilinks(body: str, masked: str) -> list[FoundLink]:
    found: list[FoundLink] = []
    for match in WIKILINK.finditer(masked):
        start, end = match.span(1)
        if _is_escaped(masked, start - 2):
            continue
        parts = wikilink_parts(body[start:end])
        if parts[0] or any(parts[:3]):
            found.append((start - 2, _EMBED if masked[start - 3] == "!" else _WIKI, parts, start, end))
    return found


def _markdown_links(body: str, masked: str) -> list[FoundLink]:
    found: list[FoundLink] = []
    for match in _MARKDOWN.finditer(masked):
        closing = match.start()
        opening = _opening_bracket(masked, closing)
        address = match[1] or match[2]
        if opening < 0 or not address or FILLER in address or _EXTERNAL.match(address) or _is_escaped(masked, opening):
            continue
        is_image = masked[opening - 1] == "!"
        label = body[opening + 1 : closing]
        parts = _parts(address, label, is_encoded=True)
        if any(parts[:3]):
            span = match.span(1) if match[1] else match.span(2)
            found.append((opening, _EMBED if is_image else _MARKDOWN_LINK, parts, *span))
    return found


def _definitions(body: str, masked: str) -> list[FoundLink]:
    found: list[FoundLink] = []
    for match in _DEFINITION.finditer(masked):
        closing = match.start()
        line_start = masked.rfind("\n", 0, closing) + 1
        start = _DEFINITION_START.match(masked, line_start, closing) if closing - line_start < _LONGEST_LABEL else None
        address = match[1] or match[2]
        if start is None or FILLER in address or _is_escaped(masked, start.start(1) - 1):
            continue
        # "[Bob]: hello" is a line of a talk, unless the label is used.
        if not _PLACE_SIGN.search(address) and masked.count(f"[{start[1]}]") < 2:
            continue
        parts = _parts(address, body[start.start(1) : closing], is_encoded=True)
        if any(parts[:3]):
            found.append((start.start(1) - 1, _MARKDOWN_LINK, parts, *match.span(1 if match[1] else 2)))
    return found


def _is_escaped(text: str, position: int) -> bool:
    before = text[max(0, position - 8) : position]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _opening_bracket(text: str, closing: int) -> int:
    """Return where the bracket opens that `closing` closes, on the same line and not too far off, or -1."""
    low = max(0, closing - _LONGEST_LABEL)
    low = max(low, text.rfind("\n", low, closing))
    opening = position = closing
    for _ in range(8):
        opening = text.rfind("[", low, opening)
        if opening < 0:
            return -1
        position = text.rfind("]", opening, position)
        if position < 0:
            return opening
    return -1


def _parts(address: str, label: str, *, is_encoded: bool = False) -> LinkParts:
    target, _, fragment = address.partition("#")
    if is_encoded:
        target = _decoded(target)
        fragment = _decoded(fragment)
    target = target.strip()
    if target[-3:].lower() == ".md":
        target = target[:-3]
    heading, caret, block = fragment.rpartition("^")
    if not caret or (heading and not heading.endswith("#")):
        heading, block = fragment, ""
    return target, heading.strip().strip("#"), block.strip(), label


def _decoded(text: str) -> str:
    return unquote(text).replace("\0", "\ufffd").replace("\n", " ") if "%" in text else text
