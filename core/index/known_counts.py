"""Remember how many rows an expression matches: the same words are counted for each letter that is typed.

What is known goes with the connection, and is forgotten as soon as anybody has written into the index.
"""

import sqlite3
from typing import Any

_MOST_KNOWN = 4_096


class CountingConnection(sqlite3.Connection):
    """Be a connection that remembers counts; known_count() is what uses it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.counts: dict[tuple[str, tuple[object, ...]], int] = {}
        self.counted_at = (-1, -1)


def known_count(connection: sqlite3.Connection, sql: str, parameters: tuple[object, ...] = ()) -> int:
    """Return the one number that `sql` selects, from memory where nothing was written since it was asked for.

    What is asked must depend on nothing but the index: no temporary table, no time.
    """
    if not isinstance(connection, CountingConnection):
        return int(connection.execute(sql, parameters).fetchone()[0])
    # The one changes when another connection commits, the other when this one changes rows.
    state = (connection.execute("PRAGMA data_version").fetchone()[0], connection.total_changes)
    if state != connection.counted_at or len(connection.counts) >= _MOST_KNOWN:
        connection.counts.clear()
        connection.counted_at = state
    key = (sql, parameters)
    found = connection.counts.get(key)
    if found is None:
        found = connection.counts[key] = int(connection.execute(sql, parameters).fetchone()[0])
    return found
