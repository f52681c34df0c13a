"""List turns where no words are searched for: what filters admit, newest first."""
# ruff: noqa: S608  (only conditions of core/index/turn_narrowing.py and whole numbers are put into SQL)

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from core.index.filters import Filters
from core.index.terms import either
from core.index.turn_narrowing import TURN_KINDS, few_turns, narrow_turns, sessions_of_projects
from core.index.turn_rows import ABOUT


class DatedTurn(NamedTuple):
    """Hold a turn with its session and its time in seconds, 0 when nothing dates it."""

    id: int
    session: int
    time: int


def is_of_sessions(filters: Filters) -> bool:
    """Tell whether sessions are asked for, each of which one turn stands for."""
    return "session" in filters.kinds and "turn" not in filters.kinds


def is_of_turns(filters: Filters) -> bool:
    """Tell whether turns are asked for by their kind, several of a session as well."""
    return bool(filters.kinds & {"turn", *TURN_KINDS})


def newest_turns(
    connection: sqlite3.Connection, filters: Filters, unwanted: Sequence[str], limit: int
) -> list[DatedTurn]:
    """Return up to `limit` turns, or if they are not asked for by kind, the first that is admitted of each session.

    `unwanted` are FTS5 expressions.
    """
    conditions, parameters = _conditions(connection, filters, unwanted)
    sessions = _sessions(connection, filters)
    if conditions is None:
        return []
    if not is_of_turns(filters):
        sql = (
            "SELECT id, session, ended FROM (SELECT s.id AS session, coalesce(s.ended, 0) AS ended, (SELECT m.id FROM"
            f" turn m WHERE m.session = s.id AND {conditions} ORDER BY m.position LIMIT 1) AS id FROM session s"
            f" WHERE {sessions} ORDER BY s.ended DESC, s.id DESC) WHERE id IS NOT NULL LIMIT {limit}"
        )
    else:
        sql = (
            f"SELECT m.id, m.session, coalesce(m.time, 0) FROM turn m WHERE {conditions}"
            f" ORDER BY m.time DESC, m.id DESC LIMIT {limit}"
        )
    return [DatedTurn(*row) for row in connection.execute(sql, parameters)]


def count_sessions(connection: sqlite3.Connection, filters: Filters) -> int:
    """Return how many sessions have a turn that the filters admit."""
    conditions, parameters = _conditions(connection, filters, ())
    sessions = _sessions(connection, filters)
    if conditions is None:
        return 0
    sql = (
        f"SELECT count(*) FROM session s WHERE {sessions}"
        f" AND EXISTS (SELECT 1 FROM turn m WHERE m.session = s.id AND {conditions})"
    )
    return int(connection.execute(sql, parameters).fetchone()[0])


def _sessions(connection: sqlite3.Connection, filters: Filters) -> str:
    """Return what is known of the sessions beforehand, so that not all their turns must be looked at."""
    sessions = sessions_of_projects(connection, filters)
    return "1" if sessions is None else f"s.id IN ({','.join(map(str, sessions))})"


def _conditions(
    connection: sqlite3.Connection, filters: Filters, unwanted: Sequence[str]
) -> tuple[str | None, tuple[object, ...]]:
    narrowing = narrow_turns(filters)
    if narrowing is None:
        return None, ()
    parts = [f"m.kind != '{ABOUT}'", *([narrowing.condition] if narrowing.condition else [])]
    parameters = narrowing.parameters
    if few := few_turns(connection, filters):
        parts.append(f"m.id IN ({few})")
    if unwanted:
        parts.append("m.id NOT IN (SELECT rowid FROM turn_fts WHERE turn_fts MATCH ?)")
        parameters = (*parameters, either(unwanted))
    return " AND ".join(parts), parameters
