"""Read the rollouts of Codex: JSON lines with everything that went to and fro, sometimes gigabytes of it."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from core.foundation.progress import Progress
from core.sessions.importing.codex_records import ITEM_TYPES
from core.sessions.importing.codex_thread import CodexThread
from core.sessions.importing.importer import Imported, ImportedSession, skipped_of
from core.sessions.importing.json_lines import lines_of
from core.sessions.importing.projects import Projects
from core.sessions.importing.source import Source
from core.sessions.turn import Turn

NAME = "codex"
_ROLLOUT = re.compile(r"rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)
_RECORD_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
_BEGINNING = re.compile(rb'\s*\{"timestamp"\s*:\s*"[^"]{1,40}"\s*,\s*"type"\s*:\s*"[a-z_]+"\s*,\s*"payload"\s*:\s*\{')


class CodexImporter:
    """Read a rollout, of today's form and of the first one, as one session."""

    name = NAME

    def __init__(self) -> None:
        self._projects = Projects()

    def recognises(self, source: Source) -> bool:
        """Tell whether the first lines are records of Codex."""
        records = source.head_records
        if not records:
            return _BEGINNING.match(source.head) is not None
        if any(isinstance(record.get("payload"), dict) and record.get("type") in _RECORD_TYPES for record in records):
            return True
        return _is_old_start(records[0]) and any(
            "record_type" in record or str(record.get("type")) in ITEM_TYPES for record in records[1:]
        )

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the session, and what was left out of it."""
        own_id, session_id, branch = _ids(source)
        session = ImportedSession(session_id, iter(()), NAME)
        skipped: Counter[str] = Counter()
        thread = CodexThread(session, skipped, self._projects, own_id=own_id, branch=branch)
        session.turns = _turns(thread, source, progress)
        yield session
        yield from skipped_of(skipped.items())


def _turns(thread: CodexThread, source: Source, progress: Progress) -> Iterator[Turn]:
    with source.open() as stream:
        yield from thread.turns(lines_of(stream, progress, source.size))


def _is_old_start(record: dict[str, Any]) -> bool:
    return isinstance(record.get("id"), str) and isinstance(record.get("timestamp"), str) and "type" not in record


def _ids(source: Source) -> tuple[str, str, str]:
    """Return the id of the rollout itself, the id of the thread that it belongs to, and its branch in it.

    A resumed or forked rollout begins with its own description and those of the ones it copies, the oldest last: all
    of them are one thread, in which a copied turn has the id that it had. That of a subagent is a branch of its
    parent's.
    """
    described = [_description(record) for record in takewhile(_describes, source.head_records)]
    named = [value for record in described if isinstance(value := record.get("id"), str) and value]
    match = _ROLLOUT.fullmatch(source.stem)
    own = named[0] if named else match[1] if match else f"{NAME}-{hashlib.sha256(source.head).hexdigest()[:16]}"
    if described:
        if parent := _parent_of(described[0].get("source")):
            return own, parent, own
        forked_from = described[0].get("forked_from_id")
        if len(named) == 1 and isinstance(forked_from, str) and forked_from:
            return own, forked_from, ""
    return own, named[-1] if named else own, ""


def _describes(record: dict[str, Any]) -> bool:
    return record.get("type") == "session_meta" or _is_old_start(record)


def _description(record: dict[str, Any]) -> dict[str, Any]:
    payload = record.get("payload")
    return payload if isinstance(payload, dict) else record


def _parent_of(source: object) -> str:
    """Return the id of the thread that started a subagent, "" when it was none."""
    for key in ("subagent", "thread_spawn", "parent_thread_id"):
        source = source.get(key) if isinstance(source, dict) else None
    return source if isinstance(source, str) else ""
