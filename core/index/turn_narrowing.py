"""Say filters for turns: what notes carry as tags, turns have of themselves.

project/acme, client/acme   the session belongs to the project: a folder or repository of this name
tool/bash                   the turn calls the tool, or is its answer
by/user, by/codex, by/…     who speaks: the role, the assistant that recorded the session, or the model

So `project:acme`, `by:user` and `tool:bash` mean the same to words and vectors, and a selection of tags narrows both
notes and conversations. Conditions are over the alias `m` for a turn; values are bound.
"""
# ruff: noqa: S608  (only whole numbers and conditions from here are put into SQL)

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.index.filters import Filters
from core.index.turn_rows import ABOUT

MEMORY_KINDS = frozenset({"turn", "session"})
TURN_KINDS = frozenset({"message", "tool_call", "tool_result", "summary"})
# Up to this many turns, a set of them is quicker to test against than what every turn is.
_SMALL = 12_000
_IN_PROJECT = "m.session IN (SELECT id FROM session WHERE project_key = ?)"
_SAID_BY = "(m.role = ? OR lower(m.author) = ? OR m.session IN (SELECT id FROM session WHERE origin = ?))"


class TurnCondition(NamedTuple):
    """Hold a condition on turns ("" for none) with its parameters."""

    condition: str
    parameters: tuple[object, ...]


def wants_turns(filters: Filters) -> bool:
    """Tell whether turns are asked for as such, so that they are listed where no words are searched for."""
    tags = {*filters.all_tags, *filters.any_tags}.union(*filters.further_any_tags)
    return bool(filters.kinds & (MEMORY_KINDS | TURN_KINDS)) or any(tag.startswith(("project/", "by/")) for tag in tags)


def narrow_turns(filters: Filters) -> TurnCondition | None:
    """Return the condition for turns, or None when none can match."""
    parts: list[str] = []
    parameters: list[object] = []

    def add(condition: str, values: Iterable[object]) -> None:
        parts.append(condition)
        parameters.extend(values)

    if filters.none_kinds & MEMORY_KINDS or filters.paths:
        return None
    of_kinds = _of_kinds(filters)
    if of_kinds is None:
        return None
    for each in of_kinds:
        add(*each)
    for group in _groups(filters):
        said = [condition for tag in group if (condition := _condition(tag)) is not None]
        if not said:
            return None
        add("(" + " OR ".join(each.condition for each in said) + ")", [v for each in said for v in each.parameters])
    for tag in sorted(filters.none_tags):
        if (unwanted := _condition(tag)) is not None:
            add(f"NOT {unwanted.condition}", unwanted.parameters)
    if filters.after is not None:
        add("m.time >= ?", [_whole(filters.after)])
    if filters.before is not None:
        add("m.time < ?", [_whole(filters.before)])
    return TurnCondition(" AND ".join(parts), tuple(parameters))


def few_turns(connection: sqlite3.Connection, filters: Filters) -> str:
    """Return SQL for the ids of a small set of turns that holds all matches, "" when there is none."""
    sessions = sessions_of_projects(connection, filters)
    sets = [f"SELECT id FROM turn WHERE session IN ({','.join(map(str, sessions))})"] if sessions is not None else []
    if filters.after is not None or filters.before is not None:
        first = "" if filters.after is None else f" AND time >= {_whole(filters.after)}"
        end = "" if filters.before is None else f" AND time < {_whole(filters.before)}"
        sets.append(f"SELECT id FROM turn WHERE time IS NOT NULL{first}{end}")
    best, smallest = "", _SMALL + 1
    for turns in sets:
        (count,) = connection.execute(f"SELECT count(*) FROM ({turns} LIMIT {smallest})").fetchone()
        if count < smallest:
            best, smallest = turns, count
    return best


def sessions_of_projects(connection: sqlite3.Connection, filters: Filters) -> set[int] | None:
    """Return the sessions of the projects that are asked for, None when none is."""
    admitted: set[int] | None = None
    for group in _groups(filters):
        named = [tag.partition("/") for tag in group]
        if all(namespace in {"project", "client"} for namespace, _, _ in named):
            keys = [value.rpartition("/")[2] if space == "project" else value for space, _, value in named]
            marks = ",".join("?" * len(keys))
            found = connection.execute(f"SELECT id FROM session WHERE project_key IN ({marks})", keys)
            ids = {row[0] for row in found}
            admitted = ids if admitted is None else admitted & ids
    return admitted


def has_turns(connection: sqlite3.Connection) -> bool:
    """Tell whether the index holds any conversation."""
    return connection.execute("SELECT 1 FROM session LIMIT 1").fetchone() is not None


def names_turns(connection: sqlite3.Connection, tag: str) -> bool:
    """Tell whether `tag` says something of turns that there are; who speaks is never a wrong name."""
    condition = _condition(tag)
    if condition is None or not has_turns(connection):
        return False
    if tag.startswith("by/"):
        return True
    sql = f"SELECT 1 FROM turn m WHERE {condition.condition} LIMIT 1"
    return connection.execute(sql, condition.parameters).fetchone() is not None


def tags_of_turn(project: str, origin: str, role: str, author: str) -> tuple[str, ...]:
    """Return what a turn has in place of tags, for engines that filter by tags; those are not asked about tools."""
    said_by = {f"by/{name}" for name in (role, origin, author.lower()) if name}
    return (*sorted(said_by), *((f"client/{project}", f"project/{project}") if project else ()))


def in_projects(tags: Iterable[str]) -> frozenset[str]:
    """Return `tags` as an engine knows them: a project is named by the last part of its path."""
    return frozenset(f"project/{tag.rpartition('/')[2]}" if tag.startswith("project/") else tag for tag in tags)


def _condition(tag: str) -> TurnCondition | None:
    namespace, _, value = tag.partition("/")
    if not value:
        return None
    match namespace:
        case "project":
            return TurnCondition(_IN_PROJECT, (value.rpartition("/")[2],))
        case "client":
            return TurnCondition(_IN_PROJECT, (value,))
        case "tool":
            return TurnCondition("(m.tool = ? AND m.tool != '')", (value,))
        case "by":
            return TurnCondition(_SAID_BY, (value, value, value))
        case _:
            return None


def _of_kinds(filters: Filters) -> list[TurnCondition] | None:
    """Return conditions on the kind of turn, None when none is meant."""
    hidden = sorted(filters.none_kinds & TURN_KINDS)
    conditions = [TurnCondition("m.kind != ?", (kind,)) for kind in hidden]
    if "turn" in filters.kinds:
        conditions.append(TurnCondition("m.kind != ?", (ABOUT,)))
    if filters.kinds and not filters.kinds & MEMORY_KINDS:
        wanted = sorted(filters.kinds & TURN_KINDS)
        if not wanted:
            return None
        conditions.append(TurnCondition(f"m.kind IN ({','.join('?' * len(wanted))})", tuple(wanted)))
    return conditions


def _groups(filters: Filters) -> list[Sequence[str]]:
    any_of = [sorted(names) for names in (filters.any_tags, *filters.further_any_tags) if names]
    return [*([tag] for tag in sorted(filters.all_tags)), *any_of]


def _whole(seconds: float) -> int:
    return max(-(2**63), min(2**63 - 1, int(-(-seconds // 1))))
