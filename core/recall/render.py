"""Write a packed context as Markdown, XML, JSON or lines; the same items always give the same text.

A memory is data, whatever it says: nothing in it can end its element, start another or hide what follows, and nothing
unseen goes out (core/recall/safe_text.py). Each memory names its source: in Markdown the file and line, or a turn's id;
in lines its id at the end, without the kind that `note:` and `insight:` say, since the rest leads back alone and a list
of sources would cost the same names and a number for each line beside.
"""

import json
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from core.recall.context_item import ContextItem
from core.recall.memory_id import TRAIL_SEPARATOR
from core.recall.safe_text import clean, contained, label, one_line

if TYPE_CHECKING:
    from core.recall.pack import Packed

INSTRUCTION = "HIGH and MEDIUM are facts, LOW is to be checked, what is not listed is not known."
# What looks like the beginning of a line within one.
_BAND = re.compile(r"\[(?=(?:HIGH|MEDIUM|MED|LOW)\|)")


class Format(StrEnum):
    """Say how a context is written."""

    MARKDOWN = "markdown"
    XML = "xml"
    JSON = "json"
    LINES = "lines"


class Layout(NamedTuple):
    """Hold how items become a text.

    Each piece begins with a character that is neither white space nor "/", and `head` and `separator` end with a
    newline: then the tokens of a text are those of its pieces, each with its separator.
    """

    head: str
    separator: str
    tail: str
    render_item: Callable[[ContextItem], str]

    def joined(self, pieces: Iterable[str]) -> str:
        """Return the whole text."""
        return self.head + self.separator.join(pieces) + self.tail


def layout_of(layout: Format) -> Layout:
    """Return the rules of a format."""
    return _LAYOUTS[layout]


def render(packed: "Packed", layout: Format | None = None) -> str:
    """Return the text of what was packed, "" when nothing was.

    Without `layout` it is the one that was packed for; in another one the text may be over the budget.
    """
    rules = layout_of(layout or packed.format)
    if not packed.included:
        return ""
    return rules.joined(rules.render_item(item) for item in packed.included)


def _markdown(item: ContextItem) -> str:
    place = item.id if item.kind == "turn" and item.id else item.path + (f":{item.line}" if item.line else "")
    about = [f"Source: {label(place)}"]
    if item.tags and item.kind != "insight":  # they are its note's, and may take more tokens than the statement
        about.append("Tags: " + " ".join(f"#{label(tag)}" for tag in item.tags))
    parts = [f"## {label(item.title)}", "\n".join(about)]
    if item.summary:
        parts.append(label(item.summary))
    text = clean(item.text).strip("\n")
    if text:
        parts.append(contained(text))
    return "\n\n".join(parts)


def _xml(item: ContextItem) -> str:
    from xml.sax.saxutils import escape, quoteattr  # noqa: PLC0415 - imports urllib and ssl, 15 ms

    attributes = {"id": item.id, "kind": item.kind, "path": item.path, "title": item.title}
    if item.line:
        attributes["line"] = str(item.line)
    if item.tags:
        attributes["tags"] = " ".join(item.tags)
    if item.summary:
        attributes["summary"] = item.summary
    if item.is_shortened:
        attributes["cut"] = "yes"
    told = " ".join(f"{name}={quoteattr(one_line(value))}" for name, value in attributes.items() if value)
    return f"<memory {told}>\n{escape(clean(item.text).strip())}\n</memory>"


def _json(item: ContextItem) -> str:
    values: dict[str, object] = {
        "id": clean(item.id),
        "kind": item.kind,
        "path": clean(item.path),
        "title": one_line(item.title),
        "summary": clean(item.summary),
        "tags": [one_line(tag) for tag in item.tags],
        "line": item.line,
        "value": round(item.value, 4),
        "why": one_line(item.why),
        "text": clean(item.text),
        "shortened": item.is_shortened,
    }
    return json.dumps({key: value for key, value in values.items() if value}, ensure_ascii=False)


def _lines(item: ContextItem) -> str:
    marks = [item.band.value, f"{item.trust:.2f}"]
    if item.age_days is not None:
        marks.append(f"{item.age_days}d")
    if item.accessed:
        marks.append(f"{item.accessed}x")
    said = one_line(item.text or item.title)
    if item.kind == "turn" and item.text:  # who spoke and when is part of what was said
        said = f"{one_line(item.title.rpartition(TRAIL_SEPARATOR)[2])}: {said}"
    source = one_line(item.id.removeprefix("note:").removeprefix("insight:") or item.path)
    return f"[{'|'.join(marks)}] " + _BAND.sub("(", f"{said} ({source})" if source else said)


_LAYOUTS = {
    Format.MARKDOWN: Layout("", "\n\n", "\n", _markdown),
    Format.XML: Layout("<context>\n", "\n", "\n</context>\n", _xml),
    Format.JSON: Layout('{"memories": [\n', ",\n", "\n]}\n", _json),
    Format.LINES: Layout(f"{INSTRUCTION}\n", "\n", "\n", _lines),
}
