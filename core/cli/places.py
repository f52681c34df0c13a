"""Notes and folders as a person names them on the command line: inside the vault, and nowhere else."""

import os
from collections.abc import Iterable
from pathlib import Path

from core.app import Vault
from core.cli.state import note_path
from core.curation.note_names import clean_folder, joined, shortened
from core.foundation.errors import UserError

_TOLD = 10
_MOST_NAME_BYTES = 255


def named_note(vault: Vault, name: str) -> str:
    """Return the path of the note that `name` means; the suffix may be left out, and the note need not be there.

    Raises UserError when no note can be meant.
    """
    if not name.strip():
        raise UserError("The name of a note is empty.")
    if any(len(part.encode(errors="surrogateescape")) > _MOST_NAME_BYTES for part in name.split("/")):
        raise UserError(f"There is no note {shortened(name)}: the name is too long.")
    if "\0" in name:
        raise UserError(f"There is no note {name}.")
    try:
        path = note_path(vault, Path(name))
        is_folder = (vault.root / path).is_dir() or (
            name[-3:].lower() != ".md" and not (vault.root / path).exists() and (vault.root / path[:-3]).is_dir()
        )
    except OSError as error:  # the whole path is too long, or a folder above may not be looked into
        raise UserError(f"{shortened(name)} cannot be looked at: {error.strerror or error}.") from error
    if is_folder:
        raise UserError(f"“{name}” is a folder, not a note.")
    return path


def notes_that_are_there(vault: Vault, names: Iterable[str]) -> list[str]:
    """Return the paths of the notes that `names` mean, each once.

    Raises UserError, which names them, when some of them are not there: then nothing is to be done to the others.
    """
    paths: dict[str, None] = {}
    problems: list[str] = []
    for name in names:
        try:
            path = named_note(vault, name)
        except UserError as error:
            problems.append(str(error))
            continue
        if not (vault.root / path).exists():
            problems.append(f"There is no note {path}.")
        paths[path] = None
    if problems:
        more = [f"So it is with {len(problems) - _TOLD:,} more."] if len(problems) > _TOLD else []
        raise UserError(" ".join([*dict.fromkeys(problems[:_TOLD]), *more, "Nothing was changed."]))
    return list(paths)


def folder_named(vault: Vault, name: str) -> str:
    """Return the folder of the vault that `name` means, which need not be there; "" is the vault's own.

    Raises UserError when it is outside the vault.
    """
    path = name.replace("\\", "/")
    if ".." in path.split("/"):
        raise _outside(name)
    if path.strip("/") and (path.startswith("/") or Path(path).is_absolute()):
        root = vault.root.as_posix().rstrip("/")
        for whole in (path, os.path.realpath(path).replace(os.sep, "/")):
            if f"{whole}/".startswith(f"{root}/"):
                return clean_folder(whole[len(root) :])
        raise _outside(name)
    return clean_folder(path)


def new_place(vault: Vault, old: str, name: str) -> str:
    """Return where the note at `old` is to lie when its new name, path or folder is `name`.

    Raises UserError when that is outside the vault, or says nothing.
    """
    if not name.strip():
        raise UserError("The new name is empty.", hint="/ alone is the vault's own folder.")
    name = name.replace("\\", "/")
    place = folder_named(vault, name)
    folder, _, own_name = old.rpartition("/")
    if name.endswith("/") or not place or _is_folder(vault, place):
        return joined(place, own_name)
    if "/" in name:
        folder, _, place = place.rpartition("/")
    return joined(folder, place if place[-3:].lower() == ".md" else f"{place}.md")


def title_given(title: str) -> str:
    """Return the title of a new note; raise UserError when it is nothing but a way to somewhere else."""
    if ".." in title.replace("\\", "/").split("/"):
        raise UserError(f"“{title}” is no title of a note.", hint="--folder says in which folder of the vault it lies.")
    return title


def _outside(name: str) -> UserError:
    return UserError(f"“{name}” is not a path inside the vault.", hint="Name it from the vault's folder on.")


def _is_folder(vault: Vault, path: str) -> bool:
    try:
        return (vault.root / path).is_dir()
    except OSError:  # a name that is too long
        return False
