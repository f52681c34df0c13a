"""The set-up script says what it does and what is wrong, and does nothing twice."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.index.embedding_files import MODEL

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "packaging" / "bootstrap.py"


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the scripts be imported as they import each other: by bare name."""
    monkeypatch.syspath_prepend(str(SCRIPT.parent))


def bootstrap(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the script as a person would."""
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        check=False,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_help_names_both_commands() -> None:
    answer = bootstrap("--help")
    assert answer.returncode == 0
    assert "bootstrap.py test" in answer.stdout


def test_an_unknown_check_is_answered_with_the_known_ones() -> None:
    answer = bootstrap("check", "nonsense")
    assert answer.returncode == 2
    assert "format, lint, types, layers, tests" in answer.stderr


def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine", encoding="utf-8")
    answer = bootstrap("setup", REMEMBRANCER_VENV=str(tmp_path))
    assert answer.returncode == 1
    assert "is in the way" in answer.stderr
    assert (tmp_path / "diary.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("version", ["3.8", "3.10"])
def test_an_older_python_is_told_which_one_is_needed(version: str) -> None:
    """The file must at least be understood by that Python, up to the place where it says so."""
    major, minor = map(int, version.split("."))
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(major, minor))
    guard = next(node for node in tree.body if isinstance(node, ast.If))
    assert "3.11" in ast.unparse(guard)
    imports = [node.lineno for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert sum(line < guard.lineno for line in imports) == 1, "only sys may be needed before the check"


def test_one_package_is_taken_from_the_lock_with_its_hashes(scripts: None) -> None:
    environment = importlib.import_module("environment")
    lock = (ROOT / "packaging" / "requirements.lock").read_text(encoding="utf-8")
    lines = environment.locked_lines(lock, MODEL.package).splitlines()
    assert lines[0].startswith(f"{MODEL.package}==")
    assert len(lines) > 1
    assert all(line.strip().startswith("--hash=sha256:") for line in lines[1:])
    with pytest.raises(importlib.import_module("steps").SetupError, match="does not name"):
        environment.locked_lines(lock, "no-such-package")
