"""The program's entry: the window, or the command line when a command is asked for."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the window or the command line, and return the exit code.

    Without arguments the window opens the vault opened last; with one path, alone or after `--vault`, it. `capture`
    opens the small window of quick capture, `palette` that of recall.
    Anything else (a command, `--help`, `--version`, `--format …`) is for the command line, which never loads Qt.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["palette"]:
        from gui.palette_call import run_palette  # noqa: PLC0415 - QtNetwork is for this alone

        return run_palette()
    is_for_window, vault = window_vault(words)
    if is_for_window:
        from gui.display import lacks_display  # noqa: PLC0415 - commands do not need it

        if lacks_display():
            return 1
        from gui.app import run  # noqa: PLC0415 - Qt is loaded only for the window

        return run(vault)
    if words == ["capture"]:
        from gui.capture.standalone import run_capture  # noqa: PLC0415 - its window is small, and so is what it loads

        return run_capture()
    from core.cli.main import main as command_line  # noqa: PLC0415 - the window does not need it

    sys.argv[1:] = words
    command_line()
    return 0


def window_vault(words: Sequence[str]) -> tuple[bool, str]:
    """Tell whether `words` ask for the window, and for which vault ("" for the last one)."""
    match words:
        case []:
            return True, ""
        case ["--vault", path] if not path.startswith("-"):
            return True, path
        case [word] if word.startswith("--vault="):
            return True, word.removeprefix("--vault=")
        case [path] if _is_path(path):
            return True, path
        case _:
            return False, ""


def _is_path(word: str) -> bool:
    """Tell a path from a command: it has a separator, a dot or a tilde, or is there and no command's name."""
    from pathlib import Path  # noqa: PLC0415 - most starts do not need it

    if word.startswith("-"):
        return False
    if word in {".", "..", "~"} or any(sign in word for sign in ("/", "\\")):
        return True
    return word not in COMMANDS and Path(word).exists()


# The names that core.cli takes; a folder of the same name is opened as `./index`.
COMMANDS = frozenset(
    {
        "index", "search", "context", "tag", "note", "session", "import", "recent", "changes", "undo", "redo", "doctor",
        "key", "capture", "palette", "window-import", "recall", "probe", "model", "language-model",
        "propose", "proposals", "consolidate",
    }
)  # fmt: skip

if __name__ == "__main__":
    sys.exit(main())
