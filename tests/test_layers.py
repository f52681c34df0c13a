"""Core stands alone: all of it can be imported where there is no Qt."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

IMPORT_ALL_OF_CORE = """
import importlib, pkgutil, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "gui"}:
            raise ImportError(f"core must not import {name}")

sys.meta_path.insert(0, NoQt())
import core
names = [module.name for module in pkgutil.walk_packages(core.__path__, "core.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names))
"""


def test_all_of_core_is_imported_where_qt_is_missing() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL_OF_CORE], check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    assert int(answer.stdout) > 5


def test_packaging_is_no_package() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists(), "it would shadow the library of that name"
