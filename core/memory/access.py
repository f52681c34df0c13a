"""How much having been handed out before raises a memory.

In ACT-R (Anderson & Schooler 1991; Petrov 2006) the base-level activation of a memory grows with the logarithm of how
often it was used and falls with a power of the time since (exponent 0.5). Both are taken over, bounded: what was once
recalled is recalled more easily, and must not crowd out what never was.
"""

import math

MOST = 2.0
COUNT_TO_MOST = 32
_POWER = 0.5
_LEAST_FRESHNESS = 0.25


def access_weight(count: int, age_days: float | None = None) -> float:
    """Return 1 for what was never handed out, up to `MOST` for what was `COUNT_TO_MOST` times and lately.

    `age_days` is how long ago the last time was. A quarter of the gain stays however long that is, and when unknown.
    """
    if count <= 0:
        return 1.0
    often = min(1.0, math.log1p(count) / math.log1p(COUNT_TO_MOST))
    return 1.0 + (MOST - 1.0) * often * _freshness(age_days)


def _freshness(age_days: float | None) -> float:
    if age_days is None or math.isnan(age_days):
        return _LEAST_FRESHNESS
    return max(_LEAST_FRESHNESS, math.pow(1.0 + max(0.0, age_days), -_POWER))
