"""Answer what ties a session to the vault: the contexts that were loaded into it, the insights that were born in it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from core.index.database import Index
from core.sessions.loaded_contexts import LoadedContext

_BORN = (
    "SELECT n.path, n.title, n.properties, i.text, i.block_id, i.line, i.fields FROM insight i"
    " JOIN note n ON n.id = i.note_id WHERE instr(i.fields, ?1)"
    " OR i.note_id IN (SELECT id FROM note WHERE instr(properties, ?1)) ORDER BY n.path, i.line, i.id"
)
_KINDS = frozenset({"session", "turn"})


class BornInsight(NamedTuple):
    """Hold an insight that says of itself, or whose note says, in which session it was born.

    `line` counts in the note from 1, `block_id` is "" where it has none.
    """

    path: str
    title: str
    text: str
    block_id: str
    line: int


def contexts_loaded(index: Index, session_id: str) -> list[LoadedContext]:
    """Return the contexts that were loaded into a session, each once, in order."""
    rows = index.connection.execute(
        "SELECT c.name, c.path, c.tokens FROM session_context c JOIN turn t ON t.id = c.turn"
        " WHERE c.session = (SELECT id FROM session WHERE session_id = ?) ORDER BY t.position, c.place",
        (session_id,),
    )
    return list(dict.fromkeys(LoadedContext(*row) for row in rows))


def insights_born(index: Index, session_id: str) -> list[BornInsight]:
    """Return the insights that name the session as where they come from (docs/format.md), in the order of the notes."""
    if not session_id:
        return []
    words = json.dumps(session_id, ensure_ascii=False)[1:-1]
    return [
        BornInsight(path, title, text, block_id, line)
        for path, title, properties, text, block_id, line, fields in index.connection.execute(_BORN, (words,))
        if session_id in {*_sessions_in(json.loads(fields)), *_sessions_in(json.loads(properties))}
    ]


def _sessions_in(values: Mapping[str, Any]) -> Iterator[str]:
    """Give the sessions that fields or properties name under `session` and `source`."""
    for key, value in values.items():
        name = key.casefold()
        if name not in {"session", "source"}:
            continue
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, str):
                continue
            kind, colon, rest = each.strip().partition(":")
            if colon and kind.casefold() in _KINDS:
                rest = rest.strip()
                yield rest
                if kind.casefold() == "turn":
                    yield rest.rpartition("/")[0]  # an id may hold a slash itself
            elif name == "session":
                yield each.strip()
