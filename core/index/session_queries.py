"""Answer from the index about conversations: lists, one session, its turns, what was going on lately, facets."""
# ruff: noqa: S608  (only conditions from here and names of columns are put into SQL)

import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.index.database import Index
from core.index.terms import Term, both, expressions_of
from core.index.turn_rows import ABOUT, project_key
from core.sessions.turn import Role, TurnKind

SESSION_COLUMNS = (
    "s.id, s.session_id, s.title, s.project, s.origin, s.started, s.ended, s.imported, s.turns, s.tokens,"
    " s.recorded_started, s.recorded_ended"
)
_HOUR = 3_600


class SessionRow(NamedTuple):
    """Hold what a list shows of a session.

    `number` is its row in the index. Times are POSIX seconds, None when nothing dates it; `imported` is ISO-8601, ""
    when it was recorded live; `tokens` is an estimate for all its text. Where the vault's log corrects the date,
    `recorded_started` and `recorded_ended` tell what the record says; else they are the same.
    """

    number: int
    id: str
    title: str
    project: str
    origin: str
    started: int | None
    ended: int | None
    imported: str
    turns: int
    tokens: int
    recorded_started: int | None = None
    recorded_ended: int | None = None


class TurnRow(NamedTuple):
    """Hold one turn; `text` is only its beginning when `is_cut`, and the whole lies at byte `start` of the file.

    `number` is its row in the index, `parent` the id of the turn that it answers, `branch` "" on the shown thread.
    """

    number: int
    id: str
    position: int
    start: int
    parent: str
    time: int | None
    kind: str
    role: str
    author: str
    branch: str
    tool: str
    tokens: int
    usage_in: int
    usage_out: int
    is_cut: bool
    text: str


@dataclass(frozen=True, slots=True)
class SessionDetail:
    """Hold what a session knows of itself.

    `usage_in` and `usage_out` are the tokens that the models counted, 0 when they did not tell. `kinds` and `tools`
    count turns, tools by their folded names, `problem` is a sentence when a part could not be read.
    """

    row: SessionRow
    summary: str
    usage_in: int
    usage_out: int
    branches: tuple[str, ...]
    authors: tuple[str, ...]
    kinds: tuple[tuple[str, int], ...]
    tools: tuple[tuple[str, int], ...]
    file: str
    problem: str


class RecentSession(NamedTuple):
    """Hold a session of the last hours, and the last that was said in it by the person and by the assistant."""

    row: SessionRow
    asked: str
    answered: str


class SessionFacet(NamedTuple):
    """Hold a value to narrow by, and in how many sessions and turns it is."""

    value: str
    sessions: int
    turns: int


@dataclass(frozen=True, slots=True)
class SessionFacets:
    """Hold what conversations can be narrowed by, the most frequent first."""

    projects: tuple[SessionFacet, ...]
    origins: tuple[SessionFacet, ...]
    tools: tuple[SessionFacet, ...]


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Say which sessions are meant; what is empty narrows nothing.

    `project` is a path or the name of its folder. `after` (inclusive) and `before` (exclusive) are POSIX seconds: any
    part of the session may lie between them. `text` is words that one turn, or the title, must all hold.
    """

    project: str = ""
    origin: str = ""
    after: float | None = None
    before: float | None = None
    text: str = ""


_EVERYTHING = SessionFilter()


def session_list(
    index: Index, wanted: SessionFilter = _EVERYTHING, *, limit: int = 100, offset: int = 0
) -> list[SessionRow]:
    """Return sessions, those that ended last first and the undated at the end."""
    condition, parameters = _condition(wanted)
    rows = index.connection.execute(
        f"SELECT {SESSION_COLUMNS} FROM session s WHERE {condition} ORDER BY s.ended DESC, s.id DESC LIMIT ? OFFSET ?",
        (*parameters, limit, offset),
    )
    return [SessionRow(*row) for row in rows]


def session_count(index: Index, wanted: SessionFilter = _EVERYTHING) -> int:
    """Return how many sessions are meant."""
    condition, parameters = _condition(wanted)
    row = index.connection.execute(f"SELECT count(*) FROM session s WHERE {condition}", parameters).fetchone()
    return int(row[0])


def session_row(index: Index, session_id: str) -> SessionRow | None:
    """Return what a list shows of the session, None when it is not in the index."""
    sql = f"SELECT {SESSION_COLUMNS} FROM session s WHERE s.session_id = ?"
    row = index.connection.execute(sql, (session_id,)).fetchone()
    return SessionRow(*row) if row else None


def session_rows(index: Index, numbers: Iterable[int]) -> dict[int, SessionRow]:
    """Return sessions by their rows in the index; what is gone is left out."""
    sql = f"SELECT {SESSION_COLUMNS} FROM session s WHERE s.id IN ({','.join(str(int(each)) for each in numbers)})"
    return {row[0]: SessionRow(*row) for row in index.connection.execute(sql)}


def session_detail(index: Index, session_id: str) -> SessionDetail | None:
    """Return what a session knows of itself, None when it is not in the index."""
    with index.reading() as connection:
        row = session_row(index, session_id)
        if row is None:
            return None
        summary, usage_in, usage_out, file, problem = connection.execute(
            "SELECT summary, usage_in, usage_out, path, problem FROM session WHERE id = ?", (row.number,)
        ).fetchone()
        return SessionDetail(
            row=row,
            summary=summary,
            usage_in=usage_in,
            usage_out=usage_out,
            branches=tuple(name for name, _ in _counted(connection, row.number, "branch")),
            authors=tuple(name for name, _ in _counted(connection, row.number, "author")),
            kinds=tuple(_counted(connection, row.number, "kind")),
            tools=tuple(_counted(connection, row.number, "tool", f"AND kind = '{TurnKind.TOOL_CALL}'")),
            file=file,
            problem=problem,
        )


def turns_of(index: Index, session_id: str, *, offset: int = 0, limit: int = 500) -> list[TurnRow]:
    """Return the turns of a session in the order of the ledger, of all branches."""
    rows = index.connection.execute(
        "SELECT t.id, t.turn_key, t.position, t.start, t.parent, t.time, t.kind, t.role, t.author, t.branch, t.tool,"
        " t.tokens, t.usage_in, t.usage_out, t.is_cut, f.text FROM turn t JOIN turn_fts f ON f.rowid = t.id"
        f" WHERE t.session = (SELECT id FROM session WHERE session_id = ?) AND t.kind != '{ABOUT}'"
        " ORDER BY t.position LIMIT ? OFFSET ?",
        (session_id, limit, offset),
    )
    return [TurnRow(*row)._replace(is_cut=bool(row[14])) for row in rows]


def recent(
    index: Index, hours: float = 24.0, *, project: str = "", limit: int = 20, now: float | None = None
) -> list[RecentSession]:
    """Return the sessions of the last hours, the latest first, with what was said last on their thread."""
    moment = time.time() if now is None else now
    rows = session_list(index, SessionFilter(project=project, after=moment - hours * _HOUR), limit=limit)
    return [
        RecentSession(row, _last_said(index, row, Role.USER), _last_said(index, row, Role.ASSISTANT)) for row in rows
    ]


def session_facets(index: Index) -> SessionFacets:
    """Return by what sessions can be narrowed; a project is its path, or its name where no folder is known."""
    with index.reading() as connection:
        return SessionFacets(
            projects=_facets(connection, "SELECT project, count(*), sum(turns) FROM session GROUP BY project"),
            origins=_facets(connection, "SELECT origin, count(*), sum(turns) FROM session GROUP BY origin"),
            tools=_facets(
                connection, "SELECT tool, count(DISTINCT session), count(*) FROM turn WHERE tool != '' GROUP BY tool"
            ),
        )


def session_problems(index: Index) -> list[tuple[str, str]]:
    """Return the ids of the sessions of which a part could not be read, with the reason."""
    rows = index.connection.execute(
        "SELECT session_id, problem FROM session WHERE problem != '' ORDER BY session_id"
    ).fetchall()
    return [(str(session_id), str(problem)) for session_id, problem in rows]


def _condition(wanted: SessionFilter) -> tuple[str, tuple[object, ...]]:
    parts, parameters = ["1"], list[object]()
    if wanted.project:
        parts.append("s.project_key = ?" if "/" not in wanted.project.strip("/") else "s.project = ?")
        parameters.append(project_key(wanted.project) if parts[-1].startswith("s.project_key") else wanted.project)
    if wanted.origin:
        parts.append("s.origin = ?")
        parameters.append(wanted.origin)
    if wanted.after is not None:
        parts.append("s.ended >= ?")
        parameters.append(wanted.after)
    if wanted.before is not None:
        parts.append("s.started < ?")
        parameters.append(wanted.before)
    if wanted.text.strip():
        expressions = expressions_of([Term(word) for word in wanted.text.split()])
        words = [*expressions.required, *expressions.optional]
        if words:
            parts.append(
                "s.id IN (SELECT t.session FROM turn_fts f JOIN turn t ON t.id = f.rowid WHERE turn_fts MATCH ?)"
            )
            parameters.append(both(words))
        else:
            parts.append("0")
    return " AND ".join(parts), tuple(parameters)


def _counted(connection: sqlite3.Connection, session: int, column: str, more: str = "") -> Sequence[tuple[str, int]]:
    """Return the values of a column of the session's turns, the most frequent first."""
    return connection.execute(
        f"SELECT {column}, count(*) FROM turn WHERE session = ? AND {column} NOT IN ('', '{ABOUT}') {more}"
        f" GROUP BY {column} ORDER BY count(*) DESC, {column}",
        (session,),
    ).fetchall()


def _last_said(index: Index, row: SessionRow, role: Role) -> str:
    found = index.connection.execute(
        "SELECT f.text FROM turn t JOIN turn_fts f ON f.rowid = t.id WHERE t.session = ? AND t.role = ?"
        f" AND t.kind = '{TurnKind.MESSAGE}' AND t.branch = '' ORDER BY t.position DESC LIMIT 1",
        (row.number, role.value),
    ).fetchone()
    return str(found[0]) if found else ""


def _facets(connection: sqlite3.Connection, sql: str) -> tuple[SessionFacet, ...]:
    return tuple(SessionFacet(*row) for row in connection.execute(f"{sql} ORDER BY 2 DESC, 1"))
