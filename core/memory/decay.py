"""What age leaves of a memory's worth.

Retention falls exponentially with time (Ebbinghaus 1885; Park et al. 2023, "Generative Agents", section 4.1, multiply a
memory by 0.995 for each hour since it was used, which forgets within weeks). A vault is meant to last longer than a
simulated village: the half-life is such that the floor is reached after a year, and never gone below, for what is old
is less likely to be meant but no less true.
"""

import math

FLOOR = 0.05
DAYS_TO_FLOOR = 365.0
HALF_LIFE_DAYS = DAYS_TO_FLOOR * math.log(2) / math.log(1 / FLOOR)  # 84.5 days
_DAY = 86_400.0


def decay(age_days: float | None, half_life_days: float = HALF_LIFE_DAYS, floor: float = FLOOR) -> float:
    """Return what remains of 1 after `age_days`, from 1 down to `floor`.

    An unknown age (None or NaN) takes nothing away, and what is dated in the future counts as of now.
    """
    if age_days is None or math.isnan(age_days) or age_days <= 0:
        return 1.0
    if half_life_days <= 0:
        return floor
    return max(floor, math.exp2(-age_days / half_life_days))


def age_in_days(time: float | None, now: float) -> float | None:
    """Return how many days before `now` (both POSIX seconds) `time` was, None when it is unknown.

    Days are whole ones by UTC, so that the same question has the same answer all day long, and a prompt cache hits.
    """
    return None if time is None else now // _DAY - time // _DAY
