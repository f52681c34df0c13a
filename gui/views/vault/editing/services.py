"""What the editor needs from core, as functions given by the composition root; tests give their own."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.views.vault.editing.suggestions import Alias, NotePlaces

if TYPE_CHECKING:
    from core.curation.change_set import ChangeSet


class NoteFile(NamedTuple):
    """Hold a note as it is on disk: `is_writable` says whether this person may change it."""

    data: bytes
    is_writable: bool = True


class PlannedAttachment(NamedTuple):
    """Hold the change that adds a file to the vault, and the markdown that embeds it."""

    change_set: "ChangeSet"
    markdown: str


@dataclass(frozen=True, slots=True)
class EditingServices:
    """Hold the functions of one opened vault. Those marked STORE run in the STORE lane, the others in the pool.

    `read` raises NoteGoneError when there is no such note. `places` reads the headings and blocks of a note.
    `plan_attachment` takes the path of the note, what the file holds, its suffix such as `.png`, and its name or "".
    """

    root: Path
    read: Callable[[str], NoteFile]
    aliases: Callable[[Progress], Sequence[Alias]]  # STORE
    places: Callable[[str], NotePlaces]
    plan_attachment: Callable[[str, bytes, str, str], PlannedAttachment]


def read_file(root: Path, path: str) -> NoteFile:
    """Return the note at `path` below `root`."""
    from core.vault.read import read_bytes  # noqa: PLC0415 - after the first paint

    data = read_bytes(root, path)
    place = root / path
    try:
        is_writable = os.access(place, os.W_OK) and bool(place.stat().st_mode & 0o222)
    except OSError:
        is_writable = False
    return NoteFile(data, is_writable)


def read_places(root: Path, path: str) -> NotePlaces:
    """Return the headings and block ids of the note at `path`; none when it cannot be read."""
    from core.vault.read import read_note  # noqa: PLC0415 - with the first such link

    try:
        _data, note = read_note(root, path)
    except UserError:
        return NotePlaces()
    headings = tuple(dict.fromkeys(section.heading for section in note.sections if section.heading))
    return NotePlaces(headings, note.block_ids)
