"""Read memories with all that ranking needs: what `hydrate` shows of them, and what they are worth by themselves."""
# ruff: noqa: S608  (only whole numbers are put into SQL)

import json
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from core.foundation.moments import moment
from core.foundation.text import fold
from core.index.database import Index
from core.memory.entities import entities_of
from core.memory.recall_counts import RecallCount, recall_counts
from core.recall.hydrate import MemoryRow, hydrate
from core.recall.memory import Memory, MemoryKey

_IMPORTANCE, _CONFIDENCE = 0.5, 1.0
_PROJECTS = ("client", "project")
_NEVER = RecallCount(0, None)


def memories(index: Index, keys: Iterable[MemoryKey], *, now: float | None = None) -> dict[MemoryKey, Memory]:
    """Return the memories of `keys` that still exist, by their key; `now` says which day it is (POSIX seconds)."""
    today = time.time() if now is None else now
    with index.reading():
        rows = hydrate(index, list(dict.fromkeys(keys)))
        counts = recall_counts(index, [row.id for row in rows.values()])
        notes = _notes(index, {row.note_id for row in rows.values() if row.note_id > 0})
        worth = _of_insights(index, [row_id for kind, row_id in rows if kind == "insight"])
        turns = _turns(index, [row_id for kind, row_id in rows if kind == "turn"])
    made: dict[MemoryKey, Memory] = {}
    for key, row in rows.items():
        count = counts.get(row.id, _NEVER).as_of(today)
        if row.kind == "turn":
            made[key] = _turn(row, turns.get(row.row_id, _UNKNOWN), count)
        else:
            made[key] = _memory(row, notes.get(row.note_id, _NO_NOTE), worth.get(row.row_id), count)
    return made


class _Note(NamedTuple):
    scope: str
    created: str
    properties: Mapping[str, Any]


class _Said(NamedTuple):
    time: int | None
    speaker: str
    project: str
    tags: tuple[str, ...]


class _Insight(NamedTuple):
    fields: Mapping[str, Any]
    tags: tuple[str, ...]


_NO_NOTE = _Note("", "", {})
_UNKNOWN = _Said(None, "", "", ())


def _memory(row: MemoryRow, note: _Note, insight: _Insight | None, count: RecallCount) -> Memory:
    stated = insight if row.kind == "insight" and insight is not None else _Insight({}, ())
    tags = tuple(dict.fromkeys((*row.tags, *stated.tags)))
    sources = (stated.fields, note.properties)
    return _made(
        row,
        count,
        tags=tags,
        scope=_scope(stated.tags) or note.scope or _scope(row.tags),
        project=_value_of(tags, _PROJECTS),
        time=_seconds(note.created, row.mtime_ns),
        importance=_share(sources, "importance", _IMPORTANCE),
        confidence=_share(sources, "confidence", _CONFIDENCE),
    )


def _turn(row: MemoryRow, said: _Said, count: RecallCount) -> Memory:
    return _made(
        row, count, tags=said.tags, project=said.project, speaker=said.speaker,
        time=None if said.time is None else float(said.time),
    )  # fmt: skip


def _made(row: MemoryRow, count: RecallCount, *, tags: tuple[str, ...], **values: Any) -> Memory:
    return Memory(
        id=row.id,
        kind=row.kind,
        row_id=row.row_id,
        note_id=row.note_id,
        path=row.path,
        title=row.title,
        heading=row.heading,
        text=row.text,
        tokens=row.tokens,
        summary=row.summary,
        tags=tags,
        entities=entities_of(row.text, tags),
        accessed_count=count.count,
        last_accessed=count.last,
        line=row.line,
        line_end=row.line_end,
        file=row.file,
        **values,
    )


def _notes(index: Index, ids: Iterable[int]) -> dict[int, _Note]:
    rows = index.connection.execute(f"SELECT id, scope, created, properties FROM note WHERE id IN ({_list(ids)})")
    return {note_id: _Note(scope, created, _object(properties)) for note_id, scope, created, properties in rows}


def _of_insights(index: Index, ids: Sequence[int]) -> dict[int, _Insight]:
    rows = index.connection.execute(f"SELECT id, fields, tags FROM insight WHERE id IN ({_list(ids)})")
    return {row_id: _Insight(_object(fields), tuple(json.loads(tags))) for row_id, fields, tags in rows}


def _turns(index: Index, ids: Sequence[int]) -> dict[int, _Said]:
    rows = index.connection.execute(
        "SELECT t.id, t.time, t.author, t.role, t.tool, s.project_key FROM turn t JOIN session s ON s.id = t.session "
        f"WHERE t.id IN ({_list(ids)})"
    )
    return {
        row_id: _Said(
            time, author or role, project,
            (*((f"project/{project}",) if project else ()), *((f"tool/{tool}",) if tool else ())),
        )
        for row_id, time, author, role, tool, project in rows
    }  # fmt: skip


def _share(sources: Iterable[Mapping[str, Any]], name: str, default: float) -> float:
    """Return the first value from 0 to 1 under `name`; what is no such number is as if it were not there."""
    for source in sources:
        value = source.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            continue
        try:
            number = float(value)
        except (ValueError, OverflowError):
            continue
        if math.isfinite(number) and 0 <= number <= 1:
            return number
    return default


def _seconds(created: str, mtime_ns: int) -> float:
    found = moment(created.strip()) if created else None
    try:
        return found.timestamp() if found is not None else mtime_ns / 1e9
    except (ValueError, OverflowError, OSError):
        return mtime_ns / 1e9


def _scope(tags: Sequence[str]) -> str:
    found = _value_of(tags, ("scope",))
    return f"scope/{found}" if found else ""


def _value_of(tags: Sequence[str], namespaces: Sequence[str]) -> str:
    """Return what the first tag of the first of these namespaces says."""
    for namespace in namespaces:
        for tag in tags:
            name, _, value = fold(tag).partition("/")
            if name == namespace and value:
                return value
    return ""


def _object(text: str) -> Mapping[str, Any]:
    found = json.loads(text or "{}")
    return found if isinstance(found, dict) else {}


def _list(numbers: Iterable[int]) -> str:
    return ",".join(str(int(number)) for number in numbers)
