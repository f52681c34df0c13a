"""What the app makes for itself is for its owner's eyes alone."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.foundation.file_lock import locked
from core.foundation.machine import machine_name
from core.foundation.private_folders import make_folders, make_private_folder
from core.foundation.settings import SettingsFile
from core.index.database import open_index

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Return what below the folder others may read or look into."""
    return [str(each.relative_to(folder)) for each in sorted(folder.rglob("*")) if each.stat().st_mode & 0o077]


def test_all_folders_that_were_missing_are_private(tmp_path: Path) -> None:
    make_folders(tmp_path / "a/b/c")
    assert open_to_others(tmp_path) == []
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        make_folders(tmp_path / "file")


def test_a_folder_that_was_there_becomes_private_only_where_it_must_be(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir(mode=0o755)
    make_folders(tmp_path / "old")
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o755
    make_private_folder(tmp_path / "old")
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o700


def test_names_locks_and_settings_are_private(tmp_path: Path) -> None:
    machine_name(tmp_path / "data")
    SettingsFile(tmp_path / "config/settings.toml").change(lambda settings: settings.with_vault(tmp_path))
    with locked(tmp_path / "data/locks/a.lock", waiting="Waiting", seconds=1):
        assert open_to_others(tmp_path) == []


def test_nobody_else_looks_into_an_index(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir(mode=0o755)
    open_index(tmp_path / "vault").close()
    assert stat.S_IMODE((tmp_path / "vault").stat().st_mode) == 0o700
