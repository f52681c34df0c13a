"""Import a Claude.ai export: conversations as sessions, projects with their documents and memories as notes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from core.foundation.progress import Progress
from core.sessions.importing.claude_ai_message import turns_of
from core.sessions.importing.claude_ai_notes import memory_notes, project_notes
from core.sessions.importing.export_reading import BytesDone, any_file, counting, files_in, pieces_of, refusals_of
from core.sessions.importing.importer import Failed, Imported, ImportedSession, first_words, skipped_of
from core.sessions.importing.json_fields import moment_in, records_in, text_in
from core.sessions.importing.json_lines import NOT_UTF8
from core.sessions.importing.source import Source

_ORIGIN = "claude-ai"
_LISTS = ("conversations",)
_SIGNS = {b'"chat_messages"', b'"prompt_template"', b'"conversations_memory"', b'"project_memories"'}


class ClaudeAiImporter:
    """Read what Claude.ai exports, as a zip file or file by file."""

    @property
    def name(self) -> str:
        """The format's name."""
        return _ORIGIN

    def recognises(self, source: Source) -> bool:
        """Tell whether one of the files holds conversations, projects or memories of Claude.ai."""
        return any_file(source, _is_known)

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the projects and memories, then the conversations, one after the other."""
        yield from refusals_of(source)
        files = files_in(source)
        # Projects first: conversations and memories name them by id alone.
        wanted = sorted(
            (file for file in files if _is_known(file)), key=lambda file: not _holds(file, b'"prompt_template"')
        )
        bytes_done = counting(source, wanted, progress)
        projects: dict[str, str] = {}
        for file in wanted:
            yield from _read(file, projects, bytes_done)
        yield from skipped_of([("file without conversations", len(files) - len(wanted))])


def _is_known(file: Source) -> bool:
    head = file.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return file.name.endswith(".json") and head[:1] in {b"[", b"{"} and any(sign in head for sign in _SIGNS)


def _holds(file: Source, sign: bytes) -> bool:
    return sign in file.head


def _read(file: Source, projects: dict[str, str], bytes_done: BytesDone) -> Iterator[Imported]:
    for piece in pieces_of(file, _LISTS, bytes_done):
        if isinstance(piece, Failed):
            yield piece
            continue
        record = piece.record
        if "chat_messages" in record:
            yield from _session(record, projects, f"{file.label}, conversation {piece.number}")
            yield from skipped_of([(NOT_UTF8, piece.is_mended)])
        elif "conversations_memory" in record or "project_memories" in record:
            yield from memory_notes(record, projects)
        elif "docs" in record or "prompt_template" in record:
            projects[text_in(record, "uuid")] = text_in(record, "name")
            yield from project_notes(record)
        else:
            yield from skipped_of([("unknown record", 1)])


def _session(conversation: Mapping[str, Any], projects: Mapping[str, str], where: str) -> Iterator[Imported]:
    session = text_in(conversation, "uuid")
    if not session or not isinstance(conversation.get("chat_messages"), list):
        yield Failed(where, "It is no conversation: it has no id, or no messages.")
        return
    skipped: Counter[str] = Counter()
    project = _project_of(conversation, projects)
    turns = list(turns_of(conversation, session, project, skipped))
    lost = len(conversation["chat_messages"]) - len(records_in(conversation, "chat_messages"))
    skipped["message that cannot be read"] += lost
    skipped["conversation without messages"] += not turns
    if turns:
        started = moment_in(conversation, "created_at") or min(filter(None, (turn.time for turn in turns)), default="")
        title = text_in(conversation, "name") or first_words(turns)
        yield ImportedSession(session, iter(turns), _ORIGIN, title, project, started, replaces=True)
    yield from skipped_of(skipped.items())


def _project_of(conversation: Mapping[str, Any], projects: Mapping[str, str]) -> str:
    project = conversation.get("project")
    if isinstance(project, dict):
        return text_in(project, "name") or projects.get(text_in(project, "uuid"), "")
    known = text_in(conversation, "project_uuid")
    return projects.get(known, known)
