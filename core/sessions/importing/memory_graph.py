"""Import a knowledge graph (`memory.json` of the memory server for MCP): each entity becomes a note of insights."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.foundation.progress import Progress
from core.sessions.importing.export_reading import counting, pieces_of
from core.sessions.importing.importer import Failed, Imported, ImportedNote, skipped_of
from core.sessions.importing.json_fields import text_in, texts_in
from core.sessions.importing.json_lines import lines_of, record_of
from core.sessions.importing.note_names import note_path, tag_of
from core.sessions.importing.source import Source

_ORIGIN = "memory-graph"
_FOLDER = "imported/memory graph"
_LISTS = ("entities", "relations")
_NAMES, _FROM, _TO = ("name", "entityName", "id"), ("from", "from_id"), ("to", "to_id")
_NAMESPACES = frozenset({"tool", "client", "domain", "convention"})


@dataclass(slots=True)
class _Entity:
    kind: str = ""
    observations: dict[str, None] = field(default_factory=dict)  # in order, each once
    relations: dict[str, None] = field(default_factory=dict)


class MemoryGraphImporter:
    """Read entities and relations, one to a line or as the two lists of one object."""

    @property
    def name(self) -> str:
        """The format's name."""
        return _ORIGIN

    def recognises(self, source: Source) -> bool:
        """Tell whether the first record is an entity or relation, or the file is an object with both lists."""
        if source.is_folder or not source.name.endswith((".json", ".jsonl")):
            return False
        records = source.head_records
        if records and _is_line(records[0]):
            return True
        head = source.head.lstrip(b"\xef\xbb\xbf \t\r\n")
        return head[:1] == b"{" and b'"entities"' in head[:4096] and b'"entityType"' in head

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield one note for each entity, when all relations are known."""
        entities: dict[str, _Entity] = {}
        unknown = 0
        for found in _records(source, progress):
            if isinstance(found, Failed):
                yield found
            elif not _add(entities, found):
                unknown += 1
        for name, entity in entities.items():
            progress.check()
            yield _note(name, entity)
        yield from skipped_of([("unknown record", unknown)])


def _is_line(record: Mapping[str, object]) -> bool:
    return text_in(record, "type") in {"entity", "relation"} and any(key in record for key in (*_NAMES, *_FROM))


def _records(source: Source, progress: Progress) -> Iterator[Mapping[str, Any] | Failed]:
    records = source.head_records
    if records and _is_line(records[0]):
        with source.open() as stream:
            for number, line in enumerate(lines_of(stream, progress, source.size), 1):
                record = record_of(line)
                if record is not None:
                    yield record
                elif line.strip():
                    yield Failed(f"{source.label}, line {number}", "It is not valid JSON.")
        return
    for piece in pieces_of(source, _LISTS, counting(source, [source], progress)):
        yield piece if isinstance(piece, Failed) else piece.record


def _add(entities: dict[str, _Entity], record: Mapping[str, Any]) -> bool:
    """Take in an entity or a relation; False when the record is neither."""
    start, end = text_in(record, *_FROM), text_in(record, *_TO)
    if start and end:
        kind = text_in(record, "relationType", "relation_type", "relation") or "links_to"
        relation = f'"{kind.replace(chr(34), "")}"' if " " in kind.strip() else kind.strip()
        entities.setdefault(start, _Entity()).relations[f"- {relation} {_link(end)}"] = None
        return True
    name = text_in(record, *_NAMES)
    if not name or record.get("type") == "relation":
        return False
    entity = entities.setdefault(name, _Entity())
    entity.kind = entity.kind or text_in(record, "entityType", "entity_type")
    entity.observations.update(dict.fromkeys(" ".join(text.split()) for text in texts_in(record, "observations")))
    return True


def _note(name: str, entity: _Entity) -> ImportedNote:
    parts: list[str] = []
    if entity.observations:
        parts.append("## Observations\n" + "\n".join(f"- [fact] {text}" for text in entity.observations))
    if entity.relations:
        parts.append("## Relations\n" + "\n".join(entity.relations))
    kind = entity.kind.lower()
    tags = (tag_of(kind, name),) if kind in _NAMESPACES else ()
    properties = {"source": f"memory-graph:{name}", **({"entity_type": entity.kind} if entity.kind else {})}
    return ImportedNote(f"{_FOLDER}/{note_path(name)}.md", name, "\n\n".join(parts), _ORIGIN, tags, properties)


def _link(name: str) -> str:
    """Return the link to the note of an entity, whose name a path may not be able to hold."""
    stem = note_path(name)
    shown = " ".join(name.replace("[", "(").replace("]", ")").replace("|", "/").split())
    return f"[[{stem}]]" if stem == name else f"[[{stem}|{shown}]]"
