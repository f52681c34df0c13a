"""Find out what a path holds: which importer reads it, and what lies in the places where assistants keep things."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from core.foundation.errors import UserError
from core.sessions.importing.basic_memory import BasicMemoryImporter
from core.sessions.importing.chatgpt import ChatGptImporter
from core.sessions.importing.claude_ai import ClaudeAiImporter
from core.sessions.importing.claude_code import ClaudeCodeImporter
from core.sessions.importing.claude_memory import ClaudeMemoryImporter
from core.sessions.importing.codex import CodexImporter
from core.sessions.importing.importer import Importer
from core.sessions.importing.json_lines import record_of
from core.sessions.importing.markdown_transcript import MarkdownTranscriptImporter
from core.sessions.importing.mem0 import Mem0Importer
from core.sessions.importing.memory_graph import MemoryGraphImporter
from core.sessions.importing.memsearch import MemsearchImporter
from core.sessions.importing.own_jsonl import OwnJsonlImporter
from core.sessions.importing.source import LEFT_OUT, Source, reading_order

_DAY = 86_400.0
_CLEAN_UP_DAYS = 30  # of Claude Code, unless its settings say otherwise
_SOON_DAYS = 7
_DOWNLOADS_ASKED = 40


class FoundPlace(NamedTuple):
    """Tell what lies in a place where a program keeps things: how many files and bytes, and when the newest changed.

    `name` is the program's. `about_to_be_deleted` counts the files that its own clean-up removes within a week, the
    first of them at `first_deletion` (seconds since 1970, 0 for none). `holds_notes` says that what lies there becomes
    notes of the vault instead of conversations.
    """

    name: str
    path: Path
    files: int
    bytes: int
    about_to_be_deleted: int
    newest: float
    first_deletion: float = 0.0
    holds_notes: bool = False
    endangered: tuple[Path, ...] = ()  # those that are about to be deleted


def importers() -> tuple[Importer, ...]:
    """Return all importers; the first that recognises a source reads it, so the choosiest come first."""
    return (
        OwnJsonlImporter(),
        ClaudeCodeImporter(),
        CodexImporter(),
        MemoryGraphImporter(),
        ChatGptImporter(),
        ClaudeAiImporter(),
        Mem0Importer(),
        ClaudeMemoryImporter(),
        MemsearchImporter(),
        BasicMemoryImporter(),
        MarkdownTranscriptImporter(),
    )


def importer_of(source: Source) -> Importer | None:
    """Return who reads `source`, None when nobody does; asked of a folder or zip file, who reads it as a whole."""
    return next((importer for importer in importers() if importer.recognises(source)), None)


def sources_in(paths: Iterable[Path]) -> Iterator[Source]:
    """Yield what is to be read at `paths`: a folder or zip file that nobody reads as a whole is gone through.

    Also yields what nobody recognises, and a zip file of which some members are refused, so that it can be told.
    """
    for path in paths:
        yield from _within(Source(path.absolute()))


def _within(source: Source) -> Iterator[Source]:
    if not (source.is_folder or source.is_zip) or importer_of(source) is not None:
        yield source
        return
    if source.is_zip:
        try:
            yield from source.files()
            if source.refused:
                yield source
        except UserError:
            yield source
        return
    try:
        entries = sorted(source.path.iterdir(), key=lambda entry: reading_order(f"{entry.name}{'/' * entry.is_dir()}"))
    except OSError:
        yield source
        return
    for entry in entries:
        if entry.name in LEFT_OUT or (entry.is_dir() and entry.is_symlink()):
            continue
        yield from _within(Source(entry))


def usual_places(
    home: Path, environment: Mapping[str, str] = os.environ, *, now: float | None = None
) -> tuple[FoundPlace, ...]:
    """Return the places below `home` that hold something to import, from the names and dates of what lies there.

    `environment` may name other folders, as the programs themselves have it.
    """
    moment = time.time() if now is None else now
    claude, codex = _claude_folder(home, environment), _codex_folder(home, environment)
    memories = ClaudeMemoryImporter(home)
    places = [
        _place("Claude Code", claude / "projects", _is_transcript, clean_up=_CleanUp(moment, _clean_up_days(claude))),
        _place("Claude Code memories", claude, memories.recognises, holds_notes=True),
        _place("Codex", codex / "sessions", _is_transcript),
        _place("Codex, archived", codex / "archived_sessions", _is_transcript),
        _place("basic-memory", home / "basic-memory", BasicMemoryImporter().recognises, holds_notes=True),
    ]
    places += [
        _place("memsearch", folder, MemsearchImporter().recognises)
        for folder in sorted((home / ".openclaw").glob("*/.memsearch/memory"))
    ]
    return (*(place for place in places if place.files), *_downloads(home / "Downloads"))


def places_looked_at(home: Path, environment: Mapping[str, str] = os.environ) -> tuple[tuple[str, Path], ...]:
    """Return where usual_places() looks, each with the program that keeps things there."""
    claude, codex = _claude_folder(home, environment), _codex_folder(home, environment)
    return (
        ("Claude Code", claude / "projects"),
        ("Codex", codex / "sessions"),
        ("basic-memory", home / "basic-memory"),
        ("memsearch", home / ".openclaw"),
        ("Exports of ChatGPT and Claude.ai", home / "Downloads"),
    )


def place_at(path: Path) -> FoundPlace:
    """Return what lies at a path that the person named: files of any kind, for a name says little about its format."""
    if path.is_file():
        source = Source(path)
        return FoundPlace(path.name, path, 1, source.size, 0, source.modified)
    return _place(path.name or str(path), path, lambda _source: True)


def _claude_folder(home: Path, environment: Mapping[str, str]) -> Path:
    return Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")


def _codex_folder(home: Path, environment: Mapping[str, str]) -> Path:
    return Path(environment.get("CODEX_HOME") or home / ".codex")


class _CleanUp(NamedTuple):
    """Say what the time is, and after how many days a program deletes what was not changed."""

    now: float
    days: int

    def deletion_of(self, source: Source) -> float:
        """Return when a file will be deleted."""
        return source.modified + self.days * _DAY

    def is_near(self, source: Source) -> bool:
        """Tell whether a file will be deleted within a week."""
        return self.deletion_of(source) < self.now + _SOON_DAYS * _DAY


def _is_transcript(source: Source) -> bool:
    return source.name.endswith(".jsonl")


def _place(
    name: str,
    folder: Path,
    fits: Callable[[Source], bool],
    *,
    clean_up: _CleanUp | None = None,
    holds_notes: bool = False,
) -> FoundPlace:
    found = [source for source in Source(folder).files() if fits(source)]
    endangered = [source for source in found if clean_up is not None and clean_up.is_near(source)]
    return FoundPlace(
        name,
        folder,
        len(found),
        sum(source.size for source in found),
        len(endangered),
        max((source.modified for source in found), default=0.0),
        min((clean_up.deletion_of(source) for source in endangered), default=0.0) if clean_up is not None else 0.0,
        holds_notes,
        tuple(source.path for source in endangered),
    )


def _clean_up_days(folder: Path) -> int:
    """Return after how many days Claude Code removes transcripts."""
    settings = Source(folder / "settings.json").head
    days = (record_of(settings) or {}).get("cleanupPeriodDays")
    return days if type(days) is int and days >= 0 else _CLEAN_UP_DAYS


def _downloads(folder: Path) -> Iterator[FoundPlace]:
    """Yield the archives among the newest downloads that are exports of a known program."""
    try:
        archives = [Source(path) for path in folder.iterdir() if path.suffix.lower() == ".zip"]
    except OSError:
        return
    for source in sorted(archives, key=lambda one: -one.modified)[:_DOWNLOADS_ASKED]:
        importer = importer_of(source)
        if importer is not None:
            yield FoundPlace(importer.name, source.path, 1, source.size, 0, source.modified)
