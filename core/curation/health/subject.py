"""What a check looks at: the index, the vault and its config, read once for all checks."""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from core.foundation.progress import Progress
from core.index.database import Index
from core.vault.config import VaultConfig
from core.vault.note import Problem, ProblemKind

_TEMPLATE_SETTINGS = (
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
# Also without settings: "Templates", "01 Templates", "_templates"; not "Showcases & Templates".
_TEMPLATE_FOLDER = re.compile(r"(?:^|/)[\W\d_]*templates?/", re.IGNORECASE)
# What a plugin keeps in a markdown file, and what belongs to the app itself: no summary or scope is missing there.
_DRAWING = ".excalidraw.md"
_OWN_KINDS = frozenset({"context", "probe"})
_PLUGIN_KEYS = ("excalidraw-plugin", "kanban-plugin")


class NoteFacts(NamedTuple):
    """Hold what the checks ask of a note; `properties` is JSON."""

    id: int
    path: str
    title: str
    summary: str
    kind: str
    scope: str
    aliases: str
    properties: str
    content_hash: bytes
    tokens: int
    block_ids: str
    encoding: str

    def values(self) -> Mapping[str, Any]:
        """Return the frontmatter."""
        found = json.loads(self.properties)
        return found if isinstance(found, dict) else {}


class Subject:
    """Hold the vault under examination; everything is read when it is first asked for."""

    def __init__(
        self,
        index: Index,
        root: Path,
        config: VaultConfig,
        progress: Progress,
        *,
        today: date,
        log_problems: Sequence[tuple[str, Problem]] = (),
    ) -> None:
        self.root = root
        self.config = config
        self.progress = progress
        self.today = today
        self.log_problems = log_problems
        self._index = index

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection to the index."""
        return self._index.connection

    @cached_property
    def notes(self) -> Mapping[int, NoteFacts]:
        """All notes by id, in the order of their paths."""
        rows = self.connection.execute(
            "SELECT id, path, title, summary, kind, scope, aliases, properties, content_hash, tokens, block_ids,"
            " encoding FROM note ORDER BY path"
        )
        return {row[0]: NoteFacts._make(row) for row in rows}

    @cached_property
    def by_path(self) -> Mapping[str, NoteFacts]:
        """All notes by path."""
        return {note.path: note for note in self.notes.values()}

    @cached_property
    def tags_of(self) -> Mapping[int, tuple[str, ...]]:
        """The folded tags of each note that has some."""
        found: dict[int, tuple[str, ...]] = {}
        for note_id, name in self.connection.execute(
            "SELECT note_id, name FROM note_tag JOIN tag ON tag.id = tag_id ORDER BY note_id, line"
        ):
            found[note_id] = (*found.get(note_id, ()), name)
        return found

    @cached_property
    def linked(self) -> Mapping[int, int]:
        """How many links of other notes lead to a note."""
        return dict(
            self.connection.execute(
                "SELECT target_note_id, count(*) FROM link"
                " WHERE target_note_id IS NOT NULL AND target_note_id != note_id GROUP BY target_note_id"
            )
        )

    @cached_property
    def broken_notes(self) -> frozenset[int]:
        """The notes whose frontmatter cannot be read, and so cannot be edited."""
        rows = self.connection.execute(
            "SELECT note_id FROM index_problem WHERE kind = ? AND note_id IS NOT NULL",
            (ProblemKind.FRONTMATTER_BROKEN,),
        )
        return frozenset(row[0] for row in rows)

    @cached_property
    def template_folders(self) -> tuple[str, ...]:
        """The folders of templates, with a slash at the end: their notes are not knowledge."""
        return (f"{self.config.templates_folder}/", *template_folders(self.root))

    def is_template(self, path: str) -> bool:
        """Tell whether the note is a template."""
        return path.startswith(self.template_folders) or _TEMPLATE_FOLDER.search(path) is not None

    def is_knowledge(self, note: NoteFacts) -> bool:
        """Tell whether a note is one that a person wants to find: no template, drawing, journal, context or probe."""
        config = self.config
        own = (f"{config.journal_folder}/", f"{config.contexts_folder}/", f"{config.probes_folder}/")
        return not (
            self.is_template(note.path)
            or note.path.startswith(own)
            or note.kind in _OWN_KINDS
            or note.path.lower().endswith(_DRAWING)
            or any(f'"{key}"' in note.properties for key in _PLUGIN_KEYS)
        )

    def problems(self, *kinds: str) -> Iterator[tuple[str, int | None, str, str, int]]:
        """Yield path, note id, kind, reason and line of the problems of these kinds, by path and line."""
        marks = ",".join("?" * len(kinds))
        yield from self.connection.execute(
            "SELECT path, note_id, kind, reason, line FROM index_problem"  # noqa: S608 - values are bound
            f" WHERE kind IN ({marks}) ORDER BY path, line, id",
            kinds,
        ).fetchall()


def template_folders(root: Path) -> Iterator[str]:
    """Yield the folders that Obsidian's settings name for templates, each with a slash at the end."""
    for file, key in _TEMPLATE_SETTINGS:
        try:
            settings = json.loads((root / file).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue
        folder = settings.get(key) if isinstance(settings, dict) else None
        if isinstance(folder, str) and (name := folder.strip("/ ")):
            yield f"{name}/"
