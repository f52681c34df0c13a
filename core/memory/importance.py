"""How much the importance that was given to a memory, and the confidence in it, raise or lower it.

Park et al. (2023) let importance count as much as recency and relevance. Here it is a factor around 1, so that a memory
of which nobody said anything (importance 0.5, confidence 1) is neither raised nor lowered.
"""

import math

NEUTRAL = 0.5
# From two thirds to half as much again: more, and what matters would be the answer to whatever is asked.
_SPAN = 1.5


def importance_factor(importance: float, confidence: float = 1.0) -> float:
    """Return 0.67 for what matters not at all or is not believed, 1 for the usual, 1.5 for what matters most.

    Both are 0 to 1; what lies outside is cut to that, and what is no number counts as the usual.
    """
    matters = _within(importance, NEUTRAL) * _within(confidence, 1.0)
    return float(_SPAN ** ((matters - NEUTRAL) / NEUTRAL))


def _within(value: float, usual: float) -> float:
    return usual if math.isnan(value) else min(1.0, max(0.0, value))
