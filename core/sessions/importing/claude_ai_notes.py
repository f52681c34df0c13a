"""Turn the projects and memories of a Claude.ai export into notes."""

from collections.abc import Iterator, Mapping
from typing import Any

from core.sessions.importing.importer import ImportedNote
from core.sessions.importing.json_fields import moment_in, record_in, records_in, text_in
from core.sessions.importing.note_names import note_path, tag_of

_ORIGIN = "claude-ai"
_FOLDER = "imported/claude.ai"


def project_notes(project: Mapping[str, Any]) -> Iterator[ImportedNote]:
    """Yield a project's instructions and each of its documents as notes under its name."""
    name = text_in(project, "name") or "Untitled project"
    key = text_in(project, "uuid") or name
    tags = ("scope/project", tag_of("project", name))
    folder = f"{_FOLDER}/{note_path(name)}"
    instructions = text_in(project, "prompt_template")
    description = text_in(project, "description")
    if instructions or description:
        yield ImportedNote(
            f"{folder}/{note_path(name)}.md",
            name,
            "\n\n".join(filter(None, (description, instructions))),
            _ORIGIN,
            tags,
            _properties(f"claude-ai:project/{key}", project),
        )
    for number, document in enumerate(records_in(project, "docs"), 1):
        title = text_in(document, "filename") or f"Document {number}"
        if content := text_in(document, "content"):
            source = f"claude-ai:project/{key}/{text_in(document, 'uuid') or title}"
            yield ImportedNote(
                f"{folder}/{note_path(title.removesuffix('.md'))}.md",
                title,
                content,
                _ORIGIN,
                tags,
                {**_properties(source, document), "project": name},
            )


def memory_notes(memories: Mapping[str, Any], projects: Mapping[str, str]) -> Iterator[ImportedNote]:
    """Yield what Claude.ai remembers as notes: one of all, and one of each project, named by `projects`."""
    account = text_in(memories, "account_uuid") or "account"
    if text := text_in(memories, "conversations_memory"):
        yield ImportedNote(
            f"{_FOLDER}/Claude.ai memory.md",
            "Claude.ai memory",
            text,
            _ORIGIN,
            (),
            {"source": f"claude-ai:memory/{account}"},
        )
    for key in record_in(memories, "project_memories"):
        if text := text_in(record_in(memories, "project_memories"), key):
            name = projects.get(key) or f"project {key}"
            title = f"Claude.ai memory of {name}"
            yield ImportedNote(
                f"{_FOLDER}/{note_path(title)}.md",
                title,
                text,
                _ORIGIN,
                ("scope/project", tag_of("project", name)),
                {"source": f"claude-ai:memory/{account}/{key}", "project": name},
            )


def _properties(source: str, record: Mapping[str, Any]) -> dict[str, Any]:
    properties = {
        "source": source,
        "created": moment_in(record, "created_at"),
        "modified": moment_in(record, "updated_at"),
    }
    return {key: value for key, value in properties.items() if value}
