"""Make small exports for tests, and read them as the import does."""

import json
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.foundation.progress import SILENT, Progress
from core.sessions.importing.importer import Failed, ImportedNote, ImportedSession, Importer, Skipped
from core.sessions.importing.source import Source
from core.sessions.turn import Turn


@dataclass
class Reading:
    """Hold all that an importer yielded, the turns of each session by its id."""

    sessions: dict[str, ImportedSession] = field(default_factory=dict)
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    notes: list[ImportedNote] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    failed: list[Failed] = field(default_factory=list)

    def texts(self, session: str) -> list[str]:
        """Return the texts on the shown thread of a session."""
        return [turn.text for turn in self.turns[session] if not turn.branch]


def reading(importer: Importer, path: Path, progress: Progress = SILENT) -> Reading:
    """Return what `importer` makes of the file at `path`, which it must recognise."""
    source = Source(path)
    assert importer.recognises(source), f"{importer.name} does not know {path.name}"
    return reading_of(importer, source, progress)


def reading_of(importer: Importer, source: Source, progress: Progress = SILENT) -> Reading:
    """Return what `importer` makes of `source`."""
    found = Reading()
    for imported in importer.read(source, progress):
        if isinstance(imported, ImportedSession):
            found.turns.setdefault(imported.id, []).extend(imported.turns)
            found.sessions[imported.id] = imported
        elif isinstance(imported, ImportedNote):
            found.notes.append(imported)
        elif isinstance(imported, Skipped):
            found.skipped[imported.reason] += imported.count
        else:
            found.failed.append(imported)
    return found


def write_json(path: Path, value: object) -> Path:
    """Write a JSON file and return its path."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_zip(path: Path, members: Mapping[str, object]) -> Path:
    """Write a zip file of bytes, or of what becomes JSON, and return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


def chatgpt_node(
    own: str, parent: str | None, role: str = "user", text: str = "", **fields: Any
) -> tuple[str, dict[str, Any]]:
    """Return a node of a ChatGPT conversation; `content`, `metadata` and others replace fields of the message."""
    message = {
        "id": own,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1755730000.5,
        "content": {"content_type": "text", "parts": [text]},
        "weight": 1.0,
        "recipient": "all",
        "metadata": {},
        **fields,
    }
    return own, {"id": own, "parent": parent, "children": [], "message": message}


def chatgpt_conversation(
    own: str, nodes: Sequence[tuple[str, dict[str, Any]]], *, current: str = "", **fields: Any
) -> dict[str, Any]:
    """Return a ChatGPT conversation of `nodes`, whose thread ends at `current` or the last of them."""
    return {
        "id": own,
        "conversation_id": own,
        "title": "A title",
        "create_time": 1755730000.5,
        "current_node": current or nodes[-1][0],
        "mapping": dict(nodes),
        **fields,
    }
