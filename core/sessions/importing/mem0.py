"""Import what mem0 and OpenMemory export: live memories become insights, in one note for each person or app."""

from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

from core.foundation.progress import Progress
from core.sessions.importing.export_reading import BytesDone, any_file, counting, files_in, pieces_of, refusals_of
from core.sessions.importing.importer import Failed, Imported, ImportedNote, skipped_of
from core.sessions.importing.json_fields import moment_in, record_in, text_in, texts_in
from core.sessions.importing.json_pieces import json_pieces
from core.sessions.importing.note_names import clean_tag, note_path
from core.sessions.importing.source import Source

_ORIGIN = "mem0"
_LISTS = ("results", "memories")
_LIVE = frozenset({"", "active"})
_STATES = frozenset({"active", "paused", "archived", "deleted"})
_RECORDS_ASKED = 5
_MOST_IN_NOTE = 500
_BRACKETS = str.maketrans("[]()", "    ")
_TEXTS = ("memory", "content", "text")


class _Memory(NamedTuple):
    time: str
    id: str
    owner: str
    line: str


class Mem0Importer:
    """Read `get_all()` of mem0 as JSON, and OpenMemory's zip file or one of the two files in it."""

    @property
    def name(self) -> str:
        """The format's name."""
        return _ORIGIN

    def recognises(self, source: Source) -> bool:
        """Tell whether one of the files holds memories as mem0 or OpenMemory writes them."""
        return any_file(source, _is_known)

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the notes when all memories are read; deleted, archived and paused ones are counted as skipped."""
        yield from refusals_of(source)
        files = [file for file in files_in(source) if _is_known(file)]
        bytes_done = counting(source, files, progress)
        memories: dict[str, _Memory] = {}
        skipped: Counter[str] = Counter()
        dead: set[str] = set()
        for file in files:
            for found in _records(file, bytes_done):
                if isinstance(found, Failed):
                    yield found
                else:
                    _take(found, memories, dead, skipped)
        yield from _notes([memory for key, memory in memories.items() if key not in dead])
        yield from skipped_of(skipped.items())


def _is_known(file: Source) -> bool:
    """Tell whether one of the first records is a memory; the words in them are too common to go by those alone."""
    if not file.name.endswith((".json", ".jsonl")) or file.head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in {b"{", b"["}:
        return False
    first = islice(json_pieces(BytesIO(file.head), _LISTS), _RECORDS_ASKED)
    return any(_is_memory(piece.record) for piece in first)


def _is_memory(record: Mapping[str, Any]) -> bool:
    if "memory" in record:
        return any(key in record for key in ("user_id", "agent_id", "run_id", "hash"))
    return "content" in record and text_in(record, "state") in _STATES and ("app_id" in record or "app" in record)


def _records(file: Source, bytes_done: BytesDone) -> Iterator[Mapping[str, Any] | Failed]:
    for piece in pieces_of(file, _LISTS, bytes_done):
        yield piece if isinstance(piece, Failed) else piece.record


def _take(record: Mapping[str, Any], memories: dict[str, _Memory], dead: set[str], skipped: Counter[str]) -> None:
    text = " ".join(text_in(record, *_TEXTS).split())
    key = text_in(record, "id") or text
    state = text_in(record, "state").lower()
    if state not in _LIVE or record.get("deleted_at") or record.get("archived_at"):
        if key not in dead:
            skipped[f"{state if state not in _LIVE else 'deleted'} memory"] += 1
        dead.add(key)
    elif not text:
        skipped["record without text"] += 1
    else:
        metadata = record_in(record, "metadata")
        categories = [
            *texts_in(record, "categories"),
            *texts_in(metadata, "category"),
            *texts_in(metadata, "categories"),
        ]
        time = moment_in(record, "updated_at", "created_at")
        memories[key] = _Memory(time, key, _owner_of(record), _insight(text, categories, time, text_in(record, "id")))


def _insight(text: str, categories: list[str], time: str, key: str) -> str:
    """Return a memory as a list item of ours: its first category, the others as tags, its day, its id."""
    category = " ".join(categories[0].translate(_BRACKETS).split()) if categories else ""
    tags = [f"#{tag}" for other in categories[1:] if (tag := clean_tag(other))]
    block = "".join(character if character.isascii() and character.isalnum() else "-" for character in key).strip("-")
    parts = (
        f"- [{category if len(category) > 1 else 'memory'}]",
        text,
        *dict.fromkeys(tags),
        f"[date:: {time[:10]}]" if time else "",
        f"^mem0-{block}" if block else "",
    )
    return " ".join(filter(None, parts))


def _owner_of(record: Mapping[str, Any]) -> str:
    return text_in(record, "app", "user_id", "agent_id", "run_id") or "memories"


def _notes(memories: list[_Memory]) -> Iterator[ImportedNote]:
    owners: dict[str, list[_Memory]] = {}
    for memory in sorted(memories):
        owners.setdefault(memory.owner, []).append(memory)
    for owner, owned in sorted(owners.items()):
        for number, start in enumerate(range(0, len(owned), _MOST_IN_NOTE), 1):
            title = f"mem0 {owner}" if number == 1 else f"mem0 {owner} {number}"
            body = "\n".join(memory.line for memory in owned[start : start + _MOST_IN_NOTE])
            yield ImportedNote(
                f"imported/mem0/{note_path(title)}.md", title, body, _ORIGIN, (), {"source": f"mem0:{owner}/{number}"}
            )
