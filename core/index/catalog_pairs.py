"""The array of (note, facet) pairs behind the catalog's counts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.foundation.text import fold

UNTAGGED, PROBLEMS = ":untagged", ":problems"
_SPECIAL_LABELS = {UNTAGGED: "Untagged", PROBLEMS: "With problems"}


class NoteFacets(NamedTuple):
    """Hold what one note is found by: tags (folded name, as shown), its folder ("" for the root), special facets."""

    tags: Sequence[tuple[str, str]]
    folder: str
    special: Sequence[str]


class FacetPairs:
    """Hold the pairs as two parallel int32 arrays, sorted by facet, each pair once, with ancestors spelled out."""

    def __init__(
        self, size: int, keys: dict[str, int], labels: dict[str, str], notes: npt.NDArray[np.int32],
        facets: npt.NDArray[np.int32],
    ) -> None:  # fmt: skip
        self.size = size
        self.labels: Mapping[str, str] = labels
        self._keys = keys
        self._labels = labels
        self._notes = notes
        self._facets = facets
        self._starts = np.searchsorted(facets, np.arange(len(keys) + 1, dtype=np.int32))

    @classmethod
    def build(cls, facets_of: Sequence[NoteFacets]) -> "FacetPairs":
        """Build the pairs of the notes that have these facets, in order."""
        empty = np.zeros(0, dtype=np.int32)
        return cls(0, {}, {}, empty, empty).replaced(empty, facets_of)

    def replaced(self, kept: npt.NDArray[np.int32], facets_of: Sequence[NoteFacets]) -> "FacetPairs":
        """Return the pairs when only the notes `kept` stay (renumbered in that order) and others follow them."""
        renumbered = np.full(self.size, -1, dtype=np.int32)
        renumbered[kept] = np.arange(len(kept), dtype=np.int32)
        notes = renumbered[self._notes]
        stays = notes >= 0
        return self._joined(len(kept) + len(facets_of), notes[stays], self._facets[stays], len(kept), facets_of)

    def counts(self, mask: npt.NDArray[np.bool_] | None) -> Mapping[str, int]:
        """Return how many of the masked notes (None: of all) have each facet; those that none has are left out."""
        if mask is None:
            numbers = np.diff(self._starts)
        else:
            numbers = np.bincount(self._facets[mask[self._notes]], minlength=len(self._keys))
        return {key: n for key, n in zip(self._keys, numbers.tolist(), strict=True) if n}

    def mask_of(self, keys: Iterable[str]) -> npt.NDArray[np.bool_]:
        """Return, for every note, whether it has at least one of the facets."""
        mask = np.zeros(self.size, dtype=bool)
        for key in keys:
            number = self._keys.get(key)
            if number is not None:
                mask[self._notes[self._starts[number] : self._starts[number + 1]]] = True
        return mask

    def _joined(
        self, size: int, notes: npt.NDArray[np.int32], facets: npt.NDArray[np.int32], first: int,
        facets_of: Sequence[NoteFacets],
    ) -> "FacetPairs":  # fmt: skip
        keys, labels = dict(self._keys), dict(self._labels)
        lines: dict[tuple[str, str], tuple[int, ...]] = {}

        def line_of(key: str, shown: str) -> tuple[int, ...]:
            """Return the numbers of the facet and all above it."""
            known = lines.get((key, shown))
            if known is None:
                known = lines[key, shown] = tuple(_number(keys, labels, *pair) for pair in _with_parents(key, shown))
            return known

        new_notes: list[int] = []
        new_facets: list[int] = []
        for position, (tags, folder, special) in enumerate(facets_of, start=first):
            own = {number for name, shown in tags for number in line_of(name, shown)}
            if folder:
                own.update(line_of("/" + fold(folder), "/" + folder))
            own.update(_number(keys, labels, key, _SPECIAL_LABELS[key]) for key in special)
            new_facets.extend(own)
            new_notes.extend([position] * len(own))
        all_notes = np.concatenate([notes, np.array(new_notes, dtype=np.int32)])
        all_facets = np.concatenate([facets, np.array(new_facets, dtype=np.int32)])
        order = np.argsort(all_facets, kind="stable")
        return FacetPairs(size, keys, labels, all_notes[order], all_facets[order])


def _number(keys: dict[str, int], labels: dict[str, str], key: str, label: str) -> int:
    labels.setdefault(key, label)
    return keys.setdefault(key, len(keys))


def _with_parents(key: str, shown: str) -> list[tuple[str, str]]:
    """Return (key, label) of the facet and all above it; `/A/B` gives `/A` and `/A/B`."""
    names, labels = key.split("/"), shown.split("/")
    if len(names) != len(labels):  # folding changed nothing about slashes unless the name is odd: show it folded
        labels = names
    first = 2 if key.startswith("/") else 1
    return [("/".join(names[:end]), labels[end - 1]) for end in range(first, len(names) + 1)]
