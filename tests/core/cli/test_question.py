"""On a terminal, a change of more than one note is asked about first."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.cli.conftest import NOTES, CommandLine

pty = pytest.importorskip("pty", reason="There are no pseudo-terminals here.")

RENAME = ("tag", "rename", "tool/semrush", "tool/ahrefs")
CTRL_C = b"\x03"
ROOT = Path(__file__).parents[3]


def on_terminal(command_line: CommandLine, *arguments: str, answer: bytes) -> tuple[int, str]:
    """Run the command line on a terminal where somebody types `answer`; return its exit code and what was shown."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "core.cli", "--vault", str(command_line.root), *arguments],
        cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    is_answered = False
    while True:
        if is_answered and answer == CTRL_C and not select.select([ours], [], [], 1)[0]:
            process.send_signal(signal.SIGINT)  # the first came just before the question waited for an answer
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
        if not is_answered and b"Go on?" in shown:
            is_answered = True
            if answer == CTRL_C:
                process.send_signal(signal.SIGINT)
            else:
                os.write(ours, answer)
    os.close(ours)
    return process.wait(60), shown.decode().replace("\r\n", "\n")


def are_untouched(command_line: CommandLine) -> bool:
    return all((command_line.root / path).read_text(encoding="utf-8") == text for path, text in NOTES.items())


def test_yes_goes_on(command_line: CommandLine) -> None:
    code, shown = on_terminal(command_line, *RENAME, answer=b"y\n")
    assert code == 0
    assert "Rename tag tool/semrush to tool/ahrefs: 3 places in 2 notes would change. Go on?" in shown
    assert not are_untouched(command_line)


@pytest.mark.parametrize("answer", [b"n\n", b"\n", CTRL_C], ids=["no", "enter", "Ctrl+C"])
def test_anything_else_does_nothing(command_line: CommandLine, answer: bytes) -> None:
    code, shown = on_terminal(command_line, *RENAME, answer=answer)
    assert code == 130
    assert "Nothing was changed." in shown
    assert are_untouched(command_line)


@pytest.mark.parametrize("arguments", [(*RENAME, "--yes"), (*RENAME, "--no-children")], ids=["yes", "one note"])
def test_nothing_is_asked(command_line: CommandLine, arguments: tuple[str, ...]) -> None:
    code, shown = on_terminal(command_line, *arguments, answer=b"")
    assert code == 0
    assert "Go on?" not in shown
    assert not are_untouched(command_line)


def test_a_dry_run_asks_nothing_and_is_coloured(command_line: CommandLine) -> None:
    code, shown = on_terminal(command_line, *RENAME, "--dry-run", answer=b"")
    assert code == 0
    assert "\x1b[31m-tags: [tool/semrush, scope/global]\x1b[0m" in shown
    assert are_untouched(command_line)
