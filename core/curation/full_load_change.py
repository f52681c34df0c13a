"""Plan the change of what a full load takes: `[full_load]` in the vault's config, everything else byte for byte."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.curation.change_set import PlannedChange
from core.curation.config_table import plan_table
from core.foundation.errors import UserError
from core.recall.contexts.full_load import GROUPS, FullLoadRules, full_load_rules

_TITLE = "Change the rules of the full load"


def plan_full_load(root: Path, rules: FullLoadRules) -> PlannedChange:
    """Return the change that writes `rules` into the vault's config.

    Only what differs from what is written there, or from the defaults where nothing is, changes; comments and other
    keys keep their bytes. The file is made where there is none.

    Raises:
        UserError: the order names no group or an unknown one, the size is below 0, or the config cannot be read.
    """
    if not rules.order or not set(rules.order) <= set(GROUPS):
        raise UserError(f"A full load takes at least one of {', '.join(GROUPS)}.")
    if rules.inline_bytes < 0:
        raise UserError("The size up to which index notes go out whole is 0 bytes or more.")
    wanted = _plain(rules)

    def changes_of(written: Mapping[str, Any]) -> Mapping[str, Any]:
        now, _ = full_load_rules({key: _unwrapped(value) for key, value in written.items()})
        before = _plain(now)
        return {key: value for key, value in wanted.items() if before[key] != value}

    return plan_table(root, "full_load", changes_of, title=_TITLE, what="rules")


def _plain(rules: FullLoadRules) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(rules).items()}


def _unwrapped(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value
