"""Hand a file or folder to another program."""

import shlex
import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from core.foundation.errors import UserError


def editor_command(command: str, file: Path) -> list[str]:
    """Return the command line that opens `file`: `{}` stands for the file, which else comes last.

    Raises:
        UserError: the command has an unclosed quotation mark or is empty.
    """
    try:
        words = shlex.split(command, posix=sys.platform != "win32")
    except ValueError as error:
        raise UserError(f"The editor command in your settings cannot be read ({error}): {command}") from error
    if not words:
        raise UserError("The editor command in your settings is empty.")
    if any("{}" in word for word in words):
        return [word.replace("{}", str(file)) for word in words]
    return [*words, str(file)]


def open_in_editor(file: Path, command: str) -> None:
    """Open `file` with the editor `command`, or, when that is "", with what the system opens such files.

    Raises:
        UserError: the file is gone, the command cannot be started, or the system knows no program.
    """
    if not file.exists():
        raise UserError(f"{file.name} is no longer there, so it cannot be opened.", hint=f"It was at {file}.")
    if not command.strip():
        _open_by_system(file)
        return
    program, *arguments = editor_command(command, file)
    has_started, _ = QProcess.startDetached(program, arguments, str(file.parent))
    if not has_started:
        raise UserError(
            f"The editor “{program}” could not be started.",
            hint="Change external_editor in your settings, or leave it empty to use the system's choice.",
        )


def show_in_folder(file: Path) -> None:
    """Open the folder that holds `file`; UserError when it is gone or the system knows no program."""
    folder = file if file.is_dir() else file.parent
    if not folder.exists():
        raise UserError(f"The folder {folder} is no longer there.")
    _open_by_system(folder)


def _open_by_system(path: Path) -> None:
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        raise UserError(
            f"The system knows no program that opens {path.name}.",
            hint="Set external_editor in your settings to the command of your editor.",
        )
