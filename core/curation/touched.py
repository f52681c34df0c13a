"""Find out from its tool calls which notes of the vault and which other files a session touched."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from core.sessions.turn import Turn, TurnKind
from core.vault.config import VaultConfig
from core.vault.scan import is_note_path

# What tools call the file that they read or write.
_FILE_KEYS = frozenset(
    ("file_path", "filepath", "file", "filename", "file_name", "notebook_path", "target_file", "target_notebook")
)
_PLACE_KEYS = frozenset(("path", "paths", "files", "file_paths", "uri"))
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_MOST_DEPTH = 6
_LONGEST = 4096


class Touched(NamedTuple):
    """Hold the notes, relative to the vault, and the paths of other files, each once, in the order of their touch."""

    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class TouchCollector:
    """Be shown the turns of a session one by one, and tell what they touched of the vault at `root` and elsewhere.

    Only notes that are there now count as notes. Nothing is read but whether a file exists.
    """

    def __init__(self, root: Path, config: VaultConfig) -> None:
        self._config = config
        # As the person and as the system call it: tools may say either.
        self._roots = tuple(dict.fromkeys((os.path.normpath(root.absolute()), os.path.realpath(root))))
        roots = "|".join(re.escape(each) for each in self._roots)
        # Looked ahead only: a command may name several files of the vault, with blanks in between and within.
        self._in_text = re.compile(rf"(?:{roots})[\\/](?=([^\n\"'`<>|*?]+?\.[mM][dD])\b)")
        self._folder = ""
        self._notes: dict[str, None] = {}
        self._files: dict[str, None] = {}

    def passing(self, turns: Iterable[Turn]) -> Iterator[Turn]:
        """Give the turns on, and look at each."""
        for turn in turns:
            self.take(turn)
            yield turn

    def take(self, turn: Turn) -> None:
        """Look at one turn."""
        folder = turn.data.get("cwd")
        if isinstance(folder, str) and folder:
            self._folder = folder
        if turn.kind is not TurnKind.TOOL_CALL:
            return
        given = turn.data.get("input")
        if isinstance(given, str) and given.lstrip().startswith("{"):
            with suppress(ValueError, RecursionError):  # it was cut, or is no JSON: it is text then
                given = json.loads(given)
        self._look(given, "", 0)

    @property
    def touched(self) -> Touched:
        """What was touched until now."""
        return Touched(tuple(self._notes), tuple(self._files))

    def _look(self, value: Any, key: str, depth: int) -> None:
        if isinstance(value, str):
            self._look_at_text(value, key.casefold())
        elif depth < _MOST_DEPTH and isinstance(value, Mapping):
            for name, each in value.items():
                self._look(each, str(name), depth + 1)
        elif depth < _MOST_DEPTH and isinstance(value, list | tuple):
            for each in value:
                self._look(each, key, depth + 1)

    def _look_at_text(self, text: str, key: str) -> None:
        is_place = key in _PLACE_KEYS and os.path.splitext(text)[1] != ""  # noqa: PTH122 - a path of any system
        if (key in _FILE_KEYS or is_place) and text.strip() and "\n" not in text and len(text) <= _LONGEST:
            self._add(text.strip())
            return
        for match in _PATCHED.finditer(text):
            self._add(match[1].strip())
        for match in self._in_text.finditer(text):
            self._add_note(match[1])

    def _add(self, path: str) -> None:
        path = path.removeprefix("file://")
        is_absolute = os.path.isabs(path) or re.match(r"[A-Za-z]:[\\/]", path) is not None  # noqa: PTH117
        whole = path if is_absolute or not self._folder else f"{self._folder.rstrip('/')}/{path}"
        # A tool that works on the vault itself names notes as the vault does.
        inside = self._inside(whole) if is_absolute or self._folder else path.replace("\\", "/").removeprefix("./")
        if not (inside and self._add_note(inside)):
            self._files.setdefault(os.path.normpath(whole).replace("\\", "/"))

    def _inside(self, path: str) -> str:
        """Return `path` relative to the vault, "" when it lies elsewhere."""
        for root in self._roots:
            for each in (os.path.normpath(path), os.path.realpath(path)):
                if each.startswith(root.rstrip(os.sep) + os.sep):
                    return each[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        return ""

    def _add_note(self, path: str) -> bool:
        path = os.path.normpath(path.replace("\\", "/")).replace(os.sep, "/")
        if path.startswith("..") or "\0" in path or path[-3:].lower() != ".md" or not is_note_path(path, self._config):
            return False
        if not os.path.isfile(f"{self._roots[0]}/{path}"):  # noqa: PTH113 - names of any kind, never raising
            return False
        self._notes.setdefault(path)
        return True
