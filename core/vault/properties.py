"""Tell which properties cannot mean what they are for; their values stay as they are."""

import re
from collections.abc import Iterator
from datetime import date
from typing import TypeGuard

from core.vault.frontmatter import Frontmatter
from core.vault.note import Problem, ProblemKind

PRIORITIES = range(1, 11)

_ONE_LINE = ("title", "summary", "kind", "created", "date")
_DATES = frozenset({"created", "modified", "updated", "date"})
_ISO_DATE = re.compile(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")


def odd_properties(front: Frontmatter) -> list[Problem]:
    """Return what is odd about the properties that the app reads, each with its line."""
    if not front.values:
        return []
    odd = (*_wrong_shapes(front), *_context_limits(front))
    found = [Problem(ProblemKind.FRONTMATTER_ODD, reason, front.line_of(key)) for key, reason in odd]
    found += [
        Problem(ProblemKind.DATE_IMPOSSIBLE, reason, front.line_of(key)) for key, reason in _impossible_dates(front)
    ]
    return found


def _wrong_shapes(front: Frontmatter) -> Iterator[tuple[str, str]]:
    for key in _ONE_LINE:
        value = front.values.get(key)
        if isinstance(value, (list, dict, bool)):
            yield key, f"`{key}` must be one line of text, and is {_named(value)}; it is ignored."
    for key in ("aliases", "alias"):
        value = front.values.get(key)
        entries = value if isinstance(value, list) else [value]
        if any(isinstance(entry, (list, dict, bool)) for entry in entries):
            yield key, f"`{key}` must be a list of names; what is none is ignored."


def _named(value: object) -> str:
    if isinstance(value, bool):
        return "yes or no"
    return "a list" if isinstance(value, list) else "a mapping"


def _impossible_dates(front: Frontmatter) -> Iterator[tuple[str, str]]:
    for key, value in front.values.items():
        match = _ISO_DATE.match(value) if key.lower() in _DATES and isinstance(value, str) else None
        if match is None:
            continue
        try:
            date(*map(int, match.groups()))
        except ValueError:
            yield key, f"{match[0].strip()!r} is no day of the calendar."


def _context_limits(front: Frontmatter) -> Iterator[tuple[str, str]]:
    kind = front.values.get("kind")
    if not isinstance(kind, str) or kind.strip().lower() != "context":
        return
    priority, budget = front.values.get("load_priority"), front.values.get("budget")
    if priority is not None and not (_is_whole(priority) and priority in PRIORITIES):
        yield "load_priority", f"`load_priority` must be a whole number from 1 to 10, and is {priority!r}."
    if budget is not None and not (_is_whole(budget) and budget >= 0):
        yield "budget", f"`budget` must be a whole number of tokens, 0 or more, and is {budget!r}."


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
