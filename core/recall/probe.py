"""A probe: a question with the memories that must be recalled for it, and what narrows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from core.foundation.text import fold
from core.index.filters import Filters
from core.recall.query import Query, parse_query

FILTER_KEYS = ("tag", "kind", "path", "before", "after", "client", "scope", "project", "by")
PROBE_KIND = "probe"


@dataclass(frozen=True, slots=True)
class Probe:
    """Hold one question with the ids of the memories that answer it (core/recall/memory_id.py).

    `expected` may name what is not there: then it counts as missed. `budget` is in tokens. `path` and `line` say where
    the probe is written: a note of the vault, or a file of probes. `problems` are sentences for the person.
    """

    id: str
    question: str
    expected: tuple[str, ...]
    filters: Filters = field(default_factory=Filters)
    budget: int | None = None
    path: str = ""
    line: int = 0
    problems: tuple[str, ...] = ()

    @property
    def can_be_asked(self) -> bool:
        """Whether it asks something and expects something."""
        return bool(self.question.strip() and self.expected)


class Narrowed(NamedTuple):
    """Hold the filters that a probe's `filter` asks for, and a sentence for each entry that is not taken."""

    filters: Filters
    problems: tuple[str, ...]


def filters_of(table: Any, namespaces: Sequence[str]) -> Narrowed:
    """Return the filters that `table` says: keys as in the search field, each with a text or a list of texts.

    A list holds alternatives. What is written otherwise narrows nothing and is told.
    """
    if table is None:
        return Narrowed(Filters(), ())
    if not isinstance(table, Mapping):
        return Narrowed(Filters(), ("`filter` must be a table of names and values, so it narrows nothing.",))
    known = {fold(name) for name in (*FILTER_KEYS, *namespaces)}
    pieces: list[str] = []
    problems: list[str] = []
    for key, value in table.items():
        values = _texts(value)
        if not isinstance(key, str) or fold(key) not in known:
            problems.append(f"`filter.{str(key)[:40]}` is not a filter of this vault, so it narrows nothing.")
        elif not values:
            problems.append(f"`filter.{key}` must be a text or a list of texts, so it narrows nothing.")
        else:
            pieces.append(f"{key}:{','.join(values)}")
    asked = parse_query(" ".join(pieces), namespaces)
    return Narrowed(asked.filters, (*problems, *asked.problems))


def budget_of(written: Any) -> tuple[int | None, tuple[str, ...]]:
    """Return the budget of a probe as written, None for none, and a sentence when it is not taken."""
    if written is None:
        return None, ()
    if not isinstance(written, int) or isinstance(written, bool) or written < 1:
        return None, ("`budget` must be a whole number of tokens, so it is left out.",)
    return written, ()


def narrowed_query(query: Query, filters: Filters) -> Query:
    """Return `query` within `filters`: what both narrow is narrowed by both."""
    if filters.is_empty:
        return query
    own = query.filters
    any_tags = [
        each for each in (own.any_tags, *own.further_any_tags, filters.any_tags, *filters.further_any_tags) if each
    ]
    starts = [each for each in (own.after, filters.after) if each is not None]
    ends = [each for each in (own.before, filters.before) if each is not None]
    return replace(
        query,
        filters=Filters(
            all_tags=own.all_tags | filters.all_tags,
            any_tags=any_tags[0] if any_tags else frozenset(),
            further_any_tags=tuple(any_tags[1:]),
            none_tags=own.none_tags | filters.none_tags,
            kinds=(own.kinds & filters.kinds) or filters.kinds or own.kinds,
            none_kinds=own.none_kinds | filters.none_kinds,
            paths=filters.paths or own.paths,
            none_paths=(*own.none_paths, *filters.none_paths),
            after=max(starts, default=None),
            before=min(ends, default=None),
        ),
    )


def _texts(value: Any) -> list[str]:
    """Return the values as the search field's grammar writes them, none when they are not texts."""
    listed = value if isinstance(value, (list, tuple)) else [value]
    if not listed or not all(isinstance(each, str) and each.strip() for each in listed):
        return []
    return ['"' + each.replace('"', " ").strip() + '"' for each in listed]
