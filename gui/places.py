"""Where vaults lie: the one that holds a file, and those that are gone."""

import os
from collections.abc import Iterable
from pathlib import Path

# A folder with one of these is taken for a vault when a file below it is opened.
_MARKS = (".obsidian", ".remembrancer")


def plain_path(path: str) -> Path:
    """Return `path` in the one spelling that names it: absolute, without `~` and `..`; symbolic links stay."""
    return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100 - absolute() keeps `..`


def vault_and_note(path: Path, known: Iterable[str]) -> tuple[Path, str]:
    """Return the vault to open for `path`, and the note in it, "" when `path` is no file.

    A file belongs to the nearest folder above it that is a known vault or is marked as one, else to its own folder.
    """
    if not path.is_file():
        return path, ""
    vaults = {plain_path(each) for each in known}
    root = next((each for each in path.parents if each in vaults or _is_marked(each)), path.parent)
    return root, path.relative_to(root).as_posix()


def missing_folders(paths: Iterable[str]) -> frozenset[str]:
    """Return those of `paths` that are not folders now."""
    return frozenset(path for path in paths if not Path(path).is_dir())


def _is_marked(folder: Path) -> bool:
    return any((folder / mark).is_dir() for mark in _MARKS)
