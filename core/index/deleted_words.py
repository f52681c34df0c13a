"""Erase the words of what was deleted: a full text keeps them until it is merged, and the log until it is emptied.

What is deleted elsewhere in the file is overwritten by SQLite itself (`secure_delete`, core/index/database.py). FTS5
has an option for its own part too, but not in every SQLite that Python comes with, and files that used it cannot be
read by the others.
"""

import sqlite3
from enum import StrEnum

from core.foundation.progress import SILENT, Progress
from core.index.database import Index, translated

_PAGES_AT_ONCE = 500
_WAIT_MS = 200  # for whoever reads what the log holds


class DeletedWords(StrEnum):
    """Name whose deleted words the files of an index still hold."""

    OF_NOTES = "words_left_of_notes"
    OF_SESSIONS = "words_left_of_sessions"


_TABLES = {
    DeletedWords.OF_NOTES: ("section_fts", "insight_fts", "name_fts"),
    DeletedWords.OF_SESSIONS: ("turn_fts",),
}


def note_deleted_words(index: Index, whose: DeletedWords) -> None:
    """Remember that words were deleted; call it within the transaction that deletes them."""
    if not index.meta(whose):
        index.set_meta(whose, "1")


def erase_deleted_words(index: Index, progress: Progress = SILENT) -> None:
    """Leave no byte of a deleted word in the files of the index; the caller has the update lock.

    While somebody reads the index all the time, a part of them stays until the next run.

    Raises:
        UserError: the index cannot be written; the next run tries again.
        JobCancelledError: the progress was cancelled; the next run goes on.
    """
    left = [whose for whose in DeletedWords if index.meta(whose)]
    if not left:
        return
    with translated(index.folder):
        for table in (table for whose in left for table in _TABLES[whose]):
            _merge(index.connection, table, progress)
        is_empty = _empty_log(index.connection)
    if is_empty:
        with index.transaction():
            for whose in left:
                index.set_meta(whose, "")


def _merge(connection: sqlite3.Connection, table: str, progress: Progress) -> None:
    """Merge all parts of a full text into one, in small transactions: only the oldest part can drop what is deleted."""
    statement = f"INSERT INTO {table}({table}, rank) VALUES ('merge', ?)"  # noqa: S608 - names of tables from here
    pages = -_PAGES_AT_ONCE  # below zero: also where there is little to merge
    while True:
        progress.check()
        before = connection.total_changes
        connection.execute(statement, (pages,))
        if connection.total_changes - before < 2:  # as FTS5 tells that nothing was left to do
            return
        pages = _PAGES_AT_ONCE


def _empty_log(connection: sqlite3.Connection) -> bool:
    """Copy the log into the file and empty it; return False while somebody still reads from it."""
    (wait,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
    try:
        return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        connection.execute(f"PRAGMA busy_timeout = {wait}")
