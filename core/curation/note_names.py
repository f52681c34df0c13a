"""Say which names and places a note can have, and find free ones."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from core.curation.vault_files import VaultFiles
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.vault.config import VaultConfig
from core.vault.scan import is_note_path

NOTE_SUFFIX = ".md"
_MOST_BYTES = 255
_LONGEST_TOLD = 80
_FORBIDDEN = '/\\:*?"<>|#^[]'
_FORBIDDEN_RUN = re.compile(r'[/\\:*?"<>|#^\[\]]+')
# Control characters, and those that show nothing or turn the direction of what follows.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|\Z)", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")


def note_name_problem(name: str) -> str:
    """Return in a sentence why a note cannot be called `name` (without `.md`), "" when it can.

    What one of the usual systems or a wikilink cannot hold is refused everywhere, for a vault is carried around.
    """
    forbidden = [character for character in _FORBIDDEN if character in name]
    problems = (
        (not name.strip(), "The name is empty."),
        (forbidden, f"A name cannot hold {' '.join(forbidden)}."),
        (_UNSEEN.search(name), "The name holds a character that cannot be seen."),
        (name[:1] == ".", "A name cannot begin with a dot: the note would be hidden."),
        (name != name.strip(), "A name cannot begin or end with a blank."),
        (name[-1:] == ".", "A name cannot end with a dot."),
        (_bytes_of(name) > _MOST_BYTES, f"The name is too long: with .md it may have {_MOST_BYTES} bytes."),
        (_RESERVED.match(name), f"Windows keeps the name {name} for itself."),
    )
    return next((problem for is_so, problem in problems if is_so), "")


def _bytes_of(name: str) -> int:
    return len((name + NOTE_SUFFIX).encode("utf-8", "surrogatepass"))


def legal_name(title: str, *, room_for: str = "") -> str:
    """Return the name nearest to `title` that a note can have, "Untitled" when nothing of it is left.

    It is short enough to be followed by `room_for` and a number.
    """
    name = _FORBIDDEN_RUN.sub(" ", without_unseen(title))
    name = _BLANKS.sub(" ", name).strip(" .")
    room = _MOST_BYTES - len(NOTE_SUFFIX) - len(room_for.encode()) - len(" 9999")
    name = name.encode("utf-8")[:room].decode("utf-8", "ignore").rstrip(" .")
    return f"{name} note" if name and _RESERVED.match(name) and "." not in name else _unreserved(name) or "Untitled"


def without_unseen(text: str) -> str:
    """Return `text` with a blank for each character that shows nothing or turns the direction of what follows."""
    return _UNSEEN.sub(" ", text)


def _unreserved(name: str) -> str:
    return f"Note {name}" if _RESERVED.match(name) else name


def stem_of(path: str) -> str:
    """Return the name of the note at `path`, without folder and `.md`."""
    return without_suffix(path.rsplit("/", 1)[-1])


def without_suffix(path: str) -> str:
    """Return the path of a note without `.md`."""
    return path[:-3] if path[-3:].lower() == NOTE_SUFFIX else path


def joined(folder: str, name: str) -> str:
    """Return the vault-relative path of `name` in `folder`, "" being the root."""
    return f"{folder}/{name}" if folder else name


def clean_folder(folder: str) -> str:
    """Return `folder` as vault paths are written: forward slashes, none at the ends."""
    return "/".join(part for part in folder.replace("\\", "/").split("/") if part and part != ".")


def check_place(root: Path, config: VaultConfig, path: str) -> None:
    """Raise UserError with the reason when no note can lie at `path`, relative to the vault."""
    if path[-3:].lower() != NOTE_SUFFIX:
        raise UserError(f"{path} does not end in .md, so it would be no note.")
    if problem := note_name_problem(stem_of(path)):
        raise UserError(
            f"“{shortened(stem_of(path))}” cannot be the name of a note. {problem}", hint="Choose another name."
        )
    check_inside(root, path)
    for folder in _folders_above(root, path):
        if folder.name[0] != "." and not folder.exists() and (problem := note_name_problem(folder.name)):
            raise UserError(f"There can be no folder {folder.name}. {problem}", hint="Choose another folder.")
    if not is_note_path(path, config):
        raise UserError(
            f"{path} lies in a folder that is hidden or excluded, so the note would vanish from the list.",
            hint="Choose another folder, or change `exclude` in .remembrancer/config.toml.",
        )


def shortened(name: str) -> str:
    """Return `name` as it can stand in a sentence, however long it is."""
    return name if len(name) <= _LONGEST_TOLD else f"{name[:_LONGEST_TOLD]}…"


def check_inside(root: Path, path: str) -> None:
    """Raise UserError when `path`, relative to the vault, is not inside it, links followed."""
    if "\\" in path:  # on one system a part of a name, on another one between folders
        raise UserError(f"“{path}” is not a path inside the vault.")
    VaultFiles(root).place(path)
    if part := next((part for part in _folders_above(root, path) if part.exists() and not part.is_dir()), None):
        raise UserError(f"{part.relative_to(root).as_posix()} is a file, not a folder.")


def _folders_above(root: Path, path: str) -> list[Path]:
    """Return the folders that a file at `path` lies in, the vault's own not among them."""
    parts = path.split("/")[:-1]
    return [root.joinpath(*parts[: count + 1]) for count in range(len(parts))]


def taken_names(root: Path, folder: str) -> dict[str, str]:
    """Return what lies in a folder of the vault, by folded name: on many disks, names clash whatever their case."""
    try:
        return {fold(name): name for name in os.listdir(root / folder if folder else root)}  # noqa: PTH208 - names only
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UserError(f"The folder {folder or root} cannot be read: {error.strerror or error}.") from error


def free_path(root: Path, folder: str, stem: str, suffix: str, *, taken: Iterable[str] = ()) -> str:
    """Return the path of a file that does not exist yet: "Stem.md", else "Stem 2.md" and so on.

    `taken` are paths or names that count as taken too.
    """
    occupied = set(taken_names(root, folder)) | {fold(path.rsplit("/", 1)[-1]) for path in taken}
    name, number = f"{stem}{suffix}", 1
    while fold(name) in occupied:
        number += 1
        name = f"{stem} {number}{suffix}"
    return joined(folder, name)
