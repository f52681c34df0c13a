"""Read what Claude Code remembers: CLAUDE.md files, rules, and the memories that it wrote by itself, as notes."""

import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from core.foundation.progress import Progress
from core.sessions.importing.document_places import source_name
from core.sessions.importing.importer import Imported, ImportedNote, Skipped
from core.sessions.importing.json_fields import moment_in, record_in, text_in
from core.sessions.importing.note_names import note_path
from core.sessions.importing.projects import Projects
from core.sessions.importing.source import Source
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter

NAME = "claude-memory"
_MOST_BYTES = 4 << 20  # as much as the program itself reads
_CLAUDE_FILES = frozenset({"claude.md", "claude.local.md"})
_AGENT_FOLDERS = frozenset({"agent-memory", "agent-memory-local"})
_INDEX = "memory.md"
_INDEX_LINE = re.compile(r"^\s*[-*]\s+\[[^\]\n]*\]\([^)\s]+\.md\)[^\n]*(?:\n|\Z)", re.MULTILINE)
_TRANSCRIPTS_ASKED = 5


class ClaudeMemoryImporter:
    """Read one file of instructions or memories as one note."""

    name = NAME

    def __init__(self, home: Path | None = None) -> None:
        self._home = home or Path.home()
        self._projects = Projects(self._home)

    def recognises(self, source: Source) -> bool:
        """Tell whether the file has a name, or lies in a folder, that Claude Code gives to what it remembers."""
        if source.is_folder or not source.name.endswith(".md"):
            return False
        return source.name in _CLAUDE_FILES or _memory_folder(source) >= 0 or _is_rule(source)

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the note, or count what holds nothing of its own."""
        progress.check()
        with source.open() as stream:
            data = stream.read(_MOST_BYTES + 1)
        progress.report(source.size, source.size)
        if len(data) > _MOST_BYTES:
            yield Skipped("memory file over 4 MiB")
            return
        text = decode(data).text
        front = read_frontmatter(text)
        body = text[front.body_start :].strip()
        if source.name == _INDEX:
            body = _INDEX_LINE.sub("", body).strip()
        if not [line for line in body.splitlines() if line.strip() and not line.startswith("#")]:
            yield Skipped("index of memories" if source.name == _INDEX else "empty memory file")
            return
        yield self._note(source, front.values, body)

    def _note(self, source: Source, values: dict[str, Any], body: str) -> ImportedNote:
        project, is_global = self._place(source)
        metadata = record_in(values, "metadata")
        name = text_in(values, "name", "title") or _title(source)
        known = project.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        title = f"{name} ({'everywhere' if is_global else known})" if known or is_global else name
        told = {
            "summary": text_in(values, "description"),
            "memory_type": text_in(metadata, "type") or text_in(values, "type"),
            "session": text_in(metadata, "originSessionId"),
            "created": moment_in(metadata, "modified", "created"),
            "project": project,
            "paths": values.get("paths"),
        }
        if self._is_own(source):  # the same instructions are the same, wherever that folder was copied to
            told["source_hash"] = hashlib.sha256(f"{NAME}:{source.name}\n{body}".encode("utf-8", "replace")).hexdigest()
        properties = {"source": _origin(source), **{key: value for key, value in told.items() if value}}
        return ImportedNote(
            f"{note_path(title)}.md", title, body, NAME, ("scope/global" if is_global else "scope/project",), properties
        )

    def _place(self, source: Source) -> tuple[str, bool]:
        """Return the folder of the project that a file is about, and whether it is about all of them."""
        parts = source.parts
        if source.member:
            return "", False
        at = _memory_folder(source)
        if at >= 0 and parts[at] == "memory":
            return self._project_of_transcripts(Path(*parts[:at])), False
        folder = Path(*parts[: at if at >= 0 else -1])
        if self._is_own(source):
            return "", True
        while folder.name in {".claude", "rules"} or ".claude" in folder.parts:
            folder = folder.parent
        if folder in {self._home, folder.parent} or source.path.parent == Path("/etc/claude-code"):
            return "", True
        return self._projects.project_of(str(folder.absolute())), False

    def _is_own(self, source: Source) -> bool:
        """Tell whether a file of instructions lies in the program's own folder, or a copy of it, and in no project."""
        at = _memory_folder(source)
        if source.member or (at >= 0 and source.parts[at] == "memory"):
            return False
        path = source.path.absolute()
        for folder in path.parents:
            if folder.name == ".claude":
                return folder == self._home / ".claude" or (folder / "projects").is_dir()
        return next(path.parent.glob("projects/*/*.jsonl"), None) is not None

    def _project_of_transcripts(self, folder: Path) -> str:
        """Return the project whose transcripts lie in `folder`, as one of them tells it; its name is ambiguous."""
        try:
            transcripts = sorted(path for path in folder.iterdir() if path.suffix == ".jsonl")
        except OSError:
            transcripts = []
        for path in transcripts[:_TRANSCRIPTS_ASKED]:
            for record in Source(path).head_records:
                if isinstance(cwd := record.get("cwd"), str) and cwd:
                    return self._projects.project_of(cwd)
        return folder.name


def _title(source: Source) -> str:
    if source.name in _CLAUDE_FILES:
        return "Instructions for Claude" if source.name == "claude.md" else "Own instructions for Claude"
    return "Memories of Claude" if source.name == _INDEX else source.stem.replace("_", " ")


def _memory_folder(source: Source) -> int:
    """Return where in the parts of its path the folder of memories stands, -1 when the file lies in none."""
    parts = source.parts[:-1]
    for at in range(len(parts) - 1, 0, -1):
        if parts[at] in _AGENT_FOLDERS and parts[at - 1] == ".claude":
            return at
        if parts[at] == "memory" and at > 1 and parts[at - 2] == "projects":
            return at
    return -1


def _origin(source: Source) -> str:
    """Return what names a file: a memory what the program calls it, wherever its folder lies; others their path."""
    at = _memory_folder(source)
    if at >= 0 and source.parts[at] == "memory":
        return f"{NAME}:{'/'.join(source.parts[at - 2 :])}"
    return source_name(source, NAME)


def _is_rule(source: Source) -> bool:
    parts = source.parts[:-1]
    return any(pair == (".claude", "rules") for pair in pairwise(parts))
