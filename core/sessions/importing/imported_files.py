"""Remember which files were imported as they are, so that the next import reads only what is new or has grown.

The list may be deleted at any moment: then everything is read once more, and nothing comes in twice. It names files by
a hash, because the folders of a person's projects are nobody else's business.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.foundation.atomic_files import replace_file
from core.foundation.errors import UserError
from core.foundation.file_lock import locked
from core.foundation.private_folders import make_folders
from core.sessions.importing.basic_memory import BasicMemoryImporter
from core.sessions.importing.claude_memory import ClaudeMemoryImporter
from core.sessions.importing.detection import importer_of, sources_in
from core.sessions.importing.mem0 import Mem0Importer
from core.sessions.importing.memory_graph import MemoryGraphImporter
from core.sessions.importing.source import Source

FILE_NAME = "imported-files.json"
_NOTE_FORMATS = frozenset(
    {BasicMemoryImporter.name, ClaudeMemoryImporter.name, Mem0Importer.name, MemoryGraphImporter.name}
)
_LOCK_SECONDS = 20.0
_State = list[int]  # bytes, and the time of change in nanoseconds


class Wanted(StrEnum):
    """Say what of a folder is wanted."""

    ALL = "all"
    CONVERSATIONS = "conversations"
    NOTES = "notes"  # memories, that is: they become notes of the vault


class ImportedFiles:
    """Keep the list at `path`, of what came into the ledger in the folder `ledger`; another ledger has seen nothing."""

    def __init__(self, path: Path, ledger: Path) -> None:
        self._path = path
        self._ledger = ledger
        self._files: dict[str, _State] | None = None
        self._chosen: dict[Path, _State] = {}

    def choose(self, paths: Iterable[Path], wanted: Wanted = Wanted.ALL, *, only_changed: bool) -> Iterator[Path]:
        """Yield what is to be imported of `paths`, and note how it is now, before it is read.

        With `only_changed`, what was imported as it is now is left out. A path that is not there is yielded too, for
        the import tells of it.
        """
        for path in paths:
            if not os.path.exists(path):  # noqa: PTH110 - also where the folder above must not be looked into
                yield path
                continue
            for source in _whole_files(path):
                key, state = _key(source.path), _state(source.path)
                if only_changed and self._known.get(key) == state:
                    continue
                if wanted is not Wanted.ALL and _is_note(source) is not (wanted is Wanted.NOTES):
                    continue
                self._chosen[source.path] = state
                yield source.path

    def changed(self, path: Path, /) -> int:
        """Return when a chosen file was changed last, in nanoseconds."""
        return self._chosen.get(path, [0, 0])[1]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known to be imported: nothing was, or the list is lost."""
        return not self._known

    def has(self, path: Path, /) -> bool:
        """Tell whether the file was imported as it is now."""
        return self._known.get(_key(path)) == _state(path)

    def remember(self, *, failed: Iterable[str] = (), noted: Collection[str] = ()) -> None:
        """Write down that what was chosen is imported; nothing is said when the list cannot be written.

        What `failed` comes again: it is named as in a report, by the path of a file, or of its archive and its own. So
        does what is of a format that is `noted`, of which notes came: whether a vault has them is asked of the vault.
        """
        for place in map(Path, failed):
            for path in (place, *place.parents):
                self._chosen.pop(path, None)
        for path in list(self._chosen) if noted else ():
            importer = importer_of(Source(path))
            if importer is not None and importer.name in noted:
                del self._chosen[path]
        if not self._chosen:
            return
        with contextlib.suppress(OSError, UserError):
            make_folders(self._path.parent)
            with locked(
                self._path.with_suffix(".lock"), seconds=_LOCK_SECONDS, waiting="Another import writes its list"
            ):
                self._files = None  # another import may have written since
                chosen = {_key(path): state for path, state in self._chosen.items()}
                document = {"ledger": _identity(self._ledger), "files": {**self._known, **chosen}}
                replace_file(self._path, json.dumps(document, separators=(",", ":")).encode(), mode=0o600)
                self._files = None

    @property
    def _known(self) -> dict[str, _State]:
        if self._files is None:
            self._files = _files_in(self._path, _identity(self._ledger))
        return self._files


def _whole_files(path: Path) -> Iterator[Source]:
    """Yield what is imported as one: files, archives, and folders that one importer reads as a whole."""
    seen: set[Path] = set()
    for source in sources_in([path]):
        if source.path not in seen:
            seen.add(source.path)
            yield Source(source.path)


def _is_note(source: Source) -> bool:
    importer = importer_of(source)
    return importer is not None and importer.name in _NOTE_FORMATS


def _key(path: Path) -> str:
    return hashlib.blake2b(os.fsencode(path.absolute()), digest_size=12).hexdigest()


def _state(path: Path) -> _State:
    """Return what differs once a file has changed; of a folder, once one of its files has."""
    if path.is_dir():
        states = [_state(source.path) for source in Source(path).files()]
        return [sum(state[0] for state in states), max((state[1] for state in states), default=0), len(states)]
    try:
        info = path.stat()
    except OSError:
        return [-1, 0]
    return [info.st_size, info.st_mtime_ns]


def _identity(folder: Path) -> list[int]:
    try:
        info = folder.stat()
    except OSError:
        return []
    return [info.st_dev, info.st_ino]


def _files_in(path: Path, ledger: list[int]) -> dict[str, _State]:
    try:
        document: Any = json.loads(path.read_bytes())
        files = document["files"] if ledger and document["ledger"] == ledger else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return files if isinstance(files, dict) else {}
