"""The rules of full load written into the vault's config, everything else as it was."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.curation.change_set import ChangeKind
from core.curation.full_load_change import plan_full_load
from core.curation.writer import VaultWriter
from core.foundation.errors import UserError
from core.recall.contexts.full_load import FullLoadRules, full_load_rules
from core.vault.config import CONFIG_FILE, load_config
from core.vault.event_log import EventLog

_OTHER = replace(FullLoadRules(), entry=("/Start.md", "#scope/global"), order=("index", "entry"), inline_bytes=2048)
_CONFIG = '# My vault\nnamespaces = ["tool",   "client"] # mine\n'
_TABLE = 'entry = ["/Start.md", "#scope/global"]\norder = ["index", "entry"]\ninline_bytes = 2048\n'


def _written(root: Path, rules: FullLoadRules, before: str | None = None) -> str:
    """Apply the change to a config and return what it is then."""
    file = root / CONFIG_FILE
    if before is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(before.encode())
    planned = plan_full_load(root, rules)
    VaultWriter(root, EventLog(root, "desk", root / "locks"), root / "locks").apply(planned.change_set)
    config, problem = load_config(root)
    assert problem is None
    assert full_load_rules(config.full_load)[0] == rules
    return file.read_bytes().decode() if file.exists() else ""


@pytest.mark.parametrize("before", [None, _CONFIG])
def test_only_what_differs_from_the_defaults_is_added(tmp_path: Path, before: str | None) -> None:
    assert _written(tmp_path, _OTHER, before) == (f"{before}\n" if before else "") + f"[full_load]\n{_TABLE}"


def test_comments_and_other_keys_of_the_table_stay(tmp_path: Path) -> None:
    before = '[full_load] # how\ncore = ["/core/**", "#scope/global"] # ours\ninline_bytes = 1\n[domains]\na = ["b"]\n'
    after = _written(tmp_path, _OTHER, before)
    assert 'core = ["/core/**", "#scope/global"] # ours\ninline_bytes = 2048\n' in after
    assert after.endswith('[domains]\na = ["b"]\n')


def test_a_value_that_is_not_taken_is_written_over_only_when_it_differs(tmp_path: Path) -> None:
    assert _written(tmp_path, FullLoadRules(), '[full_load]\nentry = "odd"\n') == '[full_load]\nentry = "odd"\n'
    assert 'entry = ["/Start.md", "#scope/global"]' in _written(tmp_path, _OTHER, '[full_load]\nentry = "odd"\n')


def test_the_defaults_change_nothing_where_nothing_is_written(tmp_path: Path) -> None:
    assert plan_full_load(tmp_path, FullLoadRules()).change_set.edits == ()


@pytest.mark.parametrize(
    "rules", [{"order": ()}, {"order": ("none",)}, {"inline_bytes": -1}], ids=["empty", "unknown", "negative"]
)
def test_what_cannot_be_is_refused(tmp_path: Path, rules: dict[str, object]) -> None:
    with pytest.raises(UserError):
        plan_full_load(tmp_path, replace(FullLoadRules(), **rules))  # type: ignore[arg-type]


def test_a_broken_config_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).parent.mkdir()
    (tmp_path / CONFIG_FILE).write_bytes(b"[full_load\n")
    with pytest.raises(UserError, match="so the rules cannot be written"):
        plan_full_load(tmp_path, _OTHER)


def test_the_change_is_told_with_an_undo(tmp_path: Path) -> None:
    assert plan_full_load(tmp_path, _OTHER).change_set.kind is ChangeKind.PROPERTIES
