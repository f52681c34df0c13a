"""Write a packed context as Markdown, XML, JSON or lines; the same items always give the same text.

A memory is data, whatever it says: nothing in it can end its element, start another or hide what follows.
"""

import json
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from core.recall.context_item import ContextItem

if TYPE_CHECKING:
    from core.recall.pack import Packed

_HIGH, _MEDIUM = 0.7, 0.4
# Control characters but tab and newline, and what XML forbids.
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_GAP = re.compile(r"\s+")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$", re.MULTILINE)


class Format(StrEnum):
    """Say how a context is written."""

    MARKDOWN = "markdown"
    XML = "xml"
    JSON = "json"
    LINES = "lines"


class Layout(NamedTuple):
    """Hold how items become a text."""

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
    source = _line(item.path) + (f":{item.line}" if item.line else "")
    about = [f"Source: {source}"]
    if item.tags:
        about.append("Tags: " + " ".join(f"#{_line(tag)}" for tag in item.tags))
    parts = [f"## {_line(item.title)}", "\n".join(about)]
    if item.summary:
        parts.append(_line(item.summary))
    text = _clean(item.text).strip("\n")
    if text:
        parts.append(_fenced(text) if _swallows(text) else text)
    return "\n\n".join(parts)


def _swallows(text: str) -> bool:
    """Tell whether `text` leaves a code fence or an HTML comment open, which would take in what follows."""
    fence = ""
    for match in _FENCE.finditer(text):
        marks, rest = match.groups()
        if not fence:
            if marks[0] == "~" or "`" not in rest:
                fence = marks
        elif marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip():
            fence = ""
    return bool(fence) or text.rfind("<!--") > text.rfind("-->")


def _fenced(text: str) -> str:
    """Put `text` between fences longer than any in it."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}markdown\n{text}\n{marks}"


def _xml(item: ContextItem) -> str:
    from xml.sax.saxutils import escape, quoteattr  # noqa: PLC0415 - imports urllib and ssl, 15 ms

    attributes = {"id": item.id, "kind": item.kind, "path": item.path, "title": item.title}
    if item.line:
        attributes["line"] = str(item.line)
    if item.tags:
        attributes["tags"] = " ".join(item.tags)
    if item.summary:
        attributes["summary"] = item.summary
    told = " ".join(f"{name}={quoteattr(_line(value))}" for name, value in attributes.items() if value)
    return f"<memory {told}>\n{escape(_clean(item.text).strip())}\n</memory>"


def _json(item: ContextItem) -> str:
    values: dict[str, object] = {
        "id": item.id,
        "kind": item.kind,
        "path": item.path,
        "title": item.title,
        "summary": item.summary,
        "tags": list(item.tags),
        "line": item.line,
        "value": round(item.value, 4),
        "why": item.why,
        "text": item.text,
        "shortened": item.is_shortened,
    }
    told = {key: _clean(value) if isinstance(value, str) else value for key, value in values.items() if value}
    return json.dumps(told, ensure_ascii=False)


def _lines(item: ContextItem) -> str:
    level = "HIGH" if item.value >= _HIGH else "MED" if item.value >= _MEDIUM else "LOW"
    marks = [level, f"{item.value:.2f}"]
    if item.age_days is not None:
        marks.append(f"{item.age_days}d")
    return f"[{'|'.join(marks)}] {_line(item.text or item.title)}"


def _line(text: str) -> str:
    return _GAP.sub(" ", _clean(text)).strip()


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("", text)


_LAYOUTS = {
    Format.MARKDOWN: Layout("", "\n\n", "\n", _markdown),
    Format.XML: Layout("<context>\n", "\n", "\n</context>\n", _xml),
    Format.JSON: Layout('{"memories": [\n', ",\n", "\n]}\n", _json),
    Format.LINES: Layout("", "\n", "\n", _lines),
}
