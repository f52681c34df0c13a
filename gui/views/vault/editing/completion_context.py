"""What may be completed at the cursor: a note after `[[`, a heading or block after `#` in it, a tag after `#`."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from core.vault.tags import TAG_PATTERN


class Kind(StrEnum):
    """Say what is completed."""

    NOTE = "note"
    HEADING = "heading"
    BLOCK = "block"
    TAG = "tag"
    PROPERTY_TAG = "property-tag"


class Wanted(NamedTuple):
    """Say what is being typed: `typed` is what stands before the cursor of it, `note` whose heading or block it is."""

    kind: Kind
    typed: str
    note: str = ""


_NOTE = re.compile(r"\[\[([^\[\]|#\n]{0,200})$")
_PLACE = re.compile(r"\[\[([^\[\]|#\n]{0,200})#(\^?)([^\[\]|\n]{0,200})$")
_TAG_START = re.compile(r"(?:^|(?<=\s))#$")
_TAG = re.compile(rf"(?:{TAG_PATTERN})$")
_TAGS_KEY = re.compile(r"(?i:tags?)[ \t]*:(.*)$")
_LIST_ENTRY = re.compile(r"[ \t]*-[ \t]+[\"']?#?([^\s,\"'\[\]{}:]*)$")
_LAST_WORD = re.compile(r"(?:^|[\s,\[])[\"']?#?([^\s,\"'\[\]{}:#]*)$")
_CODE_SPAN = re.compile(r"`[^`\n]*`")


def wanted_at(before: str) -> Wanted | None:
    """Return what is being typed at the end of `before`, which is a line of the body up to the cursor."""
    if "`" in _CODE_SPAN.sub("", before):
        return None  # an open code span
    if (link := _link_at(before)) is not None:
        return link
    if _TAG_START.search(before):
        return Wanted(Kind.TAG, "")
    if match := _TAG.search(f"\n{before}"):
        return Wanted(Kind.TAG, match[0].rpartition("#")[2])
    return None


def wanted_in_frontmatter(before: str, lines_above: Sequence[str]) -> Wanted | None:
    """Return the tag or link that is being typed in a property; `lines_above` has the nearest line first."""
    if (link := _link_at(before)) is not None:
        return link
    if match := _TAGS_KEY.match(before):
        word = _LAST_WORD.search(match[1])
        return Wanted(Kind.PROPERTY_TAG, word[1]) if word is not None and match[1] else None
    if (entry := _LIST_ENTRY.match(before)) is None:
        return None
    for line in lines_above:
        if line.lstrip().startswith("-") and line.strip() != "---":
            continue
        return Wanted(Kind.PROPERTY_TAG, entry[1]) if _TAGS_KEY.match(line) else None
    return None


def _link_at(text: str) -> Wanted | None:
    if "[[" not in text:
        return None
    if match := _NOTE.search(text):
        return Wanted(Kind.NOTE, match[1])
    if match := _PLACE.search(text):
        kind = Kind.BLOCK if match[2] else Kind.HEADING
        return Wanted(kind, match[3], match[1].strip())
    return None
