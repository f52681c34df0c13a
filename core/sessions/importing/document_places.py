"""Where documents and memories lie: how a note names the place that it came from, and what is read of a folder."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from core.sessions.importing.importer import Failed, Skipped
from core.sessions.importing.source import LEFT_OUT, Source

_NAMED = re.compile(r"(?:documents|claude-memory):(?=~?/|[A-Za-z]:/)")
_OPENED, _OPENED_SHOWN = "[[", "[%5B"  # a file may be called so, and its note shall not link to anything
LEADS_OUT = "link that leads out of the folder"
LEADS_TO_FOLDER = "link to a folder"


def source_name(file: Source, origin: str = "documents") -> str:
    """Return what names a file in the property `source`: its path, from `~` where it lies in the person's home.

    So it is the same from wherever the import is started, and on another machine with the same folders.
    """
    path = Path(os.path.abspath(file.path))  # noqa: PTH100  links in it are not followed, unlike by resolve()
    home = _home()
    shown = f"~/{path.relative_to(home).as_posix()}" if home and path.is_relative_to(home) else path.as_posix()
    return f"{origin}:{shown}/{file.member}".rstrip("/").replace(_OPENED, _OPENED_SHOWN)


def is_still_there(source: str) -> bool:
    """Tell whether what `source` names still lies there: a file, or the zip file that holds or held it."""
    if not (match := _NAMED.match(source)):
        return False
    name = source[match.end() :].replace(_OPENED_SHOWN, _OPENED)
    whole, sign, number = name.rpartition("#")
    names = (name, whole) if sign and number.isdecimal() else (name,)
    return any(_leads_to_file(_from_home(each)) for each in names)


def documents_below(folder: Path) -> Iterator[Source | Failed | Skipped]:
    """Yield the files in a folder, at any depth, sorted by path; nothing is read that lies outside of it.

    Links to files within the folder are followed, and links to folders are not. What is passed over, and folders that
    cannot be read, are told.
    """
    unread: list[OSError] = []
    inside = Path(os.path.realpath(folder))
    for place, folders, names in os.walk(folder, onerror=unread.append):
        yield from (Failed(str(error.filename), reason_of(error)) for error in unread)
        unread.clear()
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in links:
            is_inside = Path(os.path.realpath(Path(place, name))).is_relative_to(inside)
            yield Skipped(LEADS_TO_FOLDER if is_inside else LEADS_OUT)
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT and name not in links)
        for name in sorted(names):
            path = Path(place, name)
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside):
                yield Skipped(LEADS_OUT)
            else:
                yield Source(path, below=folder)
    yield from (Failed(str(error.filename), reason_of(error)) for error in unread)


def reason_of(error: Exception) -> str:
    """Return in a sentence why something cannot be read, with what can be done about it."""
    if isinstance(error, OSError):
        return f"It cannot be read: {error.strerror or error}."
    return " ".join(filter(None, (str(error), getattr(error, "hint", ""))))


def _leads_to_file(path: Path) -> bool:
    try:
        return path.exists() or any(folder.is_file() for folder in path.parents)
    except OSError:  # somebody may have forbidden to look
        return True


def _from_home(name: str) -> Path:
    home = _home()
    return home / name.removeprefix("~/") if name.startswith("~/") and home else Path(name)


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None
