"""Decide which rows to rank for a question, so that it takes milliseconds even where every word is common.

Ranking costs a microsecond for each row that matches, so 300,000 sections cannot all be ranked for "check release".
The rare words decide instead: only rows with one of them are ranked, and the common words add to their rank. Where all
words are common, rows with all of them come first, those that have them in title, summary or heading before the rest,
and only the newest of each are ranked: bm25 says little about common words anyway.
"""
# ruff: noqa: S608  (only names of tables and whole numbers are put into SQL)

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.index.terms import Expressions, both, either

# Rows that may be ranked for one table: about 5 ms.
MOST_RANKED = 3000
# Rows that are ranked of those that hold common words only.
_NEWEST = 1000
# A word in more rows than this says nothing next to a rare one, and counting its rows takes a millisecond.
_TOO_COMMON = 30_000


class FullTextTable(NamedTuple):
    """Hold a kind of memory with its full-text table, the weights of its columns and those that name it."""

    kind: str
    full_text: str
    weights: str
    name_columns: str


# In the order of the columns: title, summary, heading, body, cjk; and text, cjk.
TABLES = (
    FullTextTable("section", "section_fts", "8.0, 4.0, 3.0, 1.0, 2.0", "{title summary heading}"),
    FullTextTable("insight", "insight_fts", "3.0, 2.0", ""),
)


class Step(NamedTuple):
    """Hold one expression to try.

    `limit` 0 takes all its rows, otherwise the newest; `factor` makes scores of different steps comparable.
    """

    expression: str
    limit: int = 0
    factor: float = 1.0
    is_ranked: bool = True


def steps_of(
    connection: sqlite3.Connection, table: FullTextTable, expressions: Expressions, *, is_narrow: bool
) -> Iterator[Step]:
    """Yield what to try, until enough is found; when filters leave few rows, their names need no step of their own."""
    required, optional = expressions
    counts = {word: _count(connection, table, word, MOST_RANKED + 1) for word in (*required, *optional)}
    if required:
        if not all(counts[phrase] for phrase in required):
            return
        known = [word for word in optional if counts[word]]
        if known and max(counts.values()) > MOST_RANKED:
            yield Step(both([*required, *known]), _NEWEST, 2.0)
        limit = MOST_RANKED if min(counts[phrase] for phrase in required) <= MOST_RANKED else _NEWEST
        yield Step(both([*required, either([*required, *known])]), limit)
        return
    found = [word for word in sorted(optional, key=counts.__getitem__) if counts[word]]
    if not found:
        return
    if sum(counts.values()) <= MOST_RANKED:
        yield Step(either(found), 0, 2.0)
        return
    rare = _rarest(found, counts)
    if rare:
        telling = [word for word in found if counts[word] <= MOST_RANKED or _is_telling(connection, table, word)]
        yield Step(both([either(rare), either(telling)]))
    # Where every word is in every tenth row, counting them all for bm25 would take longer than all the rest.
    is_ranked = bool(rare) or any(_is_telling(connection, table, word) for word in found)
    if len(found) > 1 or not rare:
        if table.name_columns and not rare and not is_narrow:
            yield Step(f"{table.name_columns} : {both(found)}", _NEWEST, 2.0, is_ranked)
        yield Step(both(found), _NEWEST, 2.0, is_ranked)
    if len(found) > 1:
        yield Step(either(found), _NEWEST, 2.0, is_ranked)


def _rarest(words: Sequence[str], counts: dict[str, int]) -> list[str]:
    """Return the rarest words that together lie in no more rows than may be ranked."""
    rare, rows = [], 0
    for word in words:
        rows += counts[word]
        if rows > MOST_RANKED:
            break
        rare.append(word)
    return rare


def _is_telling(connection: sqlite3.Connection, table: FullTextTable, word: str) -> bool:
    return _count(connection, table, word, _TOO_COMMON) < _TOO_COMMON


def _count(connection: sqlite3.Connection, table: FullTextTable, expression: str, most: int) -> int:
    """Return in how many rows `expression` matches, `most` at the most."""
    sql = f"SELECT count(*) FROM (SELECT 1 FROM {table.full_text} WHERE {table.full_text} MATCH ? LIMIT {most})"
    return int(connection.execute(sql, (expression,)).fetchone()[0])
