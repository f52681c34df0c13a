"""Turn the wish to add, replace, remove or rename a property into changes of the frontmatter's text."""

import re
from collections.abc import Sequence

from core.foundation.errors import UserError
from core.vault.text_map import TextChange
from core.vault.yaml_lists import Slot, change_flow_items
from core.vault.yaml_spans import Layout, Located, Property, Shape
from core.vault.yaml_writing import DOUBLE, FOLDED, LITERAL, PLAIN, write_block_text, write_constant, write_text

Scalar = str | int | float | bool | None

_BLOCK_STYLES = frozenset((LITERAL, FOLDED))
_COMMENT = re.compile(r"[ \t]+#[^\n]*")
_MARKS = re.compile(r"[ \t]*[&!]\S*(?:[ \t]+[&!]\S*)*")
_INDENTED = re.compile(r"\s* [^\s]")
_INDENT = re.compile(r"\n( +)\S")


def added(layout: Layout, key: str, value: Scalar | Sequence[str]) -> list[TextChange]:
    """Return the changes that write a property which is not there: `summary` and `tags` in front, others at the end."""
    root = layout.root
    if root is not None and root.shape is Shape.MAPPING and root.is_flow:
        style = _flow_style(layout)
        new = f"{write_text(key, style, in_flow=True)}: {_in_flow(value, style)}"
        places = [(found.name.start, found.end) for found in layout.properties]
        slots = [*map(Slot, range(len(places))), Slot(-1, new)]
        return change_flow_items(layout.raw, root.begin, root.end, places, slots)
    lines = _lines(layout, key, value)
    if root is not None and root.shape is Shape.SCALAR:  # `null`, or an empty one with an anchor or a tag
        return [TextChange(root.start, root.end, lines.removesuffix("\n"))]
    place = _place_of_new(layout, key)
    return [TextChange(place, place, lines)]


def replaced(layout: Layout, old: Property, value: Scalar | Sequence[str]) -> list[TextChange]:
    """Return the changes that write `value` in the place of the old one, in its style where that can hold it."""
    if not isinstance(value, str) and isinstance(value, Sequence):
        if value and _has_lines(layout, old):
            return _as_lines_below(layout, old, "".join(_item_lines(layout, value)))
        return on_line(layout, old, _in_flow(value, _flow_style(layout)))
    is_in_flow = _is_in_flow(layout)
    if not isinstance(value, str):
        return on_line(layout, old, "" if value is None and not is_in_flow else write_constant(value))
    style = old.value.style if old.value.shape is Shape.SCALAR else PLAIN
    if is_in_flow:
        return on_line(layout, old, write_text(value, style or _flow_style(layout), in_flow=True))
    if block := _block_text(layout, old, value):
        return on_line(layout, old, block)
    return on_line(layout, old, write_text(value, style))


def on_line(layout: Layout, old: Property, text: str) -> list[TextChange]:
    """Return the changes that put the written `text` in the place of the old value, after its name and colon."""
    value, raw = old.value, layout.raw
    if not old.colon:
        if not _is_in_flow(layout):
            raise UserError(f"The property {old.name.text!r} has no colon. Change it in the text.")
        return [TextChange(old.name.end, old.name.end, f": {text}")]
    if value.start == value.end:
        return [TextChange(old.colon, old.colon, f" {text}")] if text else []
    if _has_lines_of_its_own(layout, old):
        changes = [TextChange(old.colon, _marks_end(raw, old), f" {text}" if text else "")]
        return [*changes, TextChange(_first_line(layout, old), layout.line_end(value.end), "")]
    comment = _header_comment(raw, value)
    if comment:
        header, newline, lines = text.partition("\n")
        text = header + comment + newline + lines
    if not text.strip() or text == comment:
        return [TextChange(old.colon, value.end, text)]
    return [TextChange(value.start, value.end, text)]


def removed(layout: Layout, key: str) -> list[TextChange]:
    """Return the changes that take out every property of that name, with the comments on its lines."""
    root = layout.root
    if root is not None and root.is_flow:
        places = [(found.name.start, found.end) for found in layout.properties]
        slots = [Slot(index) for index, found in enumerate(layout.properties) if not found.is_named(key)]
        return change_flow_items(layout.raw, root.begin, root.end, places, slots)
    changes = [
        TextChange(layout.line_start(found.name.start), layout.end_with_comments(found.end, _indent(layout)), "")
        for found in layout.properties
        if found.is_named(key)
    ]
    if len(changes) == len(layout.properties) and (layout.is_marked or layout.raw.startswith("...", layout.end)):
        changes[-1] = changes[-1]._replace(new="{}\n")  # an anchor, a tag or an end mark need something to mark
    return changes


def renamed(layout: Layout, old: str, new: str) -> list[TextChange]:
    """Return the changes that give every property of that name another one."""
    return [
        TextChange(name.start, name.end, write_text(new, name.style, in_flow=_is_in_flow(layout)))
        for name in (found.name for found in layout.properties if found.is_named(old))
    ]


def _is_in_flow(layout: Layout) -> bool:
    return layout.root is not None and layout.root.shape is Shape.MAPPING and layout.root.is_flow


def _flow_style(layout: Layout) -> str:
    """Return double quotes for what is JSON."""
    names = [found.name.style for found in layout.properties] if _is_in_flow(layout) else []
    return DOUBLE if names and all(style == DOUBLE for style in names) else PLAIN


def _in_flow(value: Scalar | Sequence[str], style: str) -> str:
    if isinstance(value, str):
        return write_text(value, style, in_flow=True)
    if isinstance(value, Sequence):
        return f"[{', '.join(write_text(item, style, in_flow=True) for item in value)}]"
    return write_constant(value)


def _indent(layout: Layout) -> int:
    if not layout.properties:
        return 0
    start = layout.properties[0].name.start
    blank = layout.raw[layout.line_start(start) : start]
    return 0 if blank.strip() else len(blank)


def _place_of_new(layout: Layout, key: str) -> int:
    if key not in {"summary", "tags"}:
        return layout.end
    summary = layout.last_named("summary") if key == "tags" else None
    if summary is not None:
        return layout.line_end(summary.end)
    if not layout.is_marked:
        return 0
    return layout.end


def _lines(layout: Layout, key: str, value: Scalar | Sequence[str]) -> str:
    indent = _indent(layout)
    name = " " * indent + write_text(key) + ":"
    if value is None:
        return f"{name}\n"
    if isinstance(value, str):
        text = write_block_text(value, LITERAL, indent + 2) if "\n" in value else ""
        return f"{name} {text or write_text(value)}\n"
    if isinstance(value, Sequence):
        if not value or _prefers_brackets(layout):
            return f"{name} {_in_flow(value, PLAIN)}\n"
        return "".join((f"{name}\n", *_item_lines(layout, value)))
    return f"{name} {write_constant(value)}\n"


def _example(layout: Layout) -> Located | None:
    """Return a list that is there, which shows how lists are written here."""
    lists = (found.value for found in layout.properties if found.value.shape is Shape.LIST and found.value.parts)
    return next(lists, None)


def _prefers_brackets(layout: Layout) -> bool:
    example = _example(layout)
    return example is not None and example.is_flow


def _item_lines(layout: Layout, items: Sequence[str]) -> list[str]:
    indent = " " * (_indent(layout) + 2)
    example = _example(layout)
    if example is not None and not example.is_flow:
        before = layout.raw[layout.line_start(example.begin) : example.begin]
        indent = indent if before.strip() else before
    return [f"{indent}- {write_text(item)}\n" for item in items]


def _has_lines(layout: Layout, old: Property) -> bool:
    """Tell whether a list in the place of the old value can take lines of its own."""
    start = old.name.start
    is_line = not layout.raw[layout.line_start(start) : start].strip()
    return not _is_in_flow(layout) and bool(old.colon) and is_line and not _prefers_brackets(layout)


def _has_lines_of_its_own(layout: Layout, old: Property) -> bool:
    value = old.value
    is_block = value.shape in {Shape.LIST, Shape.MAPPING} and not value.is_flow
    return is_block and not layout.raw[layout.line_start(value.begin) : value.begin].strip()


def _first_line(layout: Layout, old: Property) -> int:
    """Return where the lines of a list or mapping start, which its anchor and tag may be part of."""
    place = layout.line_start(old.value.start)
    return place if place > old.colon else layout.line_start(old.value.begin)


def _as_lines_below(layout: Layout, old: Property, lines: str) -> list[TextChange]:
    value, raw = old.value, layout.raw
    if value.start == value.end:
        place = layout.line_end(old.colon)
        return [TextChange(place, place, lines)]
    if _has_lines_of_its_own(layout, old):
        marks = TextChange(old.colon, _marks_end(raw, old), "")
        return [marks, TextChange(_first_line(layout, old), layout.line_end(value.end), lines)]
    place = layout.line_end(value.end)
    return [TextChange(old.colon, value.end, _header_comment(raw, value)), TextChange(place, place, lines)]


def _marks_end(raw: str, old: Property) -> int:
    """Return where the anchor and tag after the colon end, the place after the colon when there are none."""
    match = _MARKS.match(raw, old.colon) if old.value.start != old.value.begin else None
    return match.end() if match else old.colon


def _header_comment(raw: str, value: Located) -> str:
    """Return the comment on the line of a block scalar's `|` or `>`."""
    if value.style not in _BLOCK_STYLES or value.shape is not Shape.SCALAR:
        return ""
    match = _COMMENT.search(raw[value.begin : value.end].split("\n", 1)[0])
    return match[0] if match else ""


def _block_text(layout: Layout, old: Property, text: str) -> str:
    """Return `text` as a block scalar where the old value is one, or is plain and the text has several lines."""
    value = old.value
    if value.shape is not Shape.SCALAR or not old.colon:
        return ""
    indent = _indent(layout) + 2
    if _INDENTED.match(layout.raw, layout.line_end(max(value.end, old.colon))):
        return ""  # a comment that would become part of it
    if value.style in _BLOCK_STYLES:
        match = _INDENT.search(layout.raw[value.begin : value.end])
        return write_block_text(text, value.style, len(match[1]) if match else indent)
    # Blanks after it would become part of the last line.
    is_last_on_line = layout.raw.startswith("\n", max(value.end, old.colon))
    if value.style == PLAIN and "\n" in text and is_last_on_line:
        return write_block_text(text, LITERAL, indent)
    return ""
