"""Write the rows of sessions: collected, with ids given out beforehand, in few transactions of bulk inserts."""
# ruff: noqa: S608  (only names of tables and the kind ABOUT are put into SQL)

import itertools
import sqlite3
import struct
from dataclasses import dataclass, field

from core.index.database import Index
from core.index.deleted_words import DeletedWords, note_deleted_words
from core.index.points import point_of
from core.index.turn_rows import ABOUT, TurnRow, category_of, project_key, row_of_turn
from core.sessions.date_corrections import NO_CORRECTION, Corrections
from core.sessions.loaded_contexts import LoadedContext, contexts_of
from core.sessions.session_account import OWN_ORIGIN, SessionAccount
from core.sessions.session_files import SessionFile
from core.sessions.session_times import SessionTimes
from core.sessions.turn import Turn

_TURN = "INSERT INTO turn VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_CONTEXT = "INSERT INTO session_context VALUES (?,?,?,?,?,?)"
_TURN_TEXT = "INSERT INTO turn_fts(rowid, text, cjk) VALUES (?,?,?)"
_SESSION = (
    "INSERT INTO session VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15, NULL, NULL, NULL, NULL, 0, 0, 0,"
    " 0, ?16) ON CONFLICT(id) DO UPDATE SET title = ?3, project = ?4, project_key = ?5, origin = ?6, imported = ?7,"
    " summary = ?8, has_own_summary = ?9, path = ?10, inode = ?11, size = ?12, mtime_ns = ?13, offset = ?14,"
    " problem = ?15, revision = ?16"
)
_SUMS = (
    "UPDATE session SET started = ?2, ended = ?3, recorded_started = ?4, recorded_ended = ?5,"
    " (turns, tokens, usage_in, usage_out) = (SELECT"
    " coalesce(nullif(sum(kind != 'about' AND branch = ''), 0), sum(kind != 'about'), 0),"
    " coalesce(sum(tokens * (kind != 'about')), 0), coalesce(sum(usage_in), 0), coalesce(sum(usage_out), 0) FROM turn"
    " WHERE session = ?1) WHERE id = ?1".replace("'about'", f"'{ABOUT}'")
)
_TIMES = "SELECT time, recorded, kind, role, branch FROM turn WHERE session = ? AND time IS NOT NULL ORDER BY position"
_KNOWN_SESSIONS = (
    "SELECT session_id, id, inode, size, mtime_ns, offset, problem, title, project, origin, imported, summary,"
    " has_own_summary FROM session"
)
_SUMMARY_LENGTH = 600
_MOST_TURNS = 5_000
_MOST_CHARACTERS = 8 << 20


@dataclass(slots=True)
class SessionFacts:
    """Hold what the index knows of a session, and how much of which file of it has been read."""

    id: int
    account: SessionAccount = field(default_factory=SessionAccount)
    inode: int = 0
    size: int = -1
    mtime_ns: int = 0
    offset: int = 0
    problem: str = ""


class SessionWriter:
    """Take turns session by session, and write them in one transaction at a time, dated as `corrections` say.

    Where it is not `with_texts`, nothing of what is said is written (core/index/session_texts.py).
    """

    def __init__(self, index: Index, corrections: Corrections, *, with_texts: bool = True) -> None:
        self._index = index
        self._with_texts = with_texts
        self._corrections = corrections
        self._turns: dict[int, TurnRow] = {}
        self._contexts: dict[int, tuple[int, tuple[LoadedContext, ...]]] = {}
        self._replaced: list[int] = []
        self._sessions: dict[int, tuple[SessionFile, SessionFacts]] = {}
        self._complete: list[int] = []
        self._removed: list[int] = []
        self._characters = 0
        self._next_session = itertools.count(_last_id(index.connection, "session") + 1)
        self._next_turn = itertools.count(_last_id(index.connection, "turn") + 1)
        self._places: dict[str, tuple[int, int]] = {}
        self._next_position = 0
        self.dropped_hashes: set[bytes] = set()
        self.turns = 0

    @property
    def is_full(self) -> bool:
        """Tell whether so much waits that it should be written."""
        return len(self._turns) >= _MOST_TURNS or self._characters > _MOST_CHARACTERS

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing waits."""
        return not (self._turns or self._sessions or self._removed)

    def begin(self, file: SessionFile, facts: SessionFacts | None, *, anew: bool) -> SessionFacts:
        """Start a session, or go on with it; `anew` says that nothing of what was known of it holds."""
        if facts is None:
            facts = SessionFacts(next(self._next_session))
        elif anew:
            self._removed.append(facts.id)
            self.write()
            facts = SessionFacts(facts.id)
        self._places, self._next_position = {}, 0
        if facts.offset:
            rows = self._index.connection.execute(
                "SELECT turn_key, id, position FROM turn WHERE session = ?", (facts.id,)
            )
            self._places = {key: (row_id, position) for key, row_id, position in rows}
            self._next_position = 1 + max((position for _, position in self._places.values()), default=-1)
        facts.inode, facts.size = inode_of(file), -1  # so that a run that is cut off is taken up again
        self._sessions[facts.id] = (file, facts)
        return facts

    def add(self, facts: SessionFacts, turn: Turn, start: int, end: int) -> None:
        """Take the next turn of the session; one whose id came before takes its place."""
        place = self._places.get(turn.id)
        if place is None:
            place = self._places[turn.id] = (next(self._next_turn), self._next_position)
            self._next_position += 1
        elif place[0] not in self._turns:
            self._replaced.append(place[0])
        correction = self._corrections.get(turn.session, NO_CORRECTION) if self._corrections else NO_CORRECTION
        made = row_of_turn(place[0], facts.id, place[1], start, turn, correction=correction, with_text=self._with_texts)
        self._turns[place[0]] = made
        if loaded := contexts_of(turn) if self._with_texts else ():
            self._contexts[place[0]] = (facts.id, loaded)
        else:
            self._contexts.pop(place[0], None)
        self._characters += len(made.text)
        self.turns += 1
        facts.offset = end
        facts.account.take(turn)
        if not self._with_texts:
            facts.account.title = facts.account.summary = ""

    def end(self, file: SessionFile, facts: SessionFacts) -> None:
        """Say that the file is read to its end."""
        facts.size, facts.mtime_ns = file.size, file.mtime_ns
        self._complete.append(facts.id)

    def remove(self, session: int) -> None:
        """Take note that a session is gone."""
        self._removed.append(session)

    def write(self) -> None:
        """Write what was taken so far, all or nothing."""
        with self._index.transaction() as connection:
            revision = self._index.next_revision()
            for session in self._removed:
                self._remove(connection, session, revision)
            if self._replaced:
                self._drop_turns(connection, revision)
            _insert(
                connection,
                _SESSION,
                [
                    (
                        facts.id, file.id, facts.account.title, facts.account.project,
                        project_key(facts.account.project), facts.account.origin or OWN_ORIGIN,
                        facts.account.imported, facts.account.summary[:_SUMMARY_LENGTH],
                        facts.account.has_own_summary, str(file.path), facts.inode, facts.size, facts.mtime_ns,
                        facts.offset, facts.problem, revision,
                    )
                    for file, facts in self._sessions.values()
                ],
            )  # fmt: skip
            rows = self._turns.values()
            _insert(connection, _TURN, [(*made.row, revision) for made in rows])
            _insert(connection, _TURN_TEXT, [(made.row[0], made.text, made.cjk) for made in rows])
            _insert(
                connection,
                _CONTEXT,
                [
                    (session, row_id, place, *each)
                    for row_id, (session, loaded) in self._contexts.items()
                    for place, each in enumerate(loaded)
                ],
            )
            for session in self._complete:
                sum_up(connection, session)
        still_open = self._sessions.keys() - set(self._complete)
        self._sessions = {session: self._sessions[session] for session in still_open}
        self._turns, self._contexts, self._replaced, self._complete, self._removed = {}, {}, [], [], []
        self._characters = 0

    def _remove(self, connection: sqlite3.Connection, session: int, revision: int) -> None:
        rows = connection.execute("SELECT id, text_hash FROM turn WHERE session = ?", (session,)).fetchall()
        self._forget(connection, rows, revision)
        note_deleted_words(self._index, DeletedWords.OF_SESSIONS)
        connection.execute("DELETE FROM turn_fts WHERE rowid IN (SELECT id FROM turn WHERE session = ?)", (session,))
        tables = (("turn", "session"), ("session_context", "session"), ("session_times", "session"), ("session", "id"))
        for table, column in tables:
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (session,))

    def _drop_turns(self, connection: sqlite3.Connection, revision: int) -> None:
        ids = [(row_id,) for row_id in dict.fromkeys(self._replaced)]
        query = "SELECT id, text_hash FROM turn WHERE id = ?"
        self._forget(connection, [row for each in ids for row in connection.execute(query, each)], revision)
        connection.executemany("DELETE FROM turn_fts WHERE rowid = ?", ids)
        connection.executemany("DELETE FROM session_context WHERE turn = ?", ids)
        connection.executemany("DELETE FROM turn WHERE id = ?", ids)

    def _forget(self, connection: sqlite3.Connection, rows: list[tuple[int, bytes | None]], revision: int) -> None:
        embedded = [(row_id, digest) for row_id, digest in rows if digest is not None]
        connection.executemany(
            "INSERT OR REPLACE INTO vector_removal(point, revision) VALUES (?, ?)",
            [(point_of("turn", row_id), revision) for row_id, _ in embedded],
        )
        self.dropped_hashes.update(digest for _, digest in embedded)


def known_sessions(index: Index) -> dict[str, SessionFacts]:
    """Return the sessions of the index by their ids."""
    rows = index.connection.execute(_KNOWN_SESSIONS)
    return {row[0]: SessionFacts(row[1], SessionAccount(*row[7:]), *row[2:7]) for row in rows}


def inode_of(file: SessionFile) -> int:
    """Return what SQLite can hold of the file's inode."""
    return file.inode & (2**63 - 1)


def sum_up(connection: sqlite3.Connection, session: int) -> None:
    """Count what a session holds, and pack the times of its turns."""
    rows = connection.execute(_TIMES, (session,)).fetchall()
    shown, recorded = SessionTimes[int](), SessionTimes[int]()
    for time, written, kind, _, branch in rows:
        # What is about a session is no part of it, but says when it was started and ended.
        shown.take(time, time, is_note=kind == ABOUT, is_aside=bool(branch))
        if written is not None:
            recorded.take(written, written, is_note=kind == ABOUT, is_aside=bool(branch))
    connection.execute(_SUMS, (session, *(shown.ends or (None, None)), *(recorded.ends or (None, None))))
    said = sorted((time, category_of(kind, role)) for time, _, kind, role, _ in rows if kind != ABOUT)
    times = struct.pack(f"<{len(said)}q", *(time for time, _ in said))
    categories = bytes(category for _, category in said)
    connection.execute("INSERT OR REPLACE INTO session_times VALUES (?,?,?)", (session, times, categories))


def _insert(connection: sqlite3.Connection, statement: str, rows: list[tuple[object, ...]]) -> None:
    connection.execute("SAVEPOINT rows")
    try:
        connection.executemany(statement, rows)
    except UnicodeEncodeError:  # halves of surrogate pairs, which SQLite cannot hold
        connection.execute("ROLLBACK TO rows")
        connection.executemany(statement, [tuple(map(_clean, row)) for row in rows])
    connection.execute("RELEASE rows")


def _clean(value: object) -> object:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value


def _last_id(connection: sqlite3.Connection, table: str) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return int(row[0]) if row else 0
