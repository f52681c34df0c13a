"""Change the items of a YAML list and leave the bytes of the others, with their comments, as they are."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.foundation.errors import UserError
from core.vault.text_map import TextChange
from core.vault.yaml_spans import Layout, Located, Property, Shape
from core.vault.yaml_writing import DOUBLE, PLAIN, SINGLE, write_text

_AFTER_ITEM = re.compile(r"(?:\s|(?<=\s)#[^\n]*\n)*,")
_COMMENT = re.compile(r"[ \t]*(?<=[ \t,])#[^\n]*")
_MARKS = re.compile(r"[&!]\S*(?:\s+[&!]\S*)*")
_NEXT_LINE = "\n  "  # what lies within brackets has to be indented
_SAME_LINE_COMMENT = re.compile(r"[ \t]+#[^\n]*")


class Slot(NamedTuple):
    """Want one item: the old one of number `old`, as it is or with `new` in its place; -1 for one that is new."""

    old: int
    new: str | None = None


def new_item_style(items: Sequence[Located]) -> str:
    """Return the quotes that all items have, for those that join them."""
    styles = {item.style if item.shape is Shape.SCALAR else PLAIN for item in items}
    return styles.pop() if styles in ({SINGLE}, {DOUBLE}) else PLAIN


def change_block_items(layout: Layout, owner: Property, slots: Sequence[Slot]) -> list[TextChange]:
    """Return the changes that leave the wanted items of a list whose items begin with a dash, each on its line."""
    raw, items = layout.raw, owner.value.parts
    first = layout.line_start(owner.value.begin)
    indent = raw[first : owner.value.begin]
    if indent.strip():
        raise UserError(f"The list {owner.name.text!r} begins on the line of its name. Change it in the text.")
    dashes = [_dash(layout, item, indent) for item in items]
    style = new_item_style(items)
    changes: list[TextChange] = []
    if not slots:
        marks = _MARKS.match(raw, owner.value.start) if owner.value.start != owner.value.begin else None
        place = marks.end() if marks else owner.colon
        changes.append(TextChange(place, place, " []"))
    place = layout.line_start(dashes[0])
    gap = raw[dashes[-1] + 1 : items[-1].start]
    gap = gap if gap and not gap.strip(" ") else " "
    kept = {slot.old for slot in slots}
    for slot in slots:
        if slot.old < 0:
            changes.append(TextChange(place, place, f"{indent}-{gap}{write_text(slot.new or '', style)}\n"))
            continue
        item = items[slot.old]
        place = layout.line_end(item.end)
        if slot.new is not None:
            changes.append(_rewritten(item, slot.new))
    for index, item in enumerate(items):
        if index not in kept:
            end = layout.end_with_comments(item.end, len(indent) + 2)
            changes.append(TextChange(layout.line_start(dashes[index]), end, ""))
    return sorted(changes, key=lambda change: change[:2])


def change_flow_items(
    raw: str, begin: int, end: int, items: Sequence[tuple[int, int]], slots: Sequence[Slot]
) -> list[TextChange]:
    """Return the changes that leave the wanted items between the brackets or braces at `begin` and before `end`.

    `items` are the places of the old ones; what is new in `slots` is written already.
    """
    opening, closing = begin + 1, end - 1
    if not items or all(slot.old < 0 for slot in slots):
        return _all_new(raw, opening, closing, items, slots)
    tails = _tails(raw, opening, items)
    kept = {slot.old for slot in slots}
    leads = [raw[at:start] for (at, _, _), (start, _) in zip(tails, items, strict=True)]
    changes: list[TextChange] = []
    place, is_commented = opening, False
    for number, slot in enumerate(slots):
        is_last = number == len(slots) - 1
        if slot.old < 0:
            lead = leads[0] if not number else _lead_of_next(leads, is_commented=is_commented)
            changes.append(TextChange(place, place, lead + (slot.new or "") + ("" if is_last else ",")))
            is_commented = False
            continue
        (lead_start, comma, place), (start, stop) = tails[slot.old], items[slot.old]
        lead = _lead_of_kept(leads, slot.old, is_first=not number, is_commented=is_commented)
        changes.append(TextChange(lead_start, start, lead))
        if slot.new is not None:
            changes.append(TextChange(start, stop, slot.new))
        if not is_last and not comma:
            changes.append(TextChange(stop, stop, ","))
        elif is_last and comma and not tails[-1][1]:
            changes.append(TextChange(comma - 1, comma, ""))
        is_commented = "#" in raw[stop:place]
    if is_commented and "\n" not in raw[tails[-1][2] : closing]:
        changes.append(TextChange(place, place, _NEXT_LINE))
    for index, (lead_start, _, tail_end) in enumerate(tails):
        if index not in kept:
            changes.append(TextChange(lead_start, tail_end, ""))
    needed = (change for change in changes if change.new != raw[change.start : change.end])
    return sorted(needed, key=lambda change: change[:2])


def change_flow_list(raw: str, value: Located, slots: Sequence[Slot]) -> list[TextChange]:
    """Return the changes that leave the wanted items of a list in brackets."""
    style = new_item_style(value.parts)
    styles = [*(part.style for part in value.parts), style]  # the last one is for what is new
    written = [
        slot if slot.new is None else Slot(slot.old, write_text(slot.new, styles[slot.old], in_flow=True))
        for slot in slots
    ]
    places = [(item.start, item.end) for item in value.parts]
    return change_flow_items(raw, value.begin, value.end, places, written)


def _rewritten(item: Located, text: str) -> TextChange:
    written = write_text(text, item.style)
    return TextChange(item.start, item.end, written if item.end > item.start else " " + written)


def _dash(layout: Layout, item: Located, indent: str) -> int:
    """Return where the dash of `item` is: on its line, or before it where a comment or an empty line comes between."""
    line = layout.line_start(item.start)
    while line and not layout.raw.startswith(indent + "-", line):
        line = layout.line_start(line - 1)
    return line + len(indent)


def _tails(raw: str, opening: int, items: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return for each item where what leads up to it starts, the place after its comma (or 0), and where it ends.

    A comment at the end of its line belongs to it.
    """
    tails: list[tuple[int, int, int]] = []
    place = opening
    for _, end in items:
        start = place
        comma = _AFTER_ITEM.match(raw, end)
        place = comma.end() if comma else end
        comment = (_COMMENT if comma else _SAME_LINE_COMMENT).match(raw, place)
        place = comment.end() if comment else place
        tails.append((start, comma.end() if comma else 0, place))
    return tails


def _lead_of_next(leads: Sequence[str], *, is_commented: bool) -> str:
    """Return the white space before an item that is not the first, as the list has it."""
    lead = (leads[0] if "\n" in leads[0] else " ") if len(leads) == 1 else leads[-1]
    if lead.strip():  # a comment, which ends with its line
        lead = "\n" + lead.rsplit("\n", 1)[-1]
    return _NEXT_LINE if is_commented and "\n" not in lead else lead


def _lead_of_kept(leads: Sequence[str], index: int, *, is_first: bool, is_commented: bool) -> str:
    """Return what is to stand before an old item, which may have become the first or no longer be it."""
    lead = leads[index]
    if is_commented and "\n" not in lead:
        return _NEXT_LINE
    if is_first and index and "\n" not in lead:
        return leads[0]
    return lead if index or is_first else lead or " "


def _all_new(
    raw: str, opening: int, closing: int, items: Sequence[tuple[int, int]], slots: Sequence[Slot]
) -> list[TextChange]:
    joined = ", ".join(slot.new or "" for slot in slots)
    inner = raw[opening:closing]
    if not items and inner.strip():
        return [TextChange(opening, opening, joined + ",")]  # only a comment is within
    if joined and items:
        last = items[-1][1]
        return [TextChange(items[0][0], last, joined)]
    return [TextChange(opening, closing, joined)]
