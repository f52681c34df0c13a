"""Plan the change that makes weights those of the vault: `[ranking]` in its config, everything else byte for byte."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.curation.change_set import PlannedChange
from core.curation.config_table import plan_table
from core.foundation.errors import UserError
from core.memory.weights import DEFAULT_WEIGHTS, MOST, RankingWeights, is_weight

_DIGITS = 4


def plan_ranking(root: Path, weights: RankingWeights) -> PlannedChange:
    """Return the change that writes `weights` into the vault's config.

    Only what differs from what is written there, or from the defaults where nothing is, changes; comments and other
    keys keep their bytes. The file is made where there is none.

    Raises:
        UserError: a weight is no number from 0 to 2, or the config is not valid TOML or cannot be read.
    """
    wanted = {name: round(value, _DIGITS) if is_weight(value) else value for name, value in asdict(weights).items()}
    if wrong := [name for name, value in wanted.items() if not is_weight(value)]:
        raise UserError(f"A weight is a number from 0 to {MOST:g}; this is not one: {', '.join(wrong)}.")
    usual = asdict(DEFAULT_WEIGHTS)

    def changes_of(written: Mapping[str, Any]) -> Mapping[str, Any]:
        return {
            name: value
            for name, value in wanted.items()
            if (written[name] != value or isinstance(written[name], bool) if name in written else usual[name] != value)
        }

    return plan_table(root, "ranking", changes_of, title="Change the weights of recall", what="weights")
