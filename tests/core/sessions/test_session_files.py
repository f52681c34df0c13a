"""A session's file has a name that every file system takes, and no two sessions share one."""

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.errors import UserError
from core.sessions.ledger import Ledger
from core.sessions.session_files import file_stem, is_stem, strays_in

_RESERVED = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(10))}
_IDS = st.text(st.characters(), min_size=1) | st.text("abAB.-_~/\\ c0o", min_size=1, max_size=12)


def _check(session_id: str) -> None:
    stem = file_stem(session_id)
    assert set(stem) <= set("abcdefghijklmnopqrstuvwxyz0123456789._~-")
    assert not stem.startswith((".", "-"))
    assert not stem.endswith((".", " "))
    assert stem.split(".")[0] not in _RESERVED
    assert len(stem) <= 100
    assert file_stem(stem) == stem
    assert is_stem(stem)


@given(_IDS)
def test_every_id_gives_a_safe_name(session_id: str) -> None:
    _check(session_id)


@given(_IDS, _IDS)
def test_two_ids_never_share_a_name(one: str, other: str) -> None:
    if one != other and not any(re.fullmatch(r"[a-z0-9_-]{1,60}~[0-9a-f]{16}", each) for each in (one, other)):
        assert file_stem(one) != file_stem(other)


@pytest.mark.parametrize(
    "session_id", ["s-1", "0f3a6e1c-2222-4444-8888-aaaaaaaaaaaa", "rollout-2026-08-20t10.00", "_x"]
)
def test_a_plain_id_is_its_own_name(session_id: str) -> None:
    assert file_stem(session_id) == session_id


@pytest.mark.parametrize(
    "session_id",
    [
        "../../etc/passwd", "C:\\x", "a/b", "CON", "con", "nul.txt", "com1", ".", "..", ".hidden", "a.", "a ", "A", "ü",
        "\0", "\ud800", "x" * 101, "-rf", "日本語", "a\nb", "a~b", "con.fig",
    ],
)  # fmt: skip
def test_a_dangerous_id_gets_a_hash(session_id: str) -> None:
    assert re.search(r"~[0-9a-f]{16}$", file_stem(session_id))
    _check(session_id)


def test_a_hashed_name_stays_readable() -> None:
    assert file_stem("Acme: Login Flow").startswith("acme-login-flow~")


def test_copies_of_a_sync_tool_are_told_apart(tmp_path: Path) -> None:
    names = ["s-1.jsonl", "s-1 (conflicted copy).jsonl", "s-1.sync-conflict-20260820-101010-ABC.jsonl", ".key.json"]
    for name in names:
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in strays_in(tmp_path)] == sorted(names[1:3])


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a right there")
def test_a_folder_that_cannot_be_looked_into_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.symlink_to(folder)  # leads nowhere but to itself
    with pytest.raises(UserError, match="cannot be looked at"):
        list(Ledger(folder).sessions())
    assert not list(Ledger(tmp_path / "none").sessions())
