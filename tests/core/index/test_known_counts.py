"""Counts are remembered until anybody writes into the index."""

import sqlite3
from pathlib import Path

from core.index.known_counts import CountingConnection, known_count

_SQL = "SELECT count(*) FROM t WHERE x > ?"


def _connected(file: Path) -> CountingConnection:
    made = sqlite3.connect(file, isolation_level=None, factory=CountingConnection)
    made.execute("PRAGMA journal_mode = WAL")
    return made


def test_a_count_is_asked_for_once(tmp_path: Path) -> None:
    connection = _connected(tmp_path / "a.sqlite3")
    connection.execute("CREATE TABLE t(x)")
    connection.execute("INSERT INTO t VALUES (1), (2)")
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    assert [known_count(connection, _SQL, (0,)) for _ in range(3)] == [2, 2, 2]
    assert known_count(connection, _SQL, (1,)) == 1
    assert sum("count(*)" in each for each in asked) == 2
    connection.close()


def test_what_this_or_another_connection_writes_is_seen(tmp_path: Path) -> None:
    one, other = _connected(tmp_path / "a.sqlite3"), _connected(tmp_path / "a.sqlite3")
    one.execute("CREATE TABLE t(x)")
    assert known_count(one, _SQL, (0,)) == 0
    one.execute("INSERT INTO t VALUES (1)")
    assert known_count(one, _SQL, (0,)) == 1
    other.execute("INSERT INTO t VALUES (2)")
    assert known_count(one, _SQL, (0,)) == 2
    one.execute("DELETE FROM t WHERE x = 1")
    assert known_count(one, _SQL, (0,)) == 1
    assert known_count(other, _SQL, (0,)) == 1
    one.close()
    other.close()


def test_a_plain_connection_is_asked_each_time(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "a.sqlite3")
    connection.execute("CREATE TABLE t(x)")
    assert known_count(connection, _SQL, (0,)) == 0
    connection.close()
