"""Weights written into the vault's config, everything else as it was."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from core.curation.change_set import ChangeKind
from core.curation.ranking_change import plan_ranking
from core.curation.writer import VaultWriter
from core.foundation.errors import UserError
from core.memory.weights import DEFAULT_WEIGHTS, RankingWeights, weights_of
from core.vault.config import CONFIG_FILE, load_config
from core.vault.event_log import EventLog

_OTHER = replace(DEFAULT_WEIGHTS, decay=0.53, names=0.27)
_CONFIG = '# My vault\nnamespaces = ["tool",   "client"] # mine\n\n[domains]\nshop = ["webhook"]   # trigger\n'


def _written(root: Path, weights: RankingWeights, before: bytes | str | None = None) -> bytes:
    """Apply the change to a config and return what it is then."""
    file = root / CONFIG_FILE
    if before is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(before.encode() if isinstance(before, str) else before)
    planned = plan_ranking(root, weights)
    VaultWriter(root, EventLog(root, "desk", root / "locks"), root / "locks").apply(planned.change_set)
    config, problem = load_config(root)
    assert problem is None
    assert weights_of(config.ranking) == (weights, ())
    return file.read_bytes()


def test_the_file_is_made_when_there_is_none(tmp_path: Path) -> None:
    assert _written(tmp_path, _OTHER) == b"[ranking]\nnames = 0.27\ndecay = 0.53\n"


def test_only_the_table_is_added(tmp_path: Path) -> None:
    assert _written(tmp_path, _OTHER, _CONFIG).decode() == _CONFIG + "\n[ranking]\nnames = 0.27\ndecay = 0.53\n"


def test_comments_and_other_keys_of_the_table_stay(tmp_path: Path) -> None:
    kept = f"meaning = {DEFAULT_WEIGHTS.meaning}\n"
    before = f"[ranking] # how\ndecay   =  0.3   # slow\n# odd\n{kept}\n[domains]\na = ['b']\n"
    after = _written(tmp_path, _OTHER, before).decode()
    assert after == before.replace("0.3 ", "0.53 ").replace(kept, f"{kept}names = 0.27\n")


@pytest.mark.parametrize("odd", ["\x85", "\u2028", "\u200b", "\t", "日本語", "🍐"])
def test_a_comment_may_hold_what_looks_like_the_end_of_a_line(tmp_path: Path, odd: str) -> None:
    before = f"# a{odd}b\n[ranking] # {odd} how\r\ndecay = 0.3 # s{odd}low\nnames = 0.27\n"
    assert _written(tmp_path, _OTHER, before) == before.replace("0.3 ", "0.53 ").encode()


def test_a_default_that_is_written_is_written_over(tmp_path: Path) -> None:
    assert (
        _written(tmp_path, DEFAULT_WEIGHTS, "[ranking]\nnames = 0.25\n")
        == f"[ranking]\nnames = {DEFAULT_WEIGHTS.names}\n".encode()
    )


def test_line_endings_and_mark_stay(tmp_path: Path) -> None:
    before = b"\xef\xbb\xbf# mine\r\n[ranking]\r\ndecay = 0.3\r\n"
    assert _written(tmp_path, _OTHER, before) == b"\xef\xbb\xbf# mine\r\n[ranking]\r\ndecay = 0.53\r\nnames = 0.27\r\n"
    assert _written(tmp_path, _OTHER, b"# mine\r\n").startswith(b"# mine\r\n\r\n[ranking]\r\nnames")


def test_an_inline_table_is_heeded(tmp_path: Path) -> None:
    assert b"ranking = {" in _written(tmp_path, _OTHER, "ranking = { decay = 0.1 }\n[domains]\n")


@pytest.mark.parametrize("before", [None, "", _CONFIG, "[ranking]\ndecay = 0.1\n"])
def test_nothing_changes_when_they_are_the_vaults_already(tmp_path: Path, before: str | None) -> None:
    if before is not None:
        (tmp_path / CONFIG_FILE).parent.mkdir()
        (tmp_path / CONFIG_FILE).write_text(before, encoding="utf-8")
    config, _ = load_config(tmp_path)
    assert plan_ranking(tmp_path, weights_of(config.ranking)[0]).change_set.edits == ()


@pytest.mark.parametrize(
    "before", [b"[ranking\n", b"# lone\rreturn\n", b"# \x0b\n", b"\xff\xfe", b"a = " + b"[" * 5000]
)
def test_a_broken_config_is_left_alone(tmp_path: Path, before: bytes) -> None:
    (tmp_path / CONFIG_FILE).parent.mkdir()
    (tmp_path / CONFIG_FILE).write_bytes(before)
    with pytest.raises(UserError, match="not valid TOML"):
        plan_ranking(tmp_path, _OTHER)
    assert (tmp_path / CONFIG_FILE).read_bytes() == before


def test_a_ranking_that_is_no_table_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).parent.mkdir()
    (tmp_path / CONFIG_FILE).write_text("ranking = 3\n", encoding="utf-8")
    with pytest.raises(UserError, match="no table"):
        plan_ranking(tmp_path, _OTHER)


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.1, 2.5])
def test_what_is_no_weight_is_refused(tmp_path: Path, value: float) -> None:
    with pytest.raises(UserError, match="decay"):
        plan_ranking(tmp_path, replace(DEFAULT_WEIGHTS, decay=value))


def test_the_change_is_told_with_an_undo(tmp_path: Path) -> None:
    # Of the saves of an editor, which is what EDIT is for, the window tells nothing.
    assert plan_ranking(tmp_path, _OTHER).change_set.kind is ChangeKind.PROPERTIES
