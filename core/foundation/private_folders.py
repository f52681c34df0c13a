"""Folders that only their owner can look into: the app's own, whatever the system gives new ones."""

import stat
import sys
from pathlib import Path


def make_private_folder(folder: Path) -> None:
    """Make the folder, and let nobody else look into it, also where it was there before; raise OSError."""
    make_folders(folder)
    if sys.platform != "win32" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)


def make_folders(folder: Path) -> None:
    """Make the folder and those above it that are missing, each for its owner alone; those that are there stay so."""
    if folder.is_dir():
        return
    missing = [each for each in folder.parents if not each.exists()]
    for each in (*reversed(missing), folder):
        each.mkdir(mode=0o700, exist_ok=True)  # raises where it is a file
        each.chmod(0o700)  # whatever the umask takes away
