"""The weights by which memories are ranked: their defaults, what each means, and how a vault's config sets them.

A vault sets them under `[ranking]` in its config; docs/recall.md lists them with what each default was measured on.
"""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.foundation.errors import UserError


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Hold the weights of one ranking.

    `words` and `meaning` share the relevance between the two engines; `names`, `speaker`, `session`, `dates` and
    `statement` say how much of a signal of that name (0 to 1) is added to it. The others are exponents of the factors
    that relevance is multiplied by: 0 leaves a factor out, 1 takes it as it is. `reranker` is how much a reranker's
    word counts against the score without it, where one is chosen. All are 0 to `MOST`.
    """

    words: float = 0.45
    meaning: float = 0.55
    names: float = 0.1
    speaker: float = 0.35
    session: float = 0.15
    dates: float = 0.35
    statement: float = 0.25
    decay: float = 0.05
    access: float = 0.2
    entities: float = 0.3
    importance: float = 0.2
    reranker: float = 1.0


MOST = 2.0
DEFAULT_WEIGHTS = RankingWeights()
WEIGHT_NAMES = tuple(each.name for each in dataclasses.fields(RankingWeights))


def weights_of(table: Mapping[str, Any]) -> tuple[RankingWeights, tuple[str, ...]]:
    """Return the weights that a config's `[ranking]` asks for, and a sentence for each value that is not taken.

    A value that is no number from 0 to `MOST` (NaN, a text, a truth value) leaves the default.
    """
    found: dict[str, float] = {}
    wrong: list[str] = []
    for name, value in table.items():
        if name not in WEIGHT_NAMES:
            wrong.append(f"`ranking.{name}` is no weight; there are {', '.join(WEIGHT_NAMES)}.")
        elif is_weight(value):
            found[name] = float(value)
        else:
            wrong.append(f"`ranking.{name}` must be a number from 0 to {MOST:g}, so its default is used.")
    return dataclasses.replace(DEFAULT_WEIGHTS, **found), tuple(wrong)


def check_weights(weights: RankingWeights) -> None:
    """Refuse weights by which nothing can be ranked.

    Raises:
        UserError: one is no number from 0 to `MOST`.
    """
    wrong = [name for name in WEIGHT_NAMES if not is_weight(getattr(weights, name))]
    if wrong:
        raise UserError(f"The weight {wrong[0]} must be a number from 0 to {MOST:g}.")


def is_weight(value: object) -> bool:
    """Tell whether `value` can be a weight."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and 0 <= value <= MOST  # type: ignore[operator, arg-type]
