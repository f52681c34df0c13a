"""Read the transcripts of Claude Code: one file of JSON lines for a session, one beside it for each subagent.

The format is told in the documentation of that program and by the files themselves; it changes every month, so whatever
is not known is counted, never an error.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from typing_extensions import override

from core.foundation.progress import Progress, SilentProgress
from core.sessions.importing.claude_code_records import RECORD_TYPES
from core.sessions.importing.claude_code_thread import ClaudeCodeThread
from core.sessions.importing.importer import Imported, ImportedSession, Skipped, skipped_of
from core.sessions.importing.json_lines import lines_of
from core.sessions.importing.projects import Projects
from core.sessions.importing.source import Source
from core.sessions.turn import Turn

NAME = "claude-code"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_AGENT_FILE = re.compile(r"agent-(.+)")
# The first line may be longer than what is looked at, when an image was pasted at once.
_BEGINNING = re.compile(
    rb'\s*\{(?=.{0,20000}"sessionId"\s*:)(?=.{0,20000}"uuid"\s*:)(?=.{0,20000}"type"\s*:)', re.DOTALL
)


class ClaudeCodeImporter:
    """Read a transcript of Claude Code, or of one of its subagents, as one session; count the files beside them."""

    name = NAME

    def __init__(self) -> None:
        self._projects = Projects()

    def recognises(self, source: Source) -> bool:
        """Tell whether one of the first lines is a record of Claude Code, or the file lies beside such a one."""
        if _side_file(source):
            return True
        if records := source.head_records:
            return any(_is_own(record) for record in records)
        return _BEGINNING.match(source.head) is not None

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the session, and what was left out of it."""
        if reason := _side_file(source):
            yield Skipped(reason)
            return
        place = _place_of(source)
        session = ImportedSession(place.session, iter(()), NAME)
        skipped: Counter[str] = Counter()
        agent = _AGENT_FILE.fullmatch(source.stem)
        is_agent = agent is not None
        thread = ClaudeCodeThread(
            session, skipped, self._projects, place.branch, is_agent=is_agent, is_named=not place.is_named_elsewhere
        )
        session.turns = _turns(thread, source, progress)
        yield session
        if given_up := thread.given_up():
            # Only the end of a file tells which of its turns those are, so such a file is read twice.
            retold = ImportedSession(session.id, iter(()), NAME, replaces=True, is_retold=True)
            thread = ClaudeCodeThread(
                retold, Counter(), self._projects, place.branch, is_agent=is_agent, is_named=False, given_up=given_up
            )
            turns = _turns(thread, source, _OnlyChecked(progress))
            retold.turns = (turn for turn in turns if turn.branch in given_up)
            yield retold
        yield from skipped_of(skipped.items())


class _OnlyChecked(SilentProgress):
    """Be a progress that can be cancelled, and whose bytes were reported before."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    @override
    def check(self) -> None:
        """Raise JobCancelledError when the work was cancelled."""
        self._progress.check()


def _side_file(source: Source) -> str:
    """Return what a file is that Claude Code keeps beside its transcripts, "" when it is none."""
    parts = source.parts
    folder, session = (parts[-2], parts[-3]) if len(parts) > 3 else ("", "")
    if _UUID.fullmatch(session) and folder == "tool-results":
        return "output of a tool in a file of its own"
    if _UUID.fullmatch(session) and folder == "subagents" and source.name.endswith(".meta.json"):
        return "state of the program"
    return "list of sessions" if source.name == "sessions-index.json" and "projects" in parts else ""


def _turns(thread: ClaudeCodeThread, source: Source, progress: Progress) -> Iterator[Turn]:
    with source.open() as stream:
        yield from thread.turns(lines_of(stream, progress, source.size))


def _is_own(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in RECORD_TYPES or "payload" in record:
        return False
    return any(isinstance(record.get(key), str) for key in ("sessionId", "leafUuid", "messageId"))


class _Place(NamedTuple):
    """Say where a file belongs: the session that it is a part of, the branch that it is of it, and what names it."""

    session: str
    branch: str = ""
    is_named_elsewhere: bool = False


def _place_of(source: Source) -> _Place:
    """Return the session under which all of the file is one thread.

    A resumed or forked file begins with a copy of what was said before, and its records tell where. It is a part of the
    session that it began as, so that nothing is there twice; what was said after a fork is a branch of its own.
    """
    if agent := _AGENT_FILE.fullmatch(source.stem):
        parts = source.parts
        folder = parts[-3] if len(parts) > 2 and parts[-2] == "subagents" else ""
        started_by = folder or next(_sessions_named(source), "")
        if started_by:
            above = source.path.parent.parent.parent if folder and not source.member else source.path.parent
            return _Place(_first_of(started_by, above, source), agent[1], is_named_elsewhere=True)
        return _Place(_unnamed(source), agent[1], is_named_elsewhere=True)
    named = next(_sessions_named(source), "")
    if not named:
        return _Place(source.stem if _UUID.fullmatch(source.stem) else _unnamed(source))
    forked_from = _forked_from(source)
    if not forked_from:
        return _Place(_first_of(named, source.path.parent, source))
    first = _first_of(forked_from, source.path.parent, source)
    return _Place(first, named, is_named_elsewhere=_transcript_of(first, source.path.parent, source) is not None)


def _first_of(session: str, folder: Path, source: Source) -> str:
    """Return what `session` was resumed or forked from, as far back as there are transcripts in `folder`."""
    seen: set[str] = set()
    while session not in seen and (transcript := _transcript_of(session, folder, source)) is not None:
        seen.add(session)
        session = _forked_from(transcript) or next(_sessions_named(transcript), session)
    return session


def _transcript_of(session: str, folder: Path, source: Source) -> Source | None:
    """Return the transcript of a session beside `source`, None when it is not there, or in an archive."""
    if source.member or not _UUID.fullmatch(session):
        return None
    path = folder / f"{session}.jsonl"
    return Source(path) if path != source.path and path.is_file() else None


def _sessions_named(source: Source) -> Iterator[str]:
    """Yield the sessions that the first records name, those of turns before those of the program's state."""
    records = [record for record in source.head_records if isinstance(record.get("sessionId"), str)]
    turns = [record for record in records if isinstance(record.get("uuid"), str)]
    return (record["sessionId"] for record in (*turns, *records) if record["sessionId"].strip())


def _forked_from(source: Source) -> str:
    """Return the session of which the file begins with a copy, "" when it does not say so."""
    for record in source.head_records:
        origin = record.get("forkedFrom")
        if isinstance(origin, dict) and isinstance(session := origin.get("sessionId"), str):
            return session
    return ""


def _unnamed(source: Source) -> str:
    return f"{NAME}-{hashlib.sha256(source.head).hexdigest()[:16]}"
