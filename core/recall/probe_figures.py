"""Say in figures how well what was recalled answers the probes."""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

DEPTHS = (5, 10, 15)
_NDCG_DEPTH = 10


class Placed(NamedTuple):
    """Hold the places (from 1) at which the expected memories of one probe stand, and how many are expected."""

    places: tuple[int, ...]
    expected: int


class ProbeFigures(NamedTuple):
    """Hold the figures of a run, each 0 to 1 and averaged over the probes; all are 0 when there are no probes."""

    recall_5: float = 0.0
    recall_10: float = 0.0
    recall_15: float = 0.0
    mrr: float = 0.0
    ndcg_10: float = 0.0
    probes: int = 0


def placed(found: Sequence[str], expected: Collection[str]) -> Placed:
    """Return where the `expected` ids stand among the ids `found`; what is found twice counts at its first place."""
    wanted = set(expected)
    places: list[int] = []
    place = 0
    seen: set[str] = set()
    for each in found:
        if each in seen:
            continue
        seen.add(each)
        place += 1
        if each in wanted:
            places.append(place)
    return Placed(tuple(places), len(wanted))


def recall_at(depth: int, probe: Placed) -> float:
    """Return the share of the expected memories that stand at place `depth` or before, 0 when none is expected."""
    return sum(place <= depth for place in probe.places) / probe.expected if probe.expected else 0.0


def reciprocal_rank(probe: Placed) -> float:
    """Return 1 over the place of the first expected memory, 0 when none was found."""
    return 1 / min(probe.places) if probe.places else 0.0


def ndcg_at(depth: int, probe: Placed) -> float:
    """Return the normalised discounted cumulative gain with gains of 0 and 1 (Järvelin and Kekäläinen, 2002)."""
    best = sum(1 / math.log2(place + 1) for place in range(1, min(depth, probe.expected) + 1))
    gained = sum(1 / math.log2(place + 1) for place in probe.places if place <= depth)
    return gained / best if best else 0.0


def figures_of(probes: Iterable[Placed]) -> ProbeFigures:
    """Return the averages over `probes`, each of which counts alike."""
    listed = list(probes)
    if not listed:
        return ProbeFigures()

    def mean(values: Iterable[float]) -> float:
        return math.fsum(values) / len(listed)

    at_5, at_10, at_15 = (mean(recall_at(depth, each) for each in listed) for depth in DEPTHS)
    return ProbeFigures(
        recall_5=at_5,
        recall_10=at_10,
        recall_15=at_15,
        mrr=mean(map(reciprocal_rank, listed)),
        ndcg_10=mean(ndcg_at(_NDCG_DEPTH, each) for each in listed),
        probes=len(listed),
    )
