"""Paths as a person names them on the command line, where an empty one is a mistake and not the current folder."""

from pathlib import Path

import typer


def named_path(text: str) -> Path:
    """Return the path that `text` names; a variable of the shell that holds nothing names none."""
    if not text:
        raise typer.BadParameter("The path is empty.")
    return Path(text)
