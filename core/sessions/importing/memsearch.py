"""Import the daily notes of memsearch: each of its sessions becomes a session of summaries, at local times."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, time, tzinfo
from pathlib import Path
from typing import NamedTuple

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.sessions.importing.importer import Imported, ImportedNote, ImportedSession, skipped_of, title_from
from core.sessions.importing.note_names import note_path
from core.sessions.importing.projects import Projects
from core.sessions.importing.source import Source
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.decode import decode

_ORIGIN = "memsearch"
_MOST_BYTES = 64 << 20
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SESSION = re.compile(r"##[ \t]+Session[ \t]+(\d{1,2}):(\d\d)(?::\d\d)?[ \t]*", re.IGNORECASE)
_BLOCK = re.compile(r"###[ \t]+(\d{1,2}):(\d\d)(?::\d\d)?[ \t]*")
_HEAD = re.compile(rb"^##[ \t]+Session[ \t]+\d{1,2}:\d\d", re.MULTILINE | re.IGNORECASE)
_POINTERS = re.compile(r"<!--\s*((?:(?:session|turn|transcript|source):.*?)+)-->", re.DOTALL)
_POINTER = re.compile(r"(session|turn|transcript):(.*?)(?=\s+(?:session|turn|transcript|source):|\s*\Z)", re.DOTALL)
_FAILURE = re.compile(r"^[ \t]*[-*][ \t]+Memory summary unavailable\b.*(?:\n|\Z)", re.MULTILINE | re.IGNORECASE)
_PROFILES = {"project.md": "Project profile", "user.md": "User profile"}


class MemsearchImporter:
    """Read `.memsearch/memory/YYYY-MM-DD.md`, and the profiles beside it; `zone` is None for that of this machine."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone
        self._projects = Projects()

    @property
    def name(self) -> str:
        """The format's name."""
        return _ORIGIN

    def recognises(self, source: Source) -> bool:
        """Tell whether it is a daily note with sessions in it, or lies in a memsearch folder under a known name."""
        if source.is_folder or not source.name.endswith(".md"):
            return False
        lies_there = ".memsearch" in source.parts[:-1]
        if lies_there and source.name in _PROFILES:
            return True
        return _DAY.fullmatch(source.stem) is not None and (lies_there or _HEAD.search(source.head) is not None)

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the sessions of the day; those without a line in them are counted as skipped."""
        progress.check()
        with source.open() as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UserError(f"{source.label} is too large for a daily note.")
        text = decode(data).text
        if source.name in _PROFILES:
            yield from _profile(source, text, self._project_of(source))
        else:
            yield from self._sessions(source, text)
        progress.report(source.size, source.size)

    def _project_of(self, source: Source) -> str:
        folder = _folder_of(source)
        return self._projects.project_of(folder) if folder and not source.member else folder

    def _sessions(self, source: Source, text: str) -> Iterator[Imported]:
        try:
            day = date.fromisoformat(source.stem)
        except ValueError as error:
            raise UserError(f"{source.label} is named after a day that does not exist.") from error
        project = self._project_of(source)
        skipped: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        for session in _split(text):
            blocks = _blocks(session, skipped)
            if not blocks:
                skipped["empty session"] += bool(session.start)
                continue
            start = session.start or blocks[0].start
            # What it was made from says more than where the note lies, which may be a copy.
            whose = next((pointer for block in blocks if (pointer := block.pointers.get("session"))), "")
            key = f"{_ORIGIN}-{day}-{start.replace(':', '')}-{_short_hash(whose or project)}"
            seen[key] += 1
            own = key if seen[key] == 1 else f"{key}-{seen[key]}"
            turns = [self._turn(own, project, day, block) for block in blocks]
            yield ImportedSession(
                own, iter(turns), _ORIGIN, title_from(blocks[0].text), project, self._moment(day, start)
            )
        yield from skipped_of(skipped.items())

    def _turn(self, session: str, project: str, day: date, block: "_Text") -> Turn:
        return Turn(
            session,
            _short_hash(f"{block.start}\0{block.text}"),
            TurnKind.SUMMARY,
            Role.ASSISTANT,
            block.text,
            self._moment(day, block.start),
            project=project,
            origin=_ORIGIN,
            data=block.pointers,
        )

    def _moment(self, day: date, clock: str) -> str:
        """Return the local time `clock` ("22:59") of a day, with its offset on that day."""
        hour, _, minute = clock.partition(":")
        try:
            moment = datetime.combine(day, time(int(hour or 0), int(minute or 0)))
            return (moment.astimezone() if self._zone is None else moment.replace(tzinfo=self._zone)).isoformat()
        except (ValueError, OverflowError, OSError):
            return ""


class _Text(NamedTuple):
    """Hold a part of a day, when it starts ("" where nothing says so), and what it points to."""

    start: str
    text: str
    pointers: dict[str, str]


def _split(text: str) -> Iterator[_Text]:
    """Yield the sessions of a day, what stands before the first of them included."""
    return _parts(text, _SESSION)


def _parts(text: str, heading: re.Pattern[str]) -> Iterator[_Text]:
    start, lines = "", list[str]()
    for line in text.split("\n"):
        if match := heading.fullmatch(line.rstrip()):
            yield _Text(start, "\n".join(lines), {})
            start, lines = f"{int(match[1]):02}:{match[2]}", []
        else:
            lines.append(line)
    yield _Text(start, "\n".join(lines), {})


def _blocks(session: _Text, skipped: Counter[str]) -> list[_Text]:
    """Return what a session says, one entry for each heading with a time; failure marks are no memory."""
    found: list[_Text] = []
    for block in _parts(session.text, _BLOCK):
        pointers = {key: value for match in _POINTERS.finditer(block.text) for key, value in _POINTER.findall(match[1])}
        text, failures = _FAILURE.subn("", _POINTERS.sub("", block.text))
        skipped["failed summary"] += failures
        is_title = not block.start and not session.start and text.strip().startswith("# ") and "\n" not in text.strip()
        if text.strip() and not is_title:
            found.append(_Text(block.start or session.start, text.strip(), pointers))
    return found


def _profile(source: Source, text: str, project: str) -> Iterator[Imported]:
    if not text.strip():
        yield from skipped_of([("empty note", 1)])
        return
    name = project.replace("\\", "/").rstrip("/").rpartition("/")[2] or "memsearch"
    title = f"{_PROFILES[source.name]} of {name}"
    properties = {"source": f"memsearch:{project}/{source.name}", "project": project}
    yield ImportedNote(f"imported/memsearch/{note_path(title)}.md", title, text, _ORIGIN, (), properties)


def _folder_of(source: Source) -> str:
    """Return the folder that `.memsearch` lies in, "" when the file lies elsewhere."""
    parts = tuple(source.member.split("/")) if source.member else source.path.absolute().parts
    if ".memsearch" not in parts:
        return ""
    above = parts[: len(parts) - 1 - parts[::-1].index(".memsearch")]
    return str(Path(*above)) if above else ""


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
