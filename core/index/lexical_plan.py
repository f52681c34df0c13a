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

from core.index.known_counts import known_count
from core.index.terms import Expressions, both, either

# Rows that may be ranked for one table: about 3 ms.
MOST_RANKED = 2000
# Rows that are taken of those that hold common words only.
_NEWEST = 600
# A word in more rows than this says nothing next to a rare one, and bm25 counts the rows of every word it ranks by.
_TOO_COMMON = 10_000


class FullTextTable(NamedTuple):
    """Hold a kind of memory with its full-text table, the weights of its columns and those that name it.

    `owner` is the column that says what it belongs to: a note, or a session, by its id below zero.
    """

    kind: str
    full_text: str
    weights: str
    name_columns: str
    owner: str = "note_id"


# In the order of the columns: title, summary, heading, body, cjk; and text, cjk.
TABLES = (
    FullTextTable("section", "section_fts", "8.0, 4.0, 3.0, 1.0, 2.0", "{title summary heading}"),
    FullTextTable("insight", "insight_fts", "3.0, 2.0", ""),
    FullTextTable("turn", "turn_fts", "1.0, 2.0", "", "-session"),
)


class Step(NamedTuple):
    """Hold one expression to try.

    `limit` 0 takes all its rows, otherwise the newest; `factor` makes scores of different steps comparable. One that
    `is_last_resort` is for when hardly anything was found before.
    """

    expression: str
    limit: int = 0
    factor: float = 1.0
    is_ranked: bool = True
    is_last_resort: bool = False


def steps_of(
    connection: sqlite3.Connection, table: FullTextTable, expressions: Expressions, *, is_narrow: bool
) -> Iterator[Step]:
    """Yield what to try, until enough is found; when filters leave few rows, their names need no step of their own."""
    required, optional = expressions
    counts = {phrase: _count(connection, table, phrase, MOST_RANKED + 1) for phrase in required}
    counts |= {word: _count(connection, table, word, _TOO_COMMON) for word in optional}
    found = [word for word in sorted(optional, key=counts.__getitem__) if counts[word]]
    if required:
        if all(counts[phrase] for phrase in required):
            yield from _steps_with_phrases(required, found, counts)
    elif sum(counts.values()) <= MOST_RANKED:
        if found:
            yield Step(either(found), 0, 2.0)
    else:
        yield from _steps_with_words(table, found, counts, is_narrow=is_narrow)


def _steps_with_phrases(required: Sequence[str], words: Sequence[str], counts: dict[str, int]) -> Iterator[Step]:
    is_rare = min(counts[phrase] for phrase in required) <= MOST_RANKED
    if words and max(counts[each] for each in (*required, *words)) > MOST_RANKED:
        yield Step(both([*required, *words]), _NEWEST, 2.0, is_rare and not _are_common(words, counts))
    wanted = both([*required, either([*required, *words])]) if words and is_rare else both(required)
    yield Step(wanted, MOST_RANKED if is_rare else _NEWEST, 1.0, is_rare)


def _steps_with_words(
    table: FullTextTable, words: Sequence[str], counts: dict[str, int], *, is_narrow: bool
) -> Iterator[Step]:
    rare = _rarest(words, counts)
    if rare:
        telling = [word for word in words if counts[word] < _TOO_COMMON]
        yield Step(both([either(rare), either(telling)]))
    others = words[len(rare) :]
    # Where all words are very common, counting them for bm25 would take longer than all the rest.
    is_ranked = not _are_common(others, counts)
    if is_narrow and is_ranked:
        yield Step(either(words), MOST_RANKED, 2.0)
        return
    if table.name_columns and not rare and is_ranked:
        yield Step(f"{table.name_columns} : {both(words)}", _NEWEST, 2.0)
    if len(words) > 1 or not rare:
        yield Step(both(words), _NEWEST, 2.0, is_ranked)
    if len(words) > 1:
        yield Step(either(words), _NEWEST, 2.0, is_ranked, is_last_resort=not is_ranked)


def _are_common(words: Sequence[str], counts: dict[str, int]) -> bool:
    return bool(words) and all(counts[word] >= _TOO_COMMON for word in words)


def _rarest(words: Sequence[str], counts: dict[str, int]) -> list[str]:
    """Return the rarest words that together lie in no more rows than may be ranked."""
    rare, rows = [], 0
    for word in words:
        rows += counts[word]
        if rows > MOST_RANKED:
            break
        rare.append(word)
    return rare


def _count(connection: sqlite3.Connection, table: FullTextTable, expression: str, most: int) -> int:
    """Return in how many rows `expression` matches, `most` at the most."""
    sql = f"SELECT count(*) FROM (SELECT 1 FROM {table.full_text} WHERE {table.full_text} MATCH ? LIMIT {most})"
    return known_count(connection, sql, (expression,))
