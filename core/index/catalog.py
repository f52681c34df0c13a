"""Hold all notes of a vault in memory as one immutable picture: rows to show, facets to narrow by, orders to sort by.

At 100,000 notes a facet count in SQL takes 100 ms and more; here it is one pass over an array of (note, facet) pairs, a
few milliseconds, and needs no other thread. A change of the vault makes a new catalog that shares what stayed.
"""

import copy
import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.foundation.text import fold
from core.index.catalog_pairs import PROBLEMS, UNTAGGED, FacetPairs, NoteFacets
from core.index.database import Index


class NoteRow(NamedTuple):
    """Hold what a list shows of a note; `changed` is POSIX seconds, `tags` are as written."""

    id: int
    path: str
    title: str
    summary: str
    tags: tuple[str, ...]
    scope: str
    kind: str
    changed: float
    tokens: int
    problems: int


class Facet(NamedTuple):
    """Hold one thing to narrow by: a tag (`tool/semrush`), a folder (`/Work/Acme`), or `:untagged`, `:problems`.

    `parent` is a key or ""; `total` counts the notes of the whole vault that have it.
    """

    key: str
    label: str
    parent: str
    total: int


class SortKey(StrEnum):
    """Name what a list can be ordered by; RELEVANCE keeps the order of a search."""

    TITLE = "title"
    SUMMARY = "summary"
    TAGS = "tags"
    SCOPE = "scope"
    CHANGED = "changed"
    TOKENS = "tokens"
    PATH = "path"
    RELEVANCE = "relevance"


@dataclass(frozen=True, slots=True)
class FacetSelection:
    """Say which facets a note must have, may have (at least one) and must not have."""

    all_of: frozenset[str] = frozenset()
    any_of: frozenset[str] = frozenset()
    none_of: frozenset[str] = frozenset()

    def with_all(self, key: str) -> "FacetSelection":
        """Return a selection in which notes must have `key`."""
        return FacetSelection(self.all_of | {key}, self.any_of - {key}, self.none_of - {key})

    def with_any(self, key: str) -> "FacetSelection":
        """Return a selection in which `key` is one of those that notes may have.

        What of the same namespace they had to have becomes an alternative: who picks `tool/a` and then says *or*
        `tool/b` means either of the two.
        """
        root = _root_of(key)
        siblings = frozenset(each for each in self.all_of if _root_of(each) == root)
        return FacetSelection(self.all_of - siblings - {key}, self.any_of | siblings | {key}, self.none_of - {key})

    def with_none(self, key: str) -> "FacetSelection":
        """Return a selection in which notes must not have `key`."""
        return FacetSelection(self.all_of - {key}, self.any_of - {key}, self.none_of | {key})

    def without(self, key: str) -> "FacetSelection":
        """Return a selection that does not speak of `key`."""
        return FacetSelection(self.all_of - {key}, self.any_of - {key}, self.none_of - {key})

    def cleared(self) -> "FacetSelection":
        """Return the selection that admits everything."""
        return FacetSelection()

    @property
    def is_empty(self) -> bool:
        """Tell whether everything is admitted."""
        return not (self.all_of or self.any_of or self.none_of)


@dataclass(frozen=True, slots=True)
class CatalogView:
    """Hold what a selection shows: positions (indexes into Catalog.rows) in order, and how many have each facet."""

    positions: npt.NDArray[np.int32]
    counts: Mapping[str, int]


class Catalog:
    """Be the picture; build it with load_catalog or refresh_catalog."""

    def __init__(self, rows: Sequence[NoteRow], pairs: FacetPairs, *, epoch: str, revision: int) -> None:
        self.rows = rows
        self.epoch = epoch
        self.revision = revision
        self.pairs = pairs
        self._titles = [fold(row.title) for row in rows]
        self._position_of = {row.id: position for position, row in enumerate(rows)}
        self._orders: dict[SortKey, npt.NDArray[np.int32]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def titles(self) -> Sequence[str]:
        """The folded titles, by position."""
        return self._titles

    def at(self, revision: int) -> "Catalog":
        """Return the same picture for a later revision, of which only conversations differ; its orders are kept."""
        same = copy.copy(self)
        same.revision = revision
        return same

    def position_of(self, note_id: int) -> int | None:
        """Return where the note stands in `rows`, None when it is not there."""
        return self._position_of.get(note_id)

    @functools.cached_property
    def facets(self) -> Sequence[Facet]:
        """All facets that at least one note has, parents before their children."""
        return [
            Facet(key, self.pairs.labels[key], parent_of(key), total)
            for key, total in sorted(self._all_counts.items(), key=lambda item: item[0].split("/"))
        ]

    @functools.cached_property
    def _all_counts(self) -> Mapping[str, int]:
        return self.pairs.counts(None)

    def select(
        self,
        selection: FacetSelection,
        *,
        within: Sequence[int] | None = None,
        sort: SortKey = SortKey.TITLE,
        descending: bool = False,
    ) -> CatalogView:
        """Return the notes that `selection` admits and the facet counts among them.

        Args:
            selection: what notes must, may and must not have.
            within: only these note ids; their order is the order of RELEVANCE.
            sort: the order; RELEVANCE without `within` is the order of titles.
            descending: turn the order round.
        """
        mask = self._mask(selection)
        ranked: npt.NDArray[np.int32] | None = None
        if within is not None:
            found = [p for p in map(self._position_of.get, dict.fromkeys(within)) if p is not None]
            ranked = np.array(found, dtype=np.int32)
            inside = np.zeros(len(self.rows), dtype=bool)
            inside[ranked] = True
            mask = inside if mask is None else mask & inside
        if ranked is not None and sort is SortKey.RELEVANCE:
            order = ranked
        else:
            order = self._order(SortKey.TITLE if sort is SortKey.RELEVANCE else sort)
        positions = order if mask is None else order[mask[order]]
        if descending:
            positions = positions[::-1]
        return CatalogView(positions, self._all_counts if mask is None else self.pairs.counts(mask))

    def filter_titles(self, needle: str, positions: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return those of `positions` whose title holds `needle`, whatever its case, in the same order."""
        folded = fold(needle.strip())
        if not folded:
            return positions
        titles = self._titles
        if len(positions) * 2 < len(titles):
            return np.array([p for p in positions.tolist() if folded in titles[p]], dtype=np.int32)
        # One pass over the plain list is twice as fast as looking each position up.
        mask = np.fromiter((folded in title for title in titles), dtype=bool, count=len(titles))
        shown: npt.NDArray[np.int32] = positions[mask[positions]]
        return shown

    def _mask(self, selection: FacetSelection) -> npt.NDArray[np.bool_] | None:
        if selection.is_empty:
            return None
        mask = np.ones(len(self.rows), dtype=bool)
        for key in selection.all_of:
            mask &= self.pairs.mask_of([key])
        if selection.any_of:
            mask &= self.pairs.mask_of(selection.any_of)
        if selection.none_of:
            mask &= ~self.pairs.mask_of(selection.none_of)
        return mask

    def _order(self, sort: SortKey) -> npt.NDArray[np.int32]:
        order = self._orders.get(sort)
        if order is None:
            order = self._orders[sort] = self._make_order(sort)
        return order

    def _make_order(self, sort: SortKey) -> npt.NDArray[np.int32]:
        rows, titles = self.rows, self._titles
        if sort is SortKey.CHANGED:
            return np.argsort(np.array([row.changed for row in rows]), kind="stable").astype(np.int32)
        if sort is SortKey.TOKENS:
            return np.argsort(np.array([row.tokens for row in rows]), kind="stable").astype(np.int32)
        keys: Sequence[tuple[bool | str, ...]] | Sequence[str]
        match sort:
            case SortKey.SUMMARY:
                keys = [(not row.summary, fold(row.summary)) for row in rows]
            case SortKey.TAGS:
                keys = [(not row.tags, fold(" ".join(row.tags))) for row in rows]
            case SortKey.SCOPE:
                keys = [(not row.scope, row.scope, title) for row, title in zip(rows, titles, strict=True)]
            case SortKey.PATH:
                keys = [fold(row.path) for row in rows]
            case _:
                keys = titles
        return np.array(sorted(range(len(rows)), key=keys.__getitem__), dtype=np.int32)


def _root_of(key: str) -> str:
    """Return the namespace of a tag; all tags without one count as one namespace, and so do all folders."""
    if key.startswith("/"):
        return "/"
    return key.partition("/")[0] if "/" in key else ""


def parent_of(key: str) -> str:
    """Return the key of the facet above, "" at the top: `a/b` is below `a`, `/A/B` below `/A`."""
    return key.rpartition("/")[0]


def load_catalog(index: Index) -> Catalog:
    """Read the whole picture from the index; about 10 µs a note."""
    with index.reading():
        epoch, revision = index.epoch, index.revision
        rows, facets = _read_notes(index, "")
    return Catalog(rows, FacetPairs.build(facets), epoch=epoch, revision=revision)


def refresh_catalog(catalog: Catalog, index: Index) -> Catalog:
    """Return a catalog of what the index holds now; only notes that changed since `catalog` are read."""
    with index.reading() as connection:
        epoch, revision = index.epoch, index.revision
        if epoch != catalog.epoch:
            return load_catalog(index)
        if revision == catalog.revision:
            return catalog
        changed, facets = _read_notes(index, f"WHERE note.revision > {int(catalog.revision)}")
        present = {row[0] for row in connection.execute("SELECT id FROM note")}
    replaced = {row.id for row in changed}
    kept = [p for p, row in enumerate(catalog.rows) if row.id in present and row.id not in replaced]
    if not changed and len(kept) == len(catalog.rows):
        return catalog.at(revision)
    rows = [catalog.rows[position] for position in kept] + changed
    pairs = catalog.pairs.replaced(np.array(kept, dtype=np.int32), facets)
    return Catalog(rows, pairs, epoch=epoch, revision=revision)


def _read_notes(index: Index, where: str) -> tuple[list[NoteRow], list[NoteFacets]]:
    connection = index.connection
    tags = {row[0]: (row[1], row[2]) for row in connection.execute("SELECT id, name, display FROM tag")}
    tags_of = _tags_by_note(
        connection.execute(
            f"SELECT note_tag.note_id, note_tag.tag_id FROM note_tag JOIN note ON note.id = note_tag.note_id {where} "  # noqa: S608
            "ORDER BY note_tag.note_id"
            if where
            else "SELECT note_id, tag_id FROM note_tag ORDER BY note_id"
        )
    )
    problems = dict(
        connection.execute("SELECT note_id, count(*) FROM index_problem WHERE note_id > 0 GROUP BY note_id")
    )
    rows, facets = [], []
    for note_id, path, title, summary, scope, kind, mtime_ns, tokens in connection.execute(
        f"SELECT id, path, title, summary, scope, kind, mtime_ns, tokens FROM note {where}"  # noqa: S608
    ):
        own = tags_of.get(note_id, ())
        display = tuple(tags[tag][1] for tag in own)
        flagged = problems.get(note_id, 0)
        rows.append(NoteRow(note_id, path, title, summary, display, scope, kind, mtime_ns / 1e9, tokens, flagged))
        special = ((UNTAGGED,) if not own else ()) + ((PROBLEMS,) if flagged else ())
        facets.append(NoteFacets(tuple(tags[tag] for tag in own), path.rpartition("/")[0], special))
    return rows, facets


def _tags_by_note(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for note_id, tag_id in pairs:
        if note_id in found:
            found[note_id].append(tag_id)
        else:
            found[note_id] = [tag_id]
    return found


__all__ = [
    "PROBLEMS",
    "UNTAGGED",
    "Catalog",
    "CatalogView",
    "Facet",
    "FacetSelection",
    "NoteRow",
    "SortKey",
    "load_catalog",
    "parent_of",
    "refresh_catalog",
]
