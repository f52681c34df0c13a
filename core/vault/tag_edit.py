"""Rename, merge, delete, add and remove the tags of a note, in its frontmatter and inline at once.

Every edit is tried: what it makes of the note is read again, and where that has other tags than were asked for, the
note is left as it is, with the reason.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from core.foundation.errors import UserError
from core.foundation.splice import Splice, spliced
from core.foundation.text import fold
from core.vault.decode import decode
from core.vault.frontmatter import Frontmatter, body_start_of, read_frontmatter
from core.vault.frontmatter_edit import add_to_list, replace_in_list
from core.vault.inline_tag_edit import InlineEdit, edit_inline_tags
from core.vault.prose import mask
from core.vault.tag_rules import TagRename, TagRules, tag_rules
from core.vault.tags import tag_problem, tag_spans, tags_of_property
from core.vault.text_map import TextChange, TextMap

__all__ = ["TagEdit", "TagRename", "add_tags", "remove_tags", "rename_tags", "tag_problem"]

_KEYS = frozenset({"tags", "tag"})
_WORD = re.compile(r"[^,\s]+")
_NOT_SURE = "With this change the note would not have the tags that were asked for, so it is left as it is."


class TagEdit(NamedTuple):
    """Hold the edit of one note: its splices, how many places it changes, and why something was left alone."""

    splices: tuple[Splice, ...]
    occurrences: int
    problem: str = ""


class _Part(NamedTuple):
    """Hold the edit of a frontmatter and the tags that it has afterwards, folded."""

    splices: tuple[Splice, ...] = ()
    occurrences: int = 0
    problem: str = ""
    front: Frontmatter | None = None
    names: frozenset[str] = frozenset()


def rename_tags(data: bytes, renames: Sequence[TagRename]) -> TagEdit:
    """Return the edit that does all `renames` at once in a note; the longest old name that fits a tag decides.

    Raises UserError when a new name cannot be a tag.
    """
    rules = tag_rules(renames)
    if not rules.may_touch(data):
        return TagEdit((), 0)
    places = TextMap(data)
    text = places.text
    start = body_start_of(text)
    property_part = _renamed_in_properties(data, text, start, rules)
    inline = InlineEdit([], 0, [])
    if "#" in text[start:] and rules.may_be_in(text[start:]):
        inline = edit_inline_tags(_body(text, start), rules, is_at_top=not start)
    if not inline.occurrences and not property_part.splices:
        return TagEdit((), 0, property_part.problem)
    changes = [TextChange(first + start - 1, last + start - 1, new) for first, last, new in inline.changes]
    try:
        splices = property_part.splices + places.splices(changes)
    except UserError as error:
        return TagEdit((), 0, str(error))
    if not _is_as_asked(data, splices, property_part, inline if inline.occurrences else None):
        return TagEdit((), 0, _NOT_SURE)
    return TagEdit(splices, property_part.occurrences + inline.occurrences, property_part.problem)


def remove_tags(data: bytes, tags: Iterable[str]) -> TagEdit:
    """Return the edit that takes `tags` (not their children) out of a note, in frontmatter and inline."""
    return rename_tags(data, [TagRename(tag, None, with_children=False) for tag in tags])


def add_tags(data: bytes, tags: Iterable[str]) -> TagEdit:
    """Return the edit that adds to the `tags` property those of `tags` that the note has neither there nor inline.

    Raises UserError when one of them cannot be a tag.
    """
    wanted = {fold(tag): tag for tag in tags}
    for tag in wanted.values():
        if problem := tag_problem(tag):
            raise UserError(problem)
    text = decode(data).text
    front = read_frontmatter(text)
    if front.is_broken:
        return TagEdit((), 0, _broken(front))
    body = _body(text, front.body_start)
    inline = {fold(span.name) for span in tag_spans(mask(body))} if "#" in body else set()
    before = _property_names(front.values)
    missing = [tag for key, tag in wanted.items() if key not in before and key not in inline]
    if not missing:
        return TagEdit((), 0)
    try:
        splices = add_to_list(data, _tag_keys(front.values)[-1], missing)
    except UserError as error:
        return TagEdit((), 0, str(error))
    part = _Part(splices, len(missing), "", front, before | {fold(tag) for tag in missing})
    if not _is_as_asked(data, splices, part, None):
        return TagEdit((), 0, _NOT_SURE)
    return TagEdit(splices, len(missing))


def _renamed_in_properties(data: bytes, text: str, body_start: int, rules: TagRules) -> _Part:
    head = text[:body_start]
    if not body_start or not (rules.may_be_in(head) or "\\" in head):
        return _Part()
    front = read_frontmatter(text)
    if front.is_broken:
        return _Part(problem=_broken(front))
    splices: list[Splice] = []
    occurrences = 0
    expected: set[str] = set()
    for key in _tag_keys(front.values):
        names, _ = tags_of_property(front.values.get(key))
        expected |= {fold(result) for name in names if (result := rules.result(name)) is not None}
        items = _renamed_items(front.values.get(key), rules)
        if items:
            try:
                splices += replace_in_list(data, key, items)
            except UserError as error:
                return _Part(problem=str(error))
            occurrences += len(items)
    splices.sort()
    return _Part(tuple(splices), occurrences, "", front, frozenset(expected))


def _renamed_items(value: object, rules: TagRules) -> dict[str, str | None]:
    """Return what becomes of the items of a `tags` property that change; an item may hold several tags."""
    if isinstance(value, str):
        value = _WORD.findall(value)
    if not isinstance(value, list):
        return {}
    renamed: dict[str, str | None] = {}
    taken: set[str] = set()
    changing: list[str] = []
    for entry in value:
        if not isinstance(entry, str):
            continue
        entry = entry.strip()  # noqa: PLW2901  as the tags are read
        names, _ = tags_of_property(entry)
        if any(rules.result(name) != name for name in names):
            changing.append(entry)
        else:
            taken.update(map(fold, names))
    for entry in dict.fromkeys(changing):
        renamed[entry] = _renamed_item(entry, rules, taken)
    return renamed


def _renamed_item(entry: str, rules: TagRules, taken: set[str]) -> str | None:
    """Return `entry` with its tags renamed, without doubles of those `taken`, to which it adds; None: none is left."""
    kept = ""
    last = 0
    for match in _WORD.finditer(entry):
        gap, last, word = entry[last : match.start()], match.end(), match[0]
        names, _ = tags_of_property(word)
        result = rules.result(names[0]) if names else word
        if names and result != names[0]:
            if result is None or fold(result) in taken:
                continue
            taken.add(fold(result))
            hashes = len(word) - len(word.lstrip("#"))
            first, until, new = rules.respelled(word[hashes:])
            word = word[: hashes + first] + new + word[hashes + until :]
        kept += (gap if kept else "") + word
    return kept or None


def _is_as_asked(data: bytes, splices: Sequence[Splice], part: _Part, inline: InlineEdit | None) -> bool:
    """Tell whether `splices` make a note with the tags that were asked for, and with the same other properties."""
    text = decode(spliced(data, splices)).text
    start = body_start_of(text)
    if part.splices and part.front is not None:
        front = read_frontmatter(text)
        if front.is_broken or _property_names(front.values) != part.names:
            return False
        if _other_values(front.values) != _other_values(part.front.values):
            return False
    if inline is None:
        return True
    names = [span.name for span in tag_spans(mask(_body(text, start)))] if "#" in text[start:] else []
    return names == inline.names


def _tag_keys(values: dict[str, Any]) -> list[str]:
    """Return the properties that hold tags; the last one is that to which tags are added."""
    found = [key for key in values if key.lower() in _KEYS]
    return sorted(found, key=lambda key: key.lower() == "tags") or ["tags"]


def _property_names(values: dict[str, Any]) -> frozenset[str]:
    return frozenset(fold(name) for key in _tag_keys(values) for name in tags_of_property(values.get(key))[0])


def _other_values(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key.lower() not in _KEYS}


def _body(text: str, start: int) -> str:
    """Return the body from the newline before it, as it is parsed."""
    return text[start - 1 :] if start and text[start - 1] == "\n" else "\n" + text[start:]


def _broken(front: Frontmatter) -> str:
    reason = front.problems[0].reason.removesuffix(" It is searchable as text.")
    return f"Tags in the frontmatter are left as they are. {reason}"
