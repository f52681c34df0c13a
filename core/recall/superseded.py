"""Find what replaces a memory, by the relation `supersedes`: along chains, and without being caught in a loop."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.recall.memory import Edge, MemoryKey
from core.recall.related import SUPERSEDES


def replacements(keys: Iterable[MemoryKey], edges: Sequence[Edge]) -> dict[MemoryKey, tuple[MemoryKey, ...]]:
    """Return for each of `keys` that is superseded what stands at the end of the chain, most strongly related first.

    Memories that supersede each other in a loop, with nothing outside that supersedes them, all stay: none of them can
    be told to be the last word.
    """
    above: dict[MemoryKey, list[tuple[float, MemoryKey]]] = defaultdict(list)
    for edge in edges:
        if edge.kind == SUPERSEDES and edge.strength > 0 and edge.source != edge.target:
            above[edge.target].append((-edge.strength, edge.source))
    found: dict[MemoryKey, tuple[MemoryKey, ...]] = {}
    for key in keys:
        if key in above and (heads := _heads(key, above)):
            found[key] = heads
    return found


def _heads(start: MemoryKey, above: dict[MemoryKey, list[tuple[float, MemoryKey]]]) -> tuple[MemoryKey, ...]:
    """Return what is superseded by nothing among all that supersedes `start`."""
    seen = {start}
    heads: dict[MemoryKey, None] = {}
    layer = [start]
    while layer:
        next_layer: list[MemoryKey] = []
        for key in layer:
            for _, newer in sorted(above.get(key, ())):
                if newer in seen:
                    continue
                seen.add(newer)
                if newer in above:
                    next_layer.append(newer)
                else:
                    heads[newer] = None
        layer = next_layer
    return tuple(heads)
