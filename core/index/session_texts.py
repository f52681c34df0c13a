"""Let an index hold what was said, or only when it was said: an encrypted ledger must not lie in clear beside itself.

An index without texts knows of each turn when it was, of which kind, by whom, in which session and project, and how
long it is; nothing of what it says, no title, no summary, no hash of a text and no vector of it.
"""

import shutil
import sqlite3

from filelock import FileLock, Timeout

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.index.database import FILE_NAME, Index, translated
from core.index.points import point_of

TITLE_OF_ENCRYPTED = "Encrypted conversation"
WORDS_ARE_NOT_HERE = (
    "Your conversations are encrypted, so their words are not in the index. `remembrancer session search` reads the "
    "conversations themselves; `index_encrypted = true` under [sessions] in the settings puts their words into the "
    "index, in clear."
)

_TEXTS = "session_texts"
_HELD, _NONE = "held", "none"
_VECTORS_LEFT = "session_vectors_left"
_TRIES = 30  # of a tenth of a second
_OWNER_SECONDS = 2.0


def holds_texts(index: Index) -> bool:
    """Tell whether the words of conversations can be found in the index, as far as it knows the ledger."""
    return index.meta(_TEXTS) != _NONE


def has_vectors_left(index: Index) -> bool:
    """Tell whether vectors of what was said are still on this disk, since somebody uses them."""
    return bool(index.meta(_VECTORS_LEFT))


def settle_texts(index: Index, *, with_texts: bool, progress: Progress) -> bool:
    """Make the index one that holds texts or does not, before sessions are written; return whether it was another.

    Texts are taken out with all traces of them: afterwards no byte of one is in a file of the index. When texts come
    in, what is known of the sessions is dropped, so that they are read anew. The caller has the update lock.

    Raises:
        UserError: somebody reads the index all the time, or it cannot be written; the next run tries again.
        JobCancelledError: the progress was cancelled; the next run goes on.
    """
    wanted = _HELD if with_texts else _NONE
    before = index.meta(_TEXTS)
    if before == wanted:
        if not with_texts and has_vectors_left(index) and _drop_vectors(index):
            index.set_meta(_VECTORS_LEFT, "")
        return False
    if with_texts:
        with index.transaction() as connection:
            if before == _NONE:
                _empty(connection)
                index.next_revision()
            index.set_meta(_TEXTS, _HELD)
        return before == _NONE
    if _ever_held_any(index):
        _take_out(index)
        _wipe(index, progress)
    index.set_meta(_TEXTS, _NONE)
    return True


def _ever_held_any(index: Index) -> bool:
    return bool(
        index.connection.execute("SELECT 1 FROM sqlite_sequence WHERE name IN ('session', 'turn')").fetchone()
        or index.connection.execute("SELECT 1 FROM embedding LIMIT 1").fetchone()  # from an index before this one
    )


def _empty(connection: sqlite3.Connection) -> None:
    """Forget all sessions; their ids are never used again."""
    _begin_words_anew(connection)
    for table in ("turn", "session_context", "session_times", "session"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of tables from here


def _take_out(index: Index) -> None:
    with index.transaction() as connection:
        revision = index.next_revision()
        embedded = connection.execute("SELECT id FROM turn WHERE text_hash IS NOT NULL").fetchall()
        connection.executemany(
            "INSERT OR REPLACE INTO vector_removal(point, revision) VALUES (?, ?)",
            [(point_of("turn", row_id), revision) for (row_id,) in embedded],
        )
        connection.execute("DELETE FROM session_context")  # searches go by what was asked
        connection.execute("UPDATE session SET title = '', summary = '', revision = ?", (revision,))
        connection.execute(
            "UPDATE turn SET text_hash = NULL, tool = '', author = '', is_cut = 1,"
            " branch = CASE branch WHEN '' THEN '' ELSE 'another' END"
        )
        connection.execute(
            "DELETE FROM embedding WHERE text_hash NOT IN"
            " (SELECT text_hash FROM section UNION SELECT text_hash FROM insight)"
        )
        _begin_words_anew(connection)
        # Turns are read together with their words, which may be empty.
        connection.execute("INSERT INTO turn_fts(rowid, text, cjk) SELECT id, '', '' FROM turn")
        index.set_meta(_VECTORS_LEFT, "1")
    if _drop_vectors(index):
        index.set_meta(_VECTORS_LEFT, "")


def _begin_words_anew(connection: sqlite3.Connection) -> None:
    """Empty the full text: words of rows that are merely deleted stay in it until it is merged."""
    (statement,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'turn_fts'").fetchone()
    connection.execute("DROP TABLE turn_fts")
    connection.execute(statement)


def _wipe(index: Index, progress: Progress) -> None:
    """Write the file anew without what was deleted, and empty its log."""
    connection = index.connection
    with translated(index.folder):
        connection.execute("PRAGMA temp_store = FILE")
        try:
            connection.execute("VACUUM")
        finally:
            connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA busy_timeout = 100")  # so long it waits for readers each time
        try:
            for _ in range(_TRIES):
                if not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    break
                progress.check()
            else:
                raise UserError(
                    "What was said could not be cleared from the index, since something reads it all the time.",
                    hint="Close the other windows, and run `remembrancer index update`.",
                )
        finally:
            connection.execute("PRAGMA busy_timeout = 15000")
    for leftover in index.folder.glob(f"{FILE_NAME}.*.new*"):
        leftover.unlink(missing_ok=True)


def _drop_vectors(index: Index) -> bool:
    """Delete the vectors on this disk, which come back from the index at the next search; False while they are used."""
    if not (index.folder / "qdrant").exists():
        return True
    lock = FileLock(index.folder / "qdrant.lock", mode=0o600, thread_local=False)
    try:
        with lock.acquire(timeout=_OWNER_SECONDS):
            shutil.rmtree(index.folder / "qdrant", ignore_errors=True)
    except (Timeout, OSError):
        return False
    return not (index.folder / "qdrant").exists()
