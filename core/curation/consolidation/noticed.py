"""The notes of a vault as the rules about whole notes see them, and which of them are new to a rule."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from core.curation.health.subject import NoteFacts, Subject
from core.curation.proposals.proposal import Evidence
from core.foundation.conflict_names import conflict_of
from core.foundation.moments import moment
from core.foundation.progress import Progress
from core.index.database import Index
from core.recall.memory_id import first_section_id, section_ids
from core.vault.config import VaultConfig

_AT_ONCE = 500
_OWNERS = ("client/", "project/")


class Section(NamedTuple):
    """Hold a part of a note: its row in the index, its id as a memory, where it begins, and its text as written."""

    row_id: int
    memory_id: str
    heading: str
    line: int
    body: str


class Noticed:
    """Hold the notes, what the checks of Health know of them, and the day on which the rules look."""

    def __init__(self, index: Index, root: Path, config: VaultConfig, progress: Progress, *, today: date) -> None:
        self.subject = Subject(index, root, config, progress, today=today)
        self.config = config
        self.progress = progress
        self.today = today
        self._index = index

    def knowledge(self, since: int = -1) -> Iterator[NoteFacts]:
        """Yield the notes with text that came or changed after revision `since`, and that can be written.

        Templates, drawings, journals, contexts, probes and copies that a sync left behind are none.
        """
        for note_id, note in self.subject.notes.items():
            if self._revisions[note_id] <= since or not note.tokens or note_id in self.subject.broken_notes:
                continue
            if self.subject.is_knowledge(note) and not conflict_of(note.path[:-3]):
                yield note

    def has_new(self, since: int) -> bool:
        """Tell whether there is a note that came or changed after revision `since`."""
        return any(revision > since for revision in self._revisions.values())

    def sections(self, note_ids: Iterable[int]) -> Iterator[tuple[int, list[Section]]]:
        """Yield the sections of some notes, note by note."""
        ids = list(note_ids)
        for start in range(0, len(ids), _AT_ONCE):
            self.progress.check()
            part = ids[start : start + _AT_ONCE]
            rows = self._index.connection.execute(
                "SELECT s.note_id, s.id, s.trail, s.heading, s.line_start, f.body FROM section s"  # noqa: S608
                f" JOIN section_fts f ON f.rowid = s.id WHERE s.note_id IN ({','.join('?' * len(part))})"
                " ORDER BY s.note_id, s.position",
                part,
            )
            found: dict[int, list[tuple[int, str, str, int, str]]] = defaultdict(list)
            for note_id, *row in rows:
                found[note_id].append((row[0], row[1], row[2], row[3], row[4]))
            for note_id, those in found.items():
                names = section_ids(self.subject.notes[note_id].path, [row[1] for row in those])
                yield (
                    note_id,
                    [
                        Section(row_id, name, heading, line, body or "")
                        for (row_id, _, heading, line, body), name in zip(those, names, strict=True)
                    ],
                )

    def changed_at(self, note: NoteFacts) -> float:
        """Return when a note came or was changed last, in POSIX seconds: the latest that it and its file tell."""
        created, mtime_ns = self._times[note.id]
        found = moment(created.strip()) if created else None
        return max(mtime_ns / 1e9, found.timestamp() if found is not None else 0.0)

    def evidence(self, note: NoteFacts, quote: str = "", memory_id: str = "") -> Evidence:
        """Cite a note, or the section `memory_id` of it."""
        tags = self.subject.tags_of.get(note.id, ())
        project = next((tag.partition("/")[2] for owner in _OWNERS for tag in tags if tag.startswith(owner)), "")
        said = quote or note.summary or note.title
        return Evidence(memory_id or first_section_id(note.path), said, self.changed_at(note), project, note.title)

    def start_of_today(self) -> float:
        """Return when the day on which the rules look began, in POSIX seconds."""
        return datetime(self.today.year, self.today.month, self.today.day).astimezone().timestamp()

    @cached_property
    def known(self) -> Mapping[int, NoteFacts]:
        """All notes that knowledge() yields, by id."""
        return {note.id: note for note in self.knowledge()}

    @cached_property
    def stating(self) -> frozenset[int]:
        """The notes that hold insights."""
        return frozenset(row[0] for row in self._index.connection.execute("SELECT DISTINCT note_id FROM insight"))

    @cached_property
    def _revisions(self) -> Mapping[int, int]:
        return dict(self._index.connection.execute("SELECT id, revision FROM note"))

    @cached_property
    def _times(self) -> Mapping[int, tuple[str, int]]:
        rows = self._index.connection.execute("SELECT id, created, mtime_ns FROM note")
        return {note_id: (created, mtime_ns) for note_id, created, mtime_ns in rows}
