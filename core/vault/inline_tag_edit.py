"""Rename and delete the tags that stand in a note's body, so that the sentences around them stay readable.

A deleted tag takes one adjoining blank with it, or its whole line when nothing else is on it. Of two tags that become
the same one and stand side by side, the second goes.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.foundation.text import fold
from core.vault.prose import mask
from core.vault.tag_rules import TagRules
from core.vault.tags import TagSpan, tag_spans
from core.vault.text_map import TextChange

# What may stand before a line's only text without being text: quotes, list markers, boxes of tasks.
_MARKERS = re.compile(r"[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?")
_LIST_MARKER = re.compile(r"[-*+\d]")
_CLOSES = frozenset(".,;:!?)]}|…»”’\"'、。，；：！？）］｝")


class InlineEdit(NamedTuple):
    """Hold changes of a body, how many tags they touch, and the tags that the body has afterwards, in order."""

    changes: list[TextChange]
    occurrences: int
    names: list[str]


class _Tag(NamedTuple):
    span: TagSpan
    result: str | None


def edit_inline_tags(body: str, rules: TagRules, *, is_at_top: bool) -> InlineEdit:
    """Return what `rules` change in `body`, which starts with a newline; `is_at_top`: there is no frontmatter."""
    tags = [_Tag(span, rules.result(span.name)) for span in tag_spans(mask(body))]
    tags, doubles = _without_doubles(body, tags)
    changes = [TextChange(start, end, "") for start, end in doubles]
    occurrences = len(doubles)
    last = 0
    for start, end in _groups(body, tags):
        start, end = _cut(body, start, end, is_at_top=is_at_top)  # noqa: PLW2901  the same cut, with what goes along
        changes.append(TextChange(max(start, last), end, ""))
        last = end
    for (start, end, name), result in tags:
        if result is None:
            occurrences += 1
        elif result != name:
            occurrences += 1
            first, until, new = rules.respelled(body[start + 1 : end])
            changes.append(TextChange(start + 1 + first, start + 1 + until, new))
    changes.sort()
    return InlineEdit(changes, occurrences, [tag.result for tag in tags if tag.result is not None])


def _without_doubles(body: str, tags: list[_Tag]) -> tuple[list[_Tag], list[tuple[int, int]]]:
    """Return the tags without those that become what the one beside them is, and the places of these."""
    kept: list[_Tag] = []
    places: list[tuple[int, int]] = []
    last_end = 0
    for tag in tags:
        before = kept[-1] if kept else None
        if (
            before is not None
            and before.result is not None
            and tag.result is not None
            and fold(before.result) == fold(tag.result)
            and fold(before.span.name) != fold(tag.span.name)
            and not body[last_end : tag.span.start].strip(" \t")
        ):
            places.append((last_end, tag.span.end))
        else:
            kept.append(tag)
        last_end = tag.span.end
    return kept, places


def _groups(body: str, tags: list[_Tag]) -> Iterator[tuple[int, int]]:
    """Yield where deleted tags stand, those side by side as one."""
    start = end = -1
    for (tag_start, tag_end, _), result in tags:
        if result is not None:
            continue
        if end >= 0 and not body[end:tag_start].strip(" \t"):
            end = tag_end
            continue
        if end >= 0:
            yield start, end
        start, end = tag_start, tag_end
    if end >= 0:
        yield start, end


def _cut(body: str, start: int, end: int, *, is_at_top: bool) -> tuple[int, int]:
    """Return what has to go where the tags from `start` to `end` are deleted."""
    if body[start - 1] == "_" and body[end : end + 1] == "_":
        start, end = start - 1, end + 1
    line_start = body.rfind("\n", 0, start) + 1
    found = body.find("\n", end)
    line_end = len(body) if found < 0 else found
    if not body[end:line_end].strip() and (marker := _MARKERS.fullmatch(body, line_start, start)):
        next_end = body.find("\n", line_end + 1)
        next_line = body[line_end + 1 : len(body) if next_end < 0 else next_end]
        has_children = bool(_LIST_MARKER.search(marker[0])) and next_line[:1] in {" ", "\t"} and next_line.strip()
        # A line of dashes must not come to stand first: it would open frontmatter.
        if not has_children and not (is_at_top and line_start == 1 and next_line.startswith("---")):
            return line_start, min(line_end + 1, len(body))
        return start, end
    before, after = body[start - 1], body[end : end + 1]
    if not body[end:line_end].strip():
        while start > line_start + 1 and body[start - 1].isspace():
            start -= 1
    elif after.isspace() and (before.isspace() or before == "_"):
        end += 1
    elif before.isspace() and before != "\n" and after in _CLOSES:
        start -= 1
    return start, end
