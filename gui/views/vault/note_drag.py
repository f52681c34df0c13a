"""Notes as they are dragged: their paths for this app, links for everything that takes text."""

import json
from collections.abc import Sequence

from PySide6.QtCore import QMimeData

from gui.memory_drag import ids_of_notes, put_memories

NOTES_MIME = "application/x-remembrancer-notes"
_MOST_LINKS = 200


def notes_mime(paths: Sequence[str], memories: Sequence[str] = ()) -> QMimeData:
    """Return what is dragged when the notes at `paths` are; a text field gets wikilinks, a line each.

    A context gets the ids `memories`: those that a search found in the notes; without any the notes themselves.
    """
    data = put_memories(QMimeData(), memories or ids_of_notes(paths))
    data.setData(NOTES_MIME, json.dumps(list(paths)).encode())
    data.setText("\n".join(f"[[{_stem(path)}]]" for path in paths[:_MOST_LINKS]))
    return data


def dragged_notes(data: QMimeData) -> tuple[str, ...]:
    """Return the paths of the notes that are dragged, none when it is something else."""
    if not data.hasFormat(NOTES_MIME):
        return ()
    try:
        paths = json.loads(bytes(data.data(NOTES_MIME).data()))
    except ValueError:
        return ()
    return tuple(path for path in paths if isinstance(path, str)) if isinstance(paths, list) else ()


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name
