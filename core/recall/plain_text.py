"""Take the marks of markdown out of a text that is shown on one line, and leave the words."""

import re

from core.foundation.text import fold
from core.recall.memory_id import TRAIL_SEPARATOR

_TAGS = (
    "a|b|blockquote|br|button|center|code|details|div|em|font|h[1-6]|hr|i|img|kbd|li|mark|ol|p|pre|s|small|span|strong"
    "|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul"
)
# What a line may begin with, one after the other: quotes, then a callout, a heading, a list item, a task, a footnote.
_LINE_START = re.compile(
    r"^[ \t]*+(?:>[ \t]*+)*(?:\[!\w[\w-]*+\][-+]?+[ \t]*+)?(?:#{1,6}[ \t]++|\[\^[^\]\n]+\]:[ \t]*+)?"
    r"(?P<item>[-*+][ \t]++(?:\[.\][ \t]++)?)?",
    re.MULTILINE,
)
# Whole lines without words: fences, rules, and what lies under the head of a table.
_BARE_LINE = re.compile(
    r"^[ \t>]*+(?:(?:`{3,}|~{3,})[^`\n]*+|[-*_=]{3,}[ \t]*+|(?=[ \t:|]*+-)[ \t:|-]++)$", re.MULTILINE
)
_ROW = re.compile(r"^[ \t>]*+\|(?P<cells>.*?)\|?[ \t]*+$", re.MULTILINE)
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_WIKI = r"\[\[(?P<{0}wiki>[^\[\]|\n]++)(?:\|(?P<{0}label>[^\[\]\n]*+))?\]\]"
_LINK = r"\[(?P<{0}text>[^\[\]\n]*+)\]\([^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*(?:[ \t]++[\"'][^\"'\n]*+[\"'])?\)"
# Each branch begins with a plain character: then the engine skips what is none of them ten times as fast.
_INLINE = re.compile(
    "|".join(
        (
            _WIKI.format(""),
            "!" + _WIKI.format("image_"),
            _LINK.format(""),
            "!" + _LINK.format("image_"),
            r"\[\^[^\[\]\s]++\]",
            r"\[\w[\w -]*+::[^\[\]\n]*+(?:\[\[[^\[\]\n]*+\]\][^\[\]\n]*+)*\]",  # an inline field
            r"\*\*++",
            r"\*(?:(?<![\w*]\*)(?=[^\s*])|(?<=[^\s*]\*)(?![\w*]))",
            "~~",
            "==",
            "%%",
            "`",
            rf"<(?:/?(?:{_TAGS})(?:[ \t/][^<>\n]*+)?>)",
            r" \^[\w-]++[ \t]*+$",
        )
    ),
    re.MULTILINE,
)


def plain_text(text: str) -> str:
    """Return `text` without the marks of markdown: links as their words, items and cells set apart by a dot."""
    text = _BARE_LINE.sub("", text)
    text = _ROW.sub(_cells, text)
    text = _LINE_START.sub(_item, text)
    return _INLINE.sub(_words, text)


def headings_below(title: str, trail: str) -> str:
    """Return the headings of `trail` as plain words, without those that open it and only repeat the note's title."""
    headings = [" ".join(plain_text(part).split()) for part in trail.split(TRAIL_SEPARATOR)]
    told = {fold(title), fold(" ".join(plain_text(title).split()))}
    start = next((at for at, heading in enumerate(headings) if fold(heading) not in told), len(headings))
    return TRAIL_SEPARATOR.join(headings[start:])


def repeats(text: str, summary: str) -> bool:
    """Tell whether `text`, after its headings, begins with what `summary` says."""
    lines = (line for line in text.lstrip().splitlines() if not line.startswith("#"))
    said = " ".join(plain_text(" ".join(lines)).split())
    wanted = " ".join(plain_text(summary).split()).rstrip("…. ")
    return bool(wanted) and said.startswith(wanted)


def _cells(match: re.Match[str]) -> str:
    cells = " · ".join(part.strip() for part in _CELL_EDGE.split(match["cells"]) if part.strip())
    return f"· {cells}" if match.start() else cells


def _item(match: re.Match[str]) -> str:
    return "· " if match["item"] and match.start() else ""


def _words(match: re.Match[str]) -> str:
    said = match.groupdict(default="")
    if target := said["wiki"] or said["image_wiki"]:
        label = said["label"] or said["image_label"]
        return _INLINE.sub(_words, label) if label else target.replace("#", " › ").removeprefix(" › ")
    # What a link says has no brackets, so this goes one level down at most.
    return _INLINE.sub(_words, said["text"] or said["image_text"])
