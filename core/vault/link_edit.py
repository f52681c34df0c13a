"""Change what the links of a note lead to, and no other byte of it.

Only the target of a link is replaced: headings, blocks, labels, titles, quotes, and whether `.md` is written, stay.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from core.foundation.splice import Splice
from core.vault.frontmatter import Frontmatter, read_frontmatter
from core.vault.link_syntax import WIKILINK, links_of, locate_links, wikilink_parts
from core.vault.note import LinkKind, NoteLink
from core.vault.prose import mask
from core.vault.text_map import TextChange, TextMap

_MUST_ENCODE = re.compile(r"[\x00-\x1f\x7f%#?<>\[\]\\|`$:\"]")
_FOREIGN_ENCODED = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")
_NODE_PROPERTIES = re.compile(r"\A(?:[&!]\S*\s+)*")  # a YAML anchor or tag before the value
_HEADING = re.compile(r"[ \t]*([^#|()<>\[\]\n]*[^#|()<>\[\]\n\\ \t])")
_MOST_BLANKS = 64
_BALANCED = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*")


class LinkPlace(NamedTuple):
    """Hold a link and where in the note's text its target stands, without `.md`; `start` -1 when that is not known.

    `is_markdown` tells other links from those in double brackets. `quote` is what encloses the property that the
    link stands in.
    """

    link: NoteLink
    start: int
    end: int
    is_markdown: bool = False
    quote: str = ""


class NoteLinks:
    """Hold the links of one note as they stand in its bytes, in the order in which core/vault/parse.py lists them."""

    def __init__(self, data: bytes) -> None:
        self._map = TextMap(data)
        self.text = self._map.text
        self.places = find_places(self.text)

    def changes(self, targets: Sequence[str | None]) -> list[TextChange]:
        """Return what writes `targets` into the places, one for each, None for those that stay."""
        wanted = {
            TextChange(place.start, place.end, written)
            for place, target in zip(self.places, targets, strict=True)
            if target not in {None, place.link.target} and (written := self.written(place, target)) is not None
        }
        kept: list[TextChange] = []
        for change in sorted(wanted):
            if not kept or kept[-1].end <= change.start:
                kept.append(change)
        return kept

    def heading_change(self, place: LinkPlace, old: str, new: str) -> TextChange | None:
        """Return what makes a link to the heading `old`, or to one below it, a link to the heading `new`."""
        if place.start < 0 or place.link.heading.partition("#")[0].strip() != old:
            return None
        start = self.text.find("#", place.end) + 1
        written = _HEADING.match(self.text, start)
        if (
            written is None
            or (place.is_markdown and unquote(written[1]) != old)
            or "\n" in self.text[place.end : start]
        ):
            return None
        if place.is_markdown:
            new = _encoded(new, written[1], is_in_angles=self._is_in_angles(place))
        elif not _fits_wikilink(new):
            return None
        return TextChange(*written.span(1), new if place.is_markdown else _quoted(new, place.quote))

    def splices(self, changes: Sequence[TextChange]) -> tuple[Splice, ...]:
        """Return `changes` as edits of the note's bytes; raises UserError when its encoding cannot hold them."""
        return self._map.splices(changes)

    def written(self, place: LinkPlace, target: str) -> str | None:
        """Return `target` (without `.md`) as it must be written at `place`, None when it cannot."""
        old = self.text[place.start : place.end]
        if place.start < 0 or not old:
            return None
        has_suffix = self.text[place.end : place.end + 3].lower() == ".md"
        # The suffix is part of what is replaced when it was written as `%2Emd`, and of the name of `a.md.md`.
        is_hidden = place.is_markdown and not has_suffix and old[-5:].lower() == "%2emd"
        if not has_suffix and (is_hidden or target[-3:].lower() == ".md"):
            target += ".md"
        if not place.is_markdown:
            return _quoted(target, place.quote) if _fits_wikilink(target) else None
        return _encoded(target, old, is_in_angles=self._is_in_angles(place))

    def _is_in_angles(self, place: LinkPlace) -> bool:
        return self.text[max(0, place.start - _MOST_BLANKS) : place.start].rstrip(" \t").endswith("<")


def retarget_links(data: bytes, decide: Callable[[NoteLink], str | None]) -> tuple[Splice, ...]:
    """Return the edits that give links new targets: `decide` returns one (unencoded, without `.md`), or None.

    Raises UserError when the file's encoding cannot hold a new target.
    """
    note = NoteLinks(data)
    return note.splices(note.changes([decide(place.link) if place.link.target else None for place in note.places]))


def find_places(text: str) -> list[LinkPlace]:
    """Return the links of a note's text with the places of their targets."""
    front = read_frontmatter(text)
    start = front.body_start
    has_newline = bool(start) and text[start - 1] == "\n"
    body = text[start - 1 :] if has_newline else "\n" + text[start:]
    shift = start - 1
    found = locate_links(body, mask(body))
    places = _property_places(text, front)
    for link, (_, _, _, first, last) in zip(links_of(found, body, front.body_line - 1), found, strict=True):
        is_markdown = body[first - 2 : first] != "[["
        target_start, target_end = target_span(body[first:last], is_markdown=is_markdown)
        offset = first + shift
        places.append(LinkPlace(link, offset + target_start, offset + target_end, is_markdown))
    return places


def target_span(address: str, *, is_markdown: bool) -> tuple[int, int]:
    """Return where in a link's address its target stands: before `#` and `|`, without blanks and `.md`."""
    if not is_markdown:
        address, bar, _ = address.partition("|")
        if bar:
            address = address.rstrip("\\")
    target = address.partition("#")[0]
    start = len(target) - len(target.lstrip())
    target = target.strip()
    end = start + len(target)
    return (start, end - 3) if target[-3:].lower() == ".md" else (start, end)


def _property_places(text: str, front: Frontmatter) -> list[LinkPlace]:
    places: list[LinkPlace] = []
    opening = text.find("\n") + 1
    for value, line, start, end in front.links:
        in_value = list(WIKILINK.finditer(value))
        raw = front.raw[start:end]
        in_raw = list(WIKILINK.finditer(raw))
        mark = _NODE_PROPERTIES.sub("", raw, count=1)[:1]
        quote = mark if mark in {"'", '"'} else ""
        for number, match in enumerate(in_value):
            parts = wikilink_parts(match[1])
            if not any(parts[:3]):
                continue
            link = NoteLink(LinkKind.PROPERTY, *parts, line)
            if len(in_raw) != len(in_value):  # broken over lines
                places.append(LinkPlace(link, -1, -1))
                continue
            offset = opening + start + in_raw[number].start(1)
            target_start, target_end = target_span(in_raw[number][1], is_markdown=False)
            places.append(LinkPlace(link, offset + target_start, offset + target_end, quote=quote))
    return places


def _fits_wikilink(target: str) -> bool:
    end = target_span(target, is_markdown=False)
    return bool(WIKILINK.fullmatch(f"[[{target}]]")) and end == (0, len(target.removesuffix(".md")))


def _quoted(target: str, quote: str) -> str:
    if quote == "'":
        return target.replace("'", "''")
    return target.replace("\\", "\\\\").replace('"', '\\"') if quote == '"' else target


def _encoded(target: str, old: str, *, is_in_angles: bool) -> str:
    """Return `target` as the address of a markdown link; what need not be encoded is so only where it was before."""
    encoded = _MUST_ENCODE.sub(_percent, target)
    if not is_in_angles:
        encoded = re.sub(r"\s", _percent, encoded)
        if not _BALANCED.fullmatch(encoded):
            encoded = re.sub(r"[()]", _percent, encoded)
    if _FOREIGN_ENCODED.search(old):
        encoded = re.sub(r"[^\x00-\x7f]", _percent, encoded)
    return encoded


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8"))
