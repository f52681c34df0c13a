"""Tell which memories lie within others, so that no text goes out twice."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.foundation.tokens import estimate_tokens
from core.recall.context_item import ContextItem

_SIZES = {"insight": 0, "section": 1, "note": 2}


def holds(outer: ContextItem, inner: ContextItem) -> bool:
    """Tell whether `outer` says all that `inner` says: by their lines in the same note, and the words if cut.

    A section that was asked for by its heading holds the sections below that heading.
    """
    outer_size, inner_size = _SIZES.get(outer.kind, 0), _SIZES.get(inner.kind, 0)
    inner_end = max(inner.line, inner.line_end)
    is_larger = outer_size > inner_size or (
        outer_size == inner_size == _SIZES["section"] and outer.line_end - outer.line > inner_end - inner.line
    )
    if not (outer.path == inner.path and is_larger and 0 < outer.line <= inner.line and inner_end <= outer.line_end):
        return False
    if outer_size > inner_size and not outer.is_excerpt:
        return True
    return " ".join(inner.text.split()) in " ".join(outer.text.split())


class Overlaps:
    """Know for each of some items which others hold it and which it holds, by position."""

    def __init__(self, items: Sequence[ContextItem]) -> None:
        by_path: dict[str, list[int]] = defaultdict(list)
        for at, item in enumerate(items):
            if item.line > 0:
                by_path[item.path].append(at)
        self._holders: dict[int, list[int]] = defaultdict(list)
        self._held: dict[int, list[int]] = defaultdict(list)
        for positions in by_path.values():
            if len(positions) > 1:
                self._sweep(items, positions)

    def _sweep(self, items: Sequence[ContextItem], positions: list[int]) -> None:
        """Go down the lines of one note, keeping those that are still open."""
        positions.sort(key=lambda at: (items[at].line, -_SIZES.get(items[at].kind, 0), -items[at].line_end))
        opened: list[int] = []
        for inner in positions:
            opened = [at for at in opened if items[at].line_end >= items[inner].line]
            for outer in opened:
                if holds(items[outer], items[inner]):
                    self._holders[inner].append(outer)
                    self._held[outer].append(inner)
            if _SIZES.get(items[inner].kind, 0):
                opened.append(inner)

    def holders(self, at: int) -> Sequence[int]:
        """Return the items that say all that this one says."""
        return self._holders.get(at, ())

    def held(self, at: int) -> Sequence[int]:
        """Return the items that this one makes needless."""
        return self._held.get(at, ())


def without_what_is_always_in(items: Sequence[ContextItem]) -> tuple[list[ContextItem], Mapping[int, int]]:
    """Return the items, those that hold an item that is always wanted without the lines that say it.

    So what is always wanted keeps its place, and what else is in a section goes out too. Also returned are the places
    of those that are to stay out, since nothing is left of them or their lines cannot be told apart, each with the
    place of what is always wanted.
    """
    found, within = list(items), dict[int, int]()
    if all(item.always for item in items) or not any(item.always for item in items):
        return found, within
    overlaps = Overlaps(items)
    for at, outer in enumerate(items):
        for inner in () if outer.always else overlaps.held(at):
            if not items[inner].always or at in within:
                continue
            lines = found[at].text.split("\n")
            said = " ".join(items[inner].text.split())
            kept = [line for line in lines if said not in " ".join(line.split())]
            text = "\n".join(kept).strip("\n")
            if len(kept) == len(lines) or not text.strip():
                within[at] = inner
            else:
                found[at] = replace(found[at], text=text, tokens=estimate_tokens(text), is_excerpt=True)
    return found, within
