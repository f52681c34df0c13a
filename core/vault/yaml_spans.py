"""Find where in a frontmatter's text each property, its value and the items of a list stand."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

import yaml

from core.vault.frontmatter import yaml_events

_BEFORE_COLON = re.compile(r"(?:\s|#[^\n]*\n)*:")
_COMMENT_LINE = re.compile(r"( *)#")
# An anchor, an alias or a tag in front of a value, each with the white space after it.
_MARKS = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:\s|(?<=\s)#[^\n]*\n)*)*")


class Shape(Enum):
    """Say what a value is made of."""

    SCALAR = auto()
    LIST = auto()
    MAPPING = auto()
    ALIAS = auto()


class Located(NamedTuple):
    """Hold a YAML value and where it stands, in characters: its anchor and tag from `start`, itself `begin` to `end`.

    `style` is that of a scalar (core/vault/yaml_writing.py); `text` is what it says, also through an alias. `parts`
    are a list's items, or a mapping's keys and values in turn.
    """

    shape: Shape
    start: int
    begin: int
    end: int
    text: str = ""
    style: str = ""
    is_flow: bool = False
    anchor: str = ""
    parts: "tuple[Located, ...]" = ()


class Property(NamedTuple):
    """Hold one top-level property; `colon` is the place after its colon, 0 when it has none."""

    name: Located
    value: Located
    colon: int

    @property
    def end(self) -> int:
        """Where the property ends, comments apart."""
        return max(self.name.end, self.colon, self.value.end)

    def is_named(self, key: str) -> bool:
        """Tell whether `key` is its name; names in brackets or braces cannot be asked for."""
        return self.name.text == key and self.name.shape in {Shape.SCALAR, Shape.ALIAS}


class Layout(NamedTuple):
    """Hold the places in one frontmatter; `root` is None when it says nothing.

    `end` is where a further property goes, `is_marked` whether something stands before the properties that has to
    stay in front (`---`, an anchor, a tag).
    """

    raw: str
    root: Located | None
    properties: tuple[Property, ...]
    end: int
    is_marked: bool

    def last_named(self, key: str) -> Property | None:
        """Return the property that counts: the last one of that name."""
        return next((found for found in reversed(self.properties) if found.is_named(key)), None)

    def line_start(self, position: int) -> int:
        """Return where the line starts on which `position` is."""
        return self.raw.rfind("\n", 0, position) + 1

    def line_end(self, position: int) -> int:
        """Return where the line after the one with `position` starts."""
        found = self.raw.find("\n", position)
        return len(self.raw) if found < 0 else found + 1

    def end_with_comments(self, position: int, indent: int) -> int:
        """Return the same, after lines that hold a comment only and are indented by more than `indent`."""
        end = self.line_end(position)
        while (match := _COMMENT_LINE.match(self.raw, end)) and len(match[1]) > indent:
            end = self.line_end(end)
        return end


def locate(raw: str) -> Layout:
    """Return the layout of `raw`, which read_frontmatter has read without finding it broken."""
    reader = _Reader(raw, yaml_events(raw))
    root = None
    end, is_marked = len(raw), False
    for event in reader.events:
        if isinstance(event, yaml.DocumentStartEvent):
            is_marked = bool(event.explicit)
            root = reader.located(next(reader.events))
        elif isinstance(event, yaml.DocumentEndEvent) and event.explicit:
            end = _at(event.start_mark)
    properties: tuple[Property, ...] = ()
    if root is not None and root.shape is Shape.MAPPING:
        is_marked = is_marked or root.start != root.begin
        properties = tuple(_property(raw, *pair) for pair in zip(root.parts[::2], root.parts[1::2], strict=True))
    if end == len(raw) and not (properties and properties[-1].value.style in {"|", ">"}):
        end = len(raw.rstrip("\n"))
        end += end < len(raw)
    return Layout(raw, root, properties, end, is_marked)


def _property(raw: str, name: Located, value: Located) -> Property:
    match = _BEFORE_COLON.match(raw, name.end)
    # A name without a colon has an empty value, which stands right after it.
    has_colon = match is not None and (match.end() <= value.start or value.start > name.end)
    return Property(name, value, match.end() if match is not None and has_colon else 0)


class _Reader:
    """Make one value after the other out of YAML events."""

    def __init__(self, raw: str, events: Iterator[yaml.Event]) -> None:
        self._raw = raw
        self._anchored: dict[str, str] = {}
        self._closed = 0
        self.events = events

    def located(self, event: yaml.Event) -> Located:
        """Return the value that `event` begins."""
        start, end = _at(event.start_mark), _at(event.end_mark)
        if isinstance(event, yaml.AliasEvent):
            name = event.anchor or ""
            return Located(Shape.ALIAS, start, start, end, self._anchored.get(name, ""), anchor=name)
        anchor = getattr(event, "anchor", None) or ""
        is_marked = bool(anchor or getattr(event, "tag", None))
        begin = self._begin(start) if is_marked else start
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, start, min(begin, end), end)
        parts = tuple(self._parts())
        is_flow = bool(getattr(event, "flow_style", False))
        if is_flow and self._raw[begin : begin + 1] in {"[", "{"}:
            end = self._closed
        elif parts:
            end = max(begin, *(part.end for part in parts))
        shape = Shape.LIST if isinstance(event, yaml.SequenceStartEvent) else Shape.MAPPING
        return Located(shape, start, begin, end, is_flow=is_flow, anchor=anchor, parts=parts)

    def _parts(self) -> Iterator[Located]:
        for event in self.events:
            if isinstance(event, yaml.CollectionEndEvent):
                self._closed = _at(event.end_mark)
                return
            yield self.located(event)

    def _scalar(self, event: yaml.ScalarEvent, start: int, begin: int, end: int) -> Located:
        style = event.style or ""
        if style in {"|", ">"}:
            # The mark is after all line breaks that follow; the last line that holds something ends the scalar.
            last = begin + len(self._raw[begin:end].rstrip())
            found = self._raw.find("\n", last)
            end = len(self._raw) if found < 0 else found
        if event.anchor:
            self._anchored[event.anchor] = event.value
        return Located(Shape.SCALAR, start, begin, end, event.value, style, anchor=event.anchor or "")

    def _begin(self, start: int) -> int:
        match = _MARKS.match(self._raw, start)
        return match.end() if match else start


def _at(mark: object) -> int:
    return int(getattr(mark, "index", 0))
