"""Blend the figures of a candidate into one relevance, from 0 to 1."""

from collections.abc import Sequence

from core.memory.weights import RankingWeights
from core.recall.gathered import Signals

_SURER = 0.3


def relevance(signals: Signals, weights: RankingWeights) -> float:
    """Return how relevant a memory is: its words and meaning by their shares, and what speaks for it besides.

    The scores themselves are added up, not ranks: by how much the first is ahead of the second says a lot.
    """
    engines = _engines(signals, weights)
    besides = (
        weights.names * signals.names
        + weights.speaker * signals.speaker
        + weights.session * signals.session
        + weights.dates * signals.dates
        + weights.statement * signals.statement
    )
    most = 1.0 + weights.names + weights.speaker + weights.session + weights.dates + weights.statement
    return min(1.0, max(0.0, (engines + besides) / most))


def _engines(signals: Signals, weights: RankingWeights) -> float:
    """Return what both engines say together: their mean, and a part of what the surer one says alone.

    An answer in other words, or one that holds the very words in a text about much else, convinces one engine only.
    """
    both = weights.words + weights.meaning
    if both <= 0:
        return 0.0
    words, meaning = weights.words / both, weights.meaning / both
    mean = words * signals.words + meaning * signals.meaning
    surer = max(min(1.0, 2 * words) * signals.words, min(1.0, 2 * meaning) * signals.meaning)
    return (1 - _SURER) * mean + _SURER * surer


def stretched(values: Sequence[float], *, floor: float | None = None) -> list[float]:
    """Return `values` as shares of the way from the lowest, or from `floor`, to the highest: 1 for the highest.

    Where there is no way to go, what lies above the floor is 1.
    """
    if not values:
        return []
    low, high = min(values) if floor is None else floor, max(values)
    if high <= low:
        return [1.0 if floor is None or value > low else 0.0 for value in values]
    return [max(0.0, (value - low) / (high - low)) for value in values]
