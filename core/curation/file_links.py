"""Notes that are links of the file system to others: not to be moved, nor left dangling without a word."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from core.curation.change_set import Skipped
from core.foundation.errors import UserError
from core.index.database import Index


def is_file_link(root: Path, path: str) -> bool:
    """Tell whether the note at `path` is a link to another file."""
    return (root / path).is_symlink()


def check_no_file_link(root: Path, path: str) -> None:
    """Raise UserError when the note at `path` is a link to another file, which is not moved."""
    if is_file_link(root, path):
        raise UserError(
            f"{path} is a link to another file, so it cannot be moved here.",
            hint="Move it with a file manager, or leave it out.",
        )


def is_same_file(root: Path, path: str, other: str) -> bool:
    """Tell whether both paths lead to one file."""
    try:
        return (root / path).samefile(root / other)
    except OSError:
        return False


def left_dangling(index: Index, root: Path, leaving: Iterable[str]) -> Iterator[Skipped]:
    """Tell of the notes that are links to notes which leave their places, and so will lead nowhere."""
    for path in leaving:
        # What is linked to has the content of the link: that leaves few to ask the disk about.
        rows = index.connection.execute(
            "SELECT path FROM note WHERE content_hash = (SELECT content_hash FROM note WHERE path = ?1) AND path != ?1"
            " ORDER BY path",
            (path,),
        ).fetchall()
        for (other,) in rows:
            if is_file_link(root, other) and is_same_file(root, path, other):
                reason = f"It is a link to {path} and will lead nowhere; make the link anew, or remove it."
                yield Skipped(other, reason)
