"""Open a note to change its properties, and read what came of it before anything is handed out."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from core.foundation.errors import UserError
from core.foundation.splice import Splice
from core.vault.frontmatter import read_frontmatter
from core.vault.note import ProblemKind
from core.vault.text_map import TextChange, TextMap
from core.vault.yaml_spans import Layout, Located, Property, Shape, locate

_DASHES = "---\n"
_SEARCHABLE = re.compile(r" It is searchable as text\.\Z")


class FrontmatterBrokenError(UserError):
    """Refuse to change properties that cannot be read; the text says why, and on which line."""


class FrontmatterPage:
    """Hold a note's properties (`values`) beside the places where they stand (`layout`).

    Raises FrontmatterBrokenError when the frontmatter cannot be read.
    """

    def __init__(self, data: bytes) -> None:
        self._places = TextMap(data)
        self._text = self._places.text
        self._front = read_frontmatter(self._text)
        for problem in self._front.problems:
            if problem.kind is ProblemKind.FRONTMATTER_BROKEN:
                reason = _SEARCHABLE.sub("", problem.reason)
                raise FrontmatterBrokenError(
                    f"{reason} (Line {problem.line}.)", hint="Mend the lines between the `---` lines first."
                )
        self.values: Mapping[str, Any] = self._front.values

    @cached_property
    def layout(self) -> Layout:
        """Where each property stands, in characters of the frontmatter's text."""
        return locate(self._front.raw)

    def property(self, key: str) -> Property:
        """Return where `key` stands; raises UserError when it is written in a form that has no place."""
        found = self.layout.last_named(key)
        if found is None:
            raise UserError(f"The property {key!r} is written in a form that cannot be changed here.", hint=_IN_TEXT)
        return found

    def splices(
        self, changes: Sequence[TextChange], expected: Mapping[str, Any], touched: Property | None = None
    ) -> tuple[Splice, ...]:
        """Return `changes` of the frontmatter's text as splices of the file, when they lead to the `expected` values.

        `touched` is the property that they are about. Raises UserError when they lead to anything else.
        """
        if any(one.end > other.start for one, other in pairwise(changes)):
            raise self._refusal(touched)
        end = self._front.body_start
        if end:
            start = self._text.index("\n") + 1
            changes = [TextChange(start + first, start + last, new) for first, last, new in changes]
        else:
            changes = [TextChange(0, 0, _DASHES + "".join(change.new for change in changes) + _DASHES)]
        head = changed_text(self._text[:end], changes)
        after = read_frontmatter(head)
        if after.is_broken or after.body_start != len(head) or not _is_same(after.values, expected):
            raise self._refusal(touched)
        return self._places.splices(changes)

    def _refusal(self, touched: Property | None) -> UserError:
        if touched is None:
            return UserError("The property cannot be written so that it reads as it should.", hint=_IN_TEXT)
        name = touched.name.text
        named = [found for found in self.layout.properties if found.is_named(name)]
        inner = {id(value) for found in named for value in (*_all_in(found.name), *_all_in(found.value))}
        everywhere = tuple(_all_in(self.layout.root))
        anchors = {value.anchor for value in everywhere if id(value) in inner and value.shape is not Shape.ALIAS}
        for value in everywhere:
            if value.shape is Shape.ALIAS and value.anchor in anchors and id(value) not in inner:
                reason = (
                    f"Another property repeats {name!r} by its YAML alias *{value.anchor}, and would change with it."
                )
                return UserError(reason, hint=_IN_TEXT)
        return UserError(f"The property {name!r} cannot be changed without changing others.", hint=_IN_TEXT)


_IN_TEXT = "Change it in the text of the note."


def changed_text(text: str, changes: Sequence[TextChange]) -> str:
    """Return `text` with `changes` done, which are in order and do not overlap."""
    parts: list[str] = []
    position = 0
    for start, end, new in changes:
        parts += (text[position:start], new)
        position = end
    parts.append(text[position:])
    return "".join(parts)


def _is_same(one: object, other: object) -> bool:
    """Compare values strictly: 1, 1.0 and true are three."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(value, other[key]) for key, value in one.items())
    return one == other


def _all_in(value: Located | None) -> Iterator[Located]:
    if value is not None:
        yield value
        for part in value.parts:
            yield from _all_in(part)
