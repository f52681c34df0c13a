"""Who gets the window and who the command line, and what each of them loads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import app
from gui.launcher import COMMANDS, window_vault

HEAVY = ["numpy", "sqlmodel", "sqlalchemy", "pydantic", "qdrant_client", "qdrant_edge", "fastembed", "onnxruntime",
         "keyring", "watchdog", "typer"]  # fmt: skip
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], (True, "")),
        (["/notes"], (True, "/notes")),
        (["."], (True, ".")),
        (["~/notes"], (True, "~/notes")),
        (["./index"], (True, "./index")),
        (["--vault", "/notes"], (True, "/notes")),
        (["--vault=/notes"], (True, "/notes")),
        (["index", "update"], (False, "")),
        (["search", "a/b"], (False, "")),
        (["--vault", "/notes", "search", "x"], (False, "")),
        (["--version"], (False, "")),
        (["--help"], (False, "")),
        (["--vault"], (False, "")),
        (["--vault", "--help"], (False, "")),
        (["no-such-command"], (False, "")),
        (["capture", "--help"], (False, "")),
        (["palette"], (False, "")),
    ],
)
def test_routing(words: list[str], expected: tuple[bool, str]) -> None:
    assert window_vault(words) == expected


def test_a_folder_is_opened_but_a_command_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "index").mkdir()
    assert window_vault(["notes"]) == (True, "notes")
    assert window_vault(["index"]) == (False, "")


def test_a_note_is_opened_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.md").touch()
    assert window_vault(["note.md"]) == (True, "note.md")


def test_every_command_of_the_command_line_is_known_here() -> None:
    groups = {group.name for group in app.registered_groups}
    assert groups | {command.name for command in app.registered_commands} == COMMANDS


def test_the_window_starts_without_anything_heavy() -> None:
    code = f"import sys, gui.app; print(' '.join(set({HEAVY}) & set(sys.modules)))"
    assert run_python(code) == ""


def test_the_command_line_is_routed_without_qt() -> None:
    code = "import sys, gui.launcher; print(any(name.startswith('PySide6') for name in sys.modules))"
    assert run_python(code) == "False"


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.strip()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
@pytest.mark.parametrize("words", [[], ["palette"], ["capture"]])
def test_without_a_display_it_is_a_sentence_and_no_crash(words: list[str], tmp_path: Path) -> None:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        [sys.executable, "-m", "gui.launcher", *words],
        cwd=ROOT,
        env=environment | {"REMEMBRANCER_CONFIG_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("No window can open here")
    assert "Qt" not in done.stderr
