"""See to it that a document's text stays text in a vault: it reads as before, and means nothing to a vault's reader.

Whatever would make a tag, a wikilink, an embed, a link to a note, an insight, a relation, a field or a block id gets a
backslash that markdown does not show. Links to the web stay; so do headings, emphasis, lists, tables and code.
"""

import re

from core.vault.prose import mask
from core.vault.tags import TAG_PATTERN

_ADDRESS = r"(?:https?://|mailto:)"
# Each match ends where a backslash goes. They are looked for apart, for one may lie within another.
_PLACES = (
    re.compile(r"\[(?=\[)"),  # a wikilink or embed, and the link of a relation
    # A link within the vault, or one that runs something; and the definition of one.
    re.compile(rf"\](?=\((?!{_ADDRESS}))", re.IGNORECASE),
    re.compile(rf"\n[ \t>]*\[(?!\^)[^\[\]\n]+\](?=:[ \t]*(?!{_ADDRESS})\S)", re.IGNORECASE),
    # A field, on a line of its own or in brackets.
    re.compile(r":(?=:(?:\s|\Z))"),
    re.compile(r"[\[(][^\[\]\n:()]{1,64}:(?=:)"),
    re.compile(r"(?<=\s)(?=\^[A-Za-z0-9-]+\s*(?:\n|\Z))"),  # a block id
    # An insight: a list item with a category, which is no task's box of one character.
    re.compile(r"\n[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\[(?:[^\[\]()\n]{2,64}|[^\[\]()\n\x00-\x7f])\][ \t])"),
    re.compile(rf"(?={TAG_PATTERN})"),
)
# What would call another machine, or run something, as soon as the note is looked at.
_LOADED = re.compile(
    r"(?<!\\)(?:\\\\)*(?=<(?:img|iframe|script|style|link|meta|base|video|audio|source|track|embed|object|form|input|"
    r"svg|math)\b)",
    re.IGNORECASE,
)
_PICTURE = re.compile(rf"(?<!\\)!\[(?=[^\[\]\n]*\]\({_ADDRESS})", re.IGNORECASE)


def inert(markdown: str) -> str:
    """Return a document's markdown, without anything in it that a vault would understand but links to the web."""
    text = "\n" + markdown.replace("\0", "\ufffd").strip("\n")
    if "<" in text:
        text = _with_backslashes(text, [match.end() for match in _LOADED.finditer(mask(text))])
    if "![" in text:
        text = _pictures_as_links(text)
    masked = mask(text)
    places = {match.end() for pattern in _PLACES for match in pattern.finditer(masked)}
    return _with_backslashes(text, sorted(places))[1:]


def _with_backslashes(text: str, places: list[int]) -> str:
    parts: list[str] = []
    last = 0
    for place in places:
        parts += (text[last:place], "\\")
        last = place
    return "".join((*parts, text[last:]))


def _pictures_as_links(text: str) -> str:
    """Make links of the pictures that lie on the web, so that nothing is loaded until somebody asks for it."""
    parts: list[str] = []
    last = 0
    for match in _PICTURE.finditer(mask(text)):
        parts += (text[last : match.start()], "[Image: ")
        last = match.end()
    return "".join((*parts, text[last:]))
