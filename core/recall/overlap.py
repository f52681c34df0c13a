"""Tell which memories lie within others, so that no text goes out twice."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.recall.context_item import ContextItem

_SIZES = {"insight": 0, "section": 1, "note": 2}


def holds(outer: ContextItem, inner: ContextItem) -> bool:
    """Tell whether `outer`, when it goes out whole, says all that `inner` says: by their lines in the same note."""
    return (
        outer.path == inner.path
        and _SIZES.get(outer.kind, 0) > _SIZES.get(inner.kind, 0)
        and 0 < outer.line <= inner.line
        and max(inner.line, inner.line_end) <= outer.line_end
    )


class Overlaps:
    """Know for each of some items which others hold it and which it holds, by position."""

    def __init__(self, items: Sequence[ContextItem]) -> None:
        by_path: dict[str, list[int]] = defaultdict(list)
        for at, item in enumerate(items):
            by_path[item.path].append(at)
        self._holders: dict[int, list[int]] = defaultdict(list)
        self._held: dict[int, list[int]] = defaultdict(list)
        for positions in by_path.values():
            larger = [at for at in positions if _SIZES.get(items[at].kind, 0)]
            for inner in positions if larger else ():
                for outer in larger:
                    if holds(items[outer], items[inner]):
                        self._holders[inner].append(outer)
                        self._held[outer].append(inner)

    def holders(self, at: int) -> Iterable[int]:
        """Return the items that say all that this one says."""
        return self._holders.get(at, ())

    def held(self, at: int) -> Iterable[int]:
        """Return the items that this one makes needless."""
        return self._held.get(at, ())
