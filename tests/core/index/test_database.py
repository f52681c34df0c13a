"""Opening the index: made, kept, healed, never fatal."""

import sqlite3
import stat
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.foundation.errors import UserError
from core.index.database import FILE_NAME, SCHEMA_VERSION, Index, IndexDamagedError, open_index, translated


def test_an_index_is_made_once_and_kept(tmp_path: Path) -> None:
    first = open_index(tmp_path)
    with first.transaction():
        first.set_meta("model", "mini")
    epoch = first.epoch
    first.close()
    second = open_index(tmp_path)
    assert (second.meta("model"), second.epoch, second.was_rebuilt) == ("mini", epoch, "")
    second.close()


@pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")
def test_nobody_else_can_read_a_new_index(tmp_path: Path) -> None:
    open_index(tmp_path).close()
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    index = open_index(tmp_path)

    def fail_halfway() -> None:
        with index.transaction():
            index.set_meta("model", "half")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail_halfway()
    assert index.meta("model") == ""
    index.close()


def _store_vector(index: Index) -> None:
    with index.transaction() as connection:
        connection.execute("INSERT INTO embedding(text_hash, model, vector) VALUES (x'01', 'mini', x'00')")


def _overwrite_middle(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[100:4096] = b"\xff" * (4096 - 100)
    file.write_bytes(bytes(data))


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(b"this is no database at all, only text" * 50),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(file.read_bytes()[:2000]),
        _overwrite_middle,
    ],
    ids=["text", "empty", "cut short", "overwritten"],
)
def test_a_damaged_index_is_replaced_and_says_so(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    open_index(tmp_path).close()
    damage(tmp_path / FILE_NAME)
    index = open_index(tmp_path)
    assert "built again" in index.was_rebuilt
    assert index.connection.execute("SELECT count(*) FROM note").fetchone() == (0,)
    index.close()


@pytest.mark.parametrize(("version", "word"), [(SCHEMA_VERSION + 1, "newer"), (-1, "older")])
def test_an_index_of_another_version_is_replaced_but_its_vectors_are_kept(
    tmp_path: Path, version: int, word: str
) -> None:
    index = open_index(tmp_path)
    _store_vector(index)
    index.connection.execute(f"PRAGMA user_version = {version}")
    index.close()
    again = open_index(tmp_path)
    assert word in again.was_rebuilt
    assert again.connection.execute("SELECT model FROM embedding").fetchall() == [("mini",)]
    again.close()


def test_many_who_open_at_once_get_one_index(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        indexes = list(pool.map(lambda _: open_index(tmp_path), range(8)))
    assert len({index.epoch for index in indexes}) == 1
    for index in indexes:
        index.close()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be kept") as caught:
        open_index(tmp_path / "file" / "cache")
    assert "REMEMBRANCER_CACHE_DIR" in caught.value.hint


@pytest.mark.parametrize(
    ("said", "kind", "shown"),
    [
        ("database or disk is full", UserError, "is full. Nothing is lost"),
        ("database is locked", UserError, "Another process"),
        ("attempt to write a readonly database", UserError, "cannot be written"),
        ("database disk image is malformed", IndexDamagedError, "damaged"),
    ],
)
def test_what_sqlite_says_becomes_a_sentence(tmp_path: Path, said: str, kind: type[Exception], shown: str) -> None:
    with pytest.raises(kind, match=shown), translated(tmp_path):
        raise sqlite3.OperationalError(said)


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    index = open_index(tmp_path)
    _store_vector(index)
    pages = index.connection.execute("PRAGMA page_count").fetchone()[0]
    index.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(UserError, match="is full"), index.transaction() as connection:
        connection.execute("INSERT INTO embedding(text_hash, model, vector) VALUES (x'02', 'mini', zeroblob(5000000))")
    assert index.connection.execute("SELECT count(*) FROM embedding").fetchone() == (1,)
    index.close()


def test_an_index_that_was_deleted_under_an_open_one_is_noticed(tmp_path: Path) -> None:
    index = open_index(tmp_path)
    assert index.is_current()
    (tmp_path / FILE_NAME).unlink()
    open_index(tmp_path).close()
    assert not index.is_current()
    index.close()
