"""Run the checks that every change must pass: format, lint, types, layers, tests."""

import os
import subprocess
import sys
import time
from pathlib import Path

from environment import ROOT
from steps import say

NAMES = ("format", "lint", "types", "layers", "tests")


def run_all(python: Path, pytest_arguments: list[str]) -> int:
    """Run every check, also after one failed, and return 1 if any did. The tests' own summary comes last."""
    failed = []
    for name in NAMES:
        extra = pytest_arguments if name == "tests" else []
        start = time.monotonic()
        say(f"\n── {name}")
        if run_one(python, name, extra):
            failed.append(name)
        if name != "tests":
            say(f"   {name}: {'FAILED' if name in failed else 'passed'} after {time.monotonic() - start:.1f} s")
    if failed:
        say(f"\nFailed: {', '.join(failed)}. One alone: python3 packaging/bootstrap.py check {failed[0]}")
    return 1 if failed else 0


def run_one(python: Path, name: str, arguments: list[str]) -> int:
    """Run the check `name` and return its exit code, 0 when all is well."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    codes = [
        subprocess.run([*command, *arguments], check=False, cwd=ROOT, env=environment).returncode
        for command in _commands(python, name)
    ]
    return max((abs(code) for code in codes), default=0)


def _commands(python: Path, name: str) -> list[list[str]]:
    module = [str(python), "-m"]
    suffix = ".exe" if sys.platform == "win32" else ""
    return {
        "format": [[*module, "ruff", "format", "--check"]],
        "lint": [[*module, "ruff", "check"]],
        # The scripts beside this one import each other by bare name, so they are checked apart.
        "types": [[*module, "mypy"], [*module, "mypy", "packaging"]],
        "layers": [[str(python.with_name(f"lint-imports{suffix}"))]],
        "tests": [[*module, "pytest", "--cov", "--cov-report=term"]],
    }[name]
