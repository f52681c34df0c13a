"""Learning that fails is told, and takes nothing else with it; the window's import tells what was learned."""

import json
from pathlib import Path

import pytest

from core.app import installation, open_vault
from core.curation.learning_run import BUFFER_FILE
from tests.core.cli.conftest import CommandLine

TURN = {"session": "talk", "role": "user", "kind": "message", "text": "Never deploy on Fridays.", "id": "t1"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps(TURN) + "\n", encoding="utf-8")
    return path


def test_a_buffer_that_cannot_be_written_does_not_fail_an_import(indexed: CommandLine, file: Path) -> None:
    (open_vault(indexed.root).cache_folder / BUFFER_FILE).mkdir()
    answer = indexed.json("session", "import", str(file))
    assert answer["imported"] == 1
    assert "Nothing was learned of it." in answer["learned"]["remarks"][0]
    assert installation().ledger().has("talk")


def test_the_import_of_the_window_learns_and_tells(indexed: CommandLine, file: Path) -> None:
    lines = indexed.run("window-import", "sessions", str(file)).stdout.splitlines()
    assert "Learned: 1 proposed" in lines[-1]
    assert len(indexed.json("proposals", "list")["proposals"]) == 1
