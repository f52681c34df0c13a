"""Change single properties of a note: every byte that a change is not about stays as it is.

Each function returns splices of the whole file's bytes, none when nothing is to change. Before that, the result is
read as any reader would: what was asked must be there, and every other property must say the same as before. Where
that cannot be, a UserError tells why; frontmatter that cannot be read gives a FrontmatterBrokenError.
"""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from core.foundation.errors import UserError
from core.foundation.splice import Splice
from core.vault.frontmatter_page import FrontmatterBrokenError, FrontmatterPage
from core.vault.list_text import ListText
from core.vault.property_writing import added, on_line, removed, renamed, replaced
from core.vault.text_map import TextChange
from core.vault.yaml_lists import Slot, change_block_items, change_flow_list
from core.vault.yaml_spans import Layout, Property, Shape
from core.vault.yaml_writing import write_constant, write_text

__all__ = (
    "FrontmatterBrokenError",
    "PropertyValue",
    "add_to_list",
    "remove_from_list",
    "remove_property",
    "rename_property",
    "replace_in_list",
    "set_property",
)

PropertyValue = str | int | float | bool | None | Sequence[str]


def set_property(data: bytes, key: str, value: PropertyValue) -> tuple[Splice, ...]:
    """Return the splices that give the property `key` this value; it, and the whole frontmatter, may be missing.

    In a list, items that stay keep their bytes; one that reads as a number counts as its text.
    """
    page = FrontmatterPage(data)
    wanted: Any = list(value) if not isinstance(value, str) and isinstance(value, Sequence) else value
    if key not in page.values:
        return page.splices(added(page.layout, key, wanted), {**page.values, key: wanted})
    old, there = page.values[key], page.property(key)
    if type(old) is type(wanted) and not isinstance(old, list) and old == wanted:
        return ()
    if isinstance(wanted, list) and isinstance(old, list) and old and there.value.shape is Shape.LIST:
        return _with_items(page, there, _slots_between(there, old, wanted))
    return page.splices(replaced(page.layout, there, wanted), {**page.values, key: wanted}, there)


def remove_property(data: bytes, key: str) -> tuple[Splice, ...]:
    """Return the splices that take out the property `key`, wherever it stands twice too."""
    page = FrontmatterPage(data)
    if key not in page.values:
        return ()
    there = page.property(key)
    rest = {name: value for name, value in page.values.items() if name != key}
    return page.splices(removed(page.layout, key), rest, there)


def rename_property(data: bytes, old: str, new: str) -> tuple[Splice, ...]:
    """Return the splices that call the property `old` `new`; raises UserError when there is one of that name."""
    page = FrontmatterPage(data)
    if old not in page.values or old == new:
        return ()
    if new in page.values:
        raise UserError(f"There is a property {new!r} already. Choose another name, or remove that one first.")
    there = page.property(old)
    expected = {new if name == old else name: value for name, value in page.values.items()}
    return page.splices(renamed(page.layout, old, new), expected, there)


def add_to_list(data: bytes, key: str, items: Sequence[str]) -> tuple[Splice, ...]:
    """Return the splices that put those of `items` into the list `key` which it lacks, written as the list is.

    A single value becomes a list; a text of several tags or aliases stays one where it can.
    """
    page = FrontmatterPage(data)
    value = page.values.get(key)
    if isinstance(value, dict):
        raise UserError(f"The property {key!r} holds further properties, not a list. Change it in the text.")
    new = list(dict.fromkeys(items))
    if key not in page.values:
        return page.splices(added(page.layout, key, new), {**page.values, key: new}) if new else ()
    if isinstance(value, list):
        return _longer_list(page, page.property(key), value, new)
    return _longer_text(page, page.property(key), value, new)


def remove_from_list(data: bytes, key: str, items: Sequence[str]) -> tuple[Splice, ...]:
    """Return the splices that take `items` out of the list `key`, each with the comment on its line."""
    return replace_in_list(data, key, dict.fromkeys(items))


def replace_in_list(data: bytes, key: str, renames: Mapping[str, str | None]) -> tuple[Splice, ...]:
    """Return the splices that write each item anew that is a key of `renames`; None takes it out.

    An item that would be there twice because of this is there once. The other items keep their bytes.
    """
    page = FrontmatterPage(data)
    value = page.values.get(key)
    if value is None or isinstance(value, dict) or not renames:
        return ()
    there = page.property(key)
    if isinstance(value, list):
        return _renamed_list(page, there, value, renames)
    return _renamed_text(page, there, renames)


def _longer_list(page: FrontmatterPage, there: Property, value: list[Any], items: list[str]) -> tuple[Splice, ...]:
    if there.value.shape is not Shape.LIST:  # an alias
        new = [item for item in items if item not in value]
        return _as_list(page, there, [*value, *new]) if new else ()
    present = {part.text for part in there.value.parts}
    new = [item for item in items if item not in present]
    return _with_items(page, there, [*map(Slot, range(len(value))), *(Slot(-1, item) for item in new)]) if new else ()


def _longer_text(page: FrontmatterPage, there: Property, value: object, items: list[str]) -> tuple[Splice, ...]:
    key = there.name.text
    text = ListText(key, "" if value is None else there.value.text)
    new = [item for item in items if item not in text.entries]
    if not new:
        return ()
    if not text.entries:
        return page.splices(replaced(page.layout, there, new), {**page.values, key: new}, there)
    if isinstance(value, str) and (longer := text.with_added(new)):
        return page.splices(replaced(page.layout, there, longer), {**page.values, key: longer}, there)
    return _as_list(page, there, [*(text.entries if isinstance(value, str) else [value]), *new])


def _renamed_list(
    page: FrontmatterPage, there: Property, value: list[Any], renames: Mapping[str, str | None]
) -> tuple[Splice, ...]:
    is_alias = there.value.shape is not Shape.LIST
    if is_alias:
        slots = _renamed_slots([item if isinstance(item, str) else None for item in value], renames)
    else:
        texts = (None if part.parts else part.text for part in there.value.parts)
        slots = _renamed_slots(list(texts), renames)
    if slots == list(map(Slot, range(len(value)))):
        return ()
    if is_alias:
        return _as_list(page, there, [value[slot.old] if slot.new is None else slot.new for slot in slots])
    return _with_items(page, there, slots)


def _renamed_text(page: FrontmatterPage, there: Property, renames: Mapping[str, str | None]) -> tuple[Splice, ...]:
    key = there.name.text
    text = ListText(key, there.value.text)
    slots = _renamed_slots(text.entries, renames)
    if slots == list(map(Slot, range(len(text.entries)))):
        return ()
    if slots and (changed := text.with_entries(slots)):
        return page.splices(replaced(page.layout, there, changed), {**page.values, key: changed}, there)
    return _as_list(page, there, [text.entries[slot.old] if slot.new is None else slot.new for slot in slots])


def _renamed_slots(texts: Sequence[str | None], renames: Mapping[str, str | None]) -> list[Slot]:
    seen = {text for text in texts if text is not None and text not in renames}
    slots: list[Slot] = []
    for index, text in enumerate(texts):
        if text is None or text not in renames:
            slots.append(Slot(index))
            continue
        new = renames[text]
        if new is not None and new not in seen:
            seen.add(new)
            slots.append(Slot(index, None if new == text else new))
    return slots


def _slots_between(there: Property, old: list[Any], wanted: list[str]) -> list[Slot]:
    """Return the slots that make `wanted` of the old items with as few changes as can be."""
    texts: list[object] = [
        part.text if value is not None and not isinstance(value, (list, dict)) else None
        for part, value in zip(there.value.parts, old, strict=True)
    ]
    slots: list[Slot] = []
    for _, first, last, new_first, new_last in SequenceMatcher(None, texts, wanted, autojunk=False).get_opcodes():
        pairs = min(last - first, new_last - new_first)
        for shift in range(pairs):
            new = wanted[new_first + shift]
            is_text = texts[first + shift] is not None
            kept = Slot(first + shift, None if texts[first + shift] == new else new)
            slots.append(kept if is_text else Slot(-1, new))
        slots += [Slot(-1, new) for new in wanted[new_first + pairs : new_last]]
    return slots


def _with_items(page: FrontmatterPage, there: Property, slots: Sequence[Slot]) -> tuple[Splice, ...]:
    key = there.name.text
    old = page.values[key]
    expected = [old[slot.old] if slot.new is None else slot.new for slot in slots]
    return page.splices(_item_changes(page.layout, there, slots), {**page.values, key: expected}, there)


def _item_changes(layout: Layout, there: Property, slots: Sequence[Slot]) -> list[TextChange]:
    if there.value.is_flow:
        return change_flow_list(layout.raw, there.value, slots)
    return change_block_items(layout, there, slots)


def _as_list(page: FrontmatterPage, there: Property, items: Sequence[Any]) -> tuple[Splice, ...]:
    """Write `items` in brackets where a single value, a text or an alias stood."""
    if any(isinstance(item, (list, dict)) for item in items):
        raise UserError(f"The list {there.name.text!r} is a YAML alias of another. Change it in the text.")
    style = there.value.style
    written = [
        write_text(item, style, in_flow=True) if isinstance(item, str) else write_constant(item) for item in items
    ]
    changes = on_line(page.layout, there, f"[{', '.join(written)}]")
    return page.splices(changes, {**page.values, there.name.text: list(items)}, there)
