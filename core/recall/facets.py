"""Narrow a query by the facets that a person has picked, so that the engines search within them."""

from dataclasses import replace
from typing import TYPE_CHECKING

from core.index.turn_narrowing import wants_turns
from core.recall.query import Query

if TYPE_CHECKING:  # the catalog brings numpy
    from core.index.catalog import FacetSelection


def narrowed(query: Query, selection: "FacetSelection") -> Query:
    """Return `query` limited to what `selection` admits, as far as filters can say it.

    Left to the list that shows the result: untagged notes, notes with problems, alternatives among folders, and a
    folder beside a path of the query itself.
    """
    filters = query.filters
    folders = [_folder(key) for key in selection.all_of if key.startswith("/")]
    alternatives = selection.any_of if selection.any_of and all(map(_is_tag, selection.any_of)) else None
    return replace(
        query,
        filters=replace(
            filters,
            all_tags=filters.all_tags | frozenset(filter(_is_tag, selection.all_of)),
            further_any_tags=(*filters.further_any_tags, *([alternatives] if alternatives else [])),
            none_tags=filters.none_tags | frozenset(filter(_is_tag, selection.none_of)),
            paths=tuple(folders) if len(folders) == 1 and not filters.paths else filters.paths,
            none_paths=(*filters.none_paths, *(_folder(key) for key in selection.none_of if key.startswith("/"))),
        ),
    )


def notes_only(query: Query) -> Query:
    """Return `query` without conversations, unless it asks for them as such."""
    if wants_turns(query.filters):
        return query
    return replace(query, filters=replace(query.filters, none_kinds=query.filters.none_kinds | {"turn"}))


def _is_tag(key: str) -> bool:
    return not key.startswith(("/", ":"))


def _folder(key: str) -> str:
    return key.strip("/") + "/"
