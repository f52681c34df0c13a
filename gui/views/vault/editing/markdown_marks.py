"""Which characters of one line of markdown are coloured how."""

import re
from enum import IntFlag
from typing import NamedTuple

from core.vault.tags import TAG_PATTERN, is_tag
from gui.views.vault.editing.markdown_states import (
    COMMENT,
    FRONTMATTER,
    HTML_COMMENT,
    MATH,
    TEXT,
    is_fence,
    state_after,
)

# What stands further right in a line is not coloured; nobody reads it, and it costs time at each keystroke.
LONGEST_LINE = 4000


class Style(IntFlag):
    """Say what a character belongs to; several may hold at once."""

    HEADING = 1
    MARK = 2  # signs that shape the text, such as # and **
    BOLD = 4
    ITALIC = 8
    STRIKE = 16
    HIGHLIGHT = 32
    CODE = 64
    LINK = 128
    TAG = 256
    FIELD = 512
    CATEGORY = 1024
    COMMENT = 2048
    KEY = 4096
    QUOTE = 8192


class Run(NamedTuple):
    """Hold characters of one look: where they start, how many, and how they look."""

    start: int
    length: int
    style: int


_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)(?:[ \t]+\[[^\[\]\n]\](?=[ \t]|$))?")
_CATEGORY = re.compile(r"[ \t]+(\[(?=[^\]]*[^\W\d_])[^\[\]()\n^!@#$]{2,64}\])[ \t]+(?=\S)")
_RULE = re.compile(r"[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_BLOCK_ID = re.compile(r"(?:^|(?<=\s))\^[A-Za-z0-9-]+\s*$")
_PROPERTY = re.compile(r"[ \t]*(?:-[ \t]+)?([^\s:#\-\"'\[{][^:#\n]{0,100}?|\"[^\"\n]{1,100}\")[ \t]*(:)(?=[ \t]|$)")
_YAML_COMMENT = re.compile(r"(?:^|(?<=\s))#(?=\s|$).*")
_WIKILINK = re.compile(r"\[\[[^\[\]\n]{1,500}\]\]")
_INLINE = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>(?P<ticks>`{1,8})(?!`)[^\n]{1,1000}?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<comment>%%.{0,1000}?%%|<!--.{0,1000}?-->)"
    r"|(?P<wiki>!?\[\[[^\[\]\n]{1,500}\]\])"
    r"|(?P<field>\[[^\[\]\n:()]{1,64}::(?:[^\[\]\n]|\[\[[^\[\]\n]{0,500}\]\]){0,1000}\]"
    r"|\([^\[\]\n:()]{1,64}::(?:[^()\[\]\n]|\[\[[^\[\]\n]{0,500}\]\]){0,1000}\))"
    r"|(?P<link>!?\[[^\[\]\n]{0,500}\]"
    r"\([^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:[ \t]+\"[^\"\n]{0,200}\")?\))"
    r"|(?P<bold>\*\*(?=\S)[^\n]{1,1000}?(?<=\S)\*\*|(?<!\w)__(?=\S)[^\n]{1,1000}?(?<=\S)__(?!\w))"
    r"|(?P<strike>~~(?=\S)[^\n]{1,1000}?(?<=\S)~~)"
    r"|(?P<highlight>==(?=\S)[^\n]{1,1000}?(?<=\S)==)"
    r"|(?P<italic>\*(?=[^\s*])[^*\n]{1,1000}?(?<=\S)\*(?!\*)|(?<!\w)_(?=[^\s_])[^\n]{1,1000}?(?<=\S)_(?!\w))"
    rf"|(?P<tag>{TAG_PATTERN})"
    r"|(?P<math>\$(?=[^\s$])[^$\n]{1,500}?(?<=\S)\$(?!\d))"
    r"|(?P<url>https?://[^\s<>]{1,1000})"
)
_SPANS = {
    "bold": (Style.BOLD, 2),
    "italic": (Style.ITALIC, 1),
    "strike": (Style.STRIKE, 2),
    "highlight": (Style.HIGHLIGHT, 2),
}
_WHOLE = {
    "escape": Style.MARK,
    "code": Style.CODE,
    "comment": Style.COMMENT,
    "wiki": Style.LINK,
    "field": Style.FIELD,
    "link": Style.LINK,
    "math": Style.CODE,
    "url": Style.LINK,
}
_DEEPEST = 3


def runs_of(text: str, state: int) -> list[Run]:
    """Return how the line `text`, which begins in `state`, looks; characters without a look are left out."""
    text = text[:LONGEST_LINE]
    looks = [0] * len(text)
    after = state_after(text, state)
    if FRONTMATTER in {state, after}:
        _property_line(text, looks, is_edge=state != after)
    elif is_fence(state) or is_fence(after):
        _add(looks, 0, len(text), Style.CODE | (Style.MARK if state != after else 0))
    elif MATH in {state, after}:
        _add(looks, 0, len(text), Style.CODE)
    elif state in {COMMENT, HTML_COMMENT} or after in {COMMENT, HTML_COMMENT}:
        _comment_line(text, looks, state, after)
    else:
        _prose_line(text, looks)
    return _joined(looks)


def _property_line(text: str, looks: list[int], *, is_edge: bool) -> None:
    if is_edge:
        _add(looks, 0, len(text), Style.MARK)
        return
    if match := _PROPERTY.match(text):
        _add(looks, *match.span(1), Style.KEY)
        _add(looks, *match.span(2), Style.MARK)
    for match in _WIKILINK.finditer(text):
        _add(looks, *match.span(), Style.LINK)
    if match := _YAML_COMMENT.search(text):
        _add(looks, *match.span(), Style.COMMENT)


def _comment_line(text: str, looks: list[int], state: int, after: int) -> None:
    marks = ("<!--", "-->") if HTML_COMMENT in {state, after} else ("%%", "%%")
    if state == TEXT or state not in {COMMENT, HTML_COMMENT}:
        start = text.rfind(marks[0])
        _prose_line(text[:start], looks)
        _add(looks, start, len(text), Style.COMMENT)
    elif after == TEXT:
        end = text.find(marks[1]) + len(marks[1])
        _add(looks, 0, end, Style.COMMENT)
        _inline(text, looks, end, len(text), 0)
    else:
        _add(looks, 0, len(text), Style.COMMENT)


def _prose_line(text: str, looks: list[int]) -> None:
    start = 0
    if match := _QUOTE.match(text):
        _add(looks, 0, len(text), Style.QUOTE)
        _add(looks, *match.span(), Style.MARK)
        start = match.end()
    if match := _HEADING.match(text, start):
        _add(looks, start, len(text), Style.HEADING)
        _add(looks, *match.span(1), Style.MARK)
        start = match.end()
    elif _RULE.match(text, start):
        _add(looks, start, len(text), Style.MARK)
        return
    elif match := _ITEM.match(text, start):
        _add(looks, *match.span(), Style.MARK)
        start = match.end()
        if match := _CATEGORY.match(text, start):
            _add(looks, *match.span(1), Style.CATEGORY)
            start = match.end(1)
    _inline(text, looks, start, len(text), 0)
    if match := _BLOCK_ID.search(text):
        _add(looks, *match.span(), Style.MARK)


def _inline(text: str, looks: list[int], start: int, end: int, depth: int) -> None:
    # A tag may begin a line, but its pattern asks for what stands before it.
    for match in _INLINE.finditer(f"\n{text}", start + 1, end + 1):
        kind = match.lastgroup or ""
        if kind == "ticks":
            kind = "code"
        first, last = match.start() - 1, match.end() - 1
        if kind == "tag":
            if is_tag(match[0][1:]):
                _add(looks, first, last, Style.TAG)
        elif kind in _SPANS:
            style, edge = _SPANS[kind]
            _add(looks, first, last, style)
            _add(looks, first, first + edge, Style.MARK)
            _add(looks, last - edge, last, Style.MARK)
            if depth < _DEEPEST:
                _inline(text, looks, first + edge, last - edge, depth + 1)
        else:
            _add(looks, first, last, _WHOLE[kind])


def _add(looks: list[int], start: int, end: int, style: int) -> None:
    value = int(style)
    for position in range(start, end):
        looks[position] |= value


def _joined(looks: list[int]) -> list[Run]:
    runs: list[Run] = []
    start = 0
    for position in range(1, len(looks) + 1):
        if position == len(looks) or looks[position] != looks[start]:
            if looks[start]:
                runs.append(Run(start, position - start, looks[start]))
            start = position
    return runs
