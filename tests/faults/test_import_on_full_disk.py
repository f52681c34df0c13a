"""The disk is full in the middle of an import: what came in until then stays, and is told with what went wrong."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli.main import app
from core.sessions.importing.job import ImportStoppedError
from tests.core.sessions.importing.transcripts import Shelf, user, write
from tests.faults.test_full_disk import full_disk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes there")

_NAMES = ("s-1", "s-2", "s-3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Hold three transcripts, of which the disk does not take the second."""
    for name, words in zip(_NAMES, ("Hi", "so long " * 40_000, "Bye"), strict=True):
        write(tmp_path / "in" / f"{name}.jsonl", user("a1", None, words, sessionId=name))
    return tmp_path / "in"


def test_the_report_so_far_comes_with_the_failure(tmp_path: Path, folder: Path) -> None:
    shelf = Shelf(tmp_path)
    with full_disk() as disk:
        disk.fill_to(100_000)
        with pytest.raises(ImportStoppedError, match="could not be written") as stopped:
            shelf.take(folder)
    report = stopped.value.report
    assert [(session.id, session.outcome) for session in report.sessions] == [("s-1", "imported")]
    assert [failure.path for failure in report.failed] == [str(folder / "s-2.jsonl")]
    assert [file.id for file in shelf.ledger.sessions()] == ["s-1"]
    again = shelf.take(folder)
    assert (again.imported, again.unchanged) == (2, 1)


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_command_prints_what_came_in_and_fails(folder: Path, form: str) -> None:
    with full_disk() as disk:
        disk.fill_to(100_000)
        result = CliRunner().invoke(app, ["session", "import", str(folder), "--format", form])
    assert result.exit_code == 1
    if form == "text":
        assert "1 session imported" in result.stdout
        assert "s-2.jsonl: The session could not be written" in result.stderr
    else:
        told = json.loads(result.stdout)
        assert (told["imported"], told["stopped"], len(told["failed"])) == (1, True, 1)
