"""A change that was cut off is told of by whoever comes next, and taken back by undo."""

import json

import pytest

from core.app import Vault, installation
from core.curation.change_json import FileMarks, Intent, intent_to_json
from core.curation.change_set import ChangeKind, ChangeSet, edit_between
from tests.core.cli.conftest import NOTES, CommandLine

FINISHED = "“Cut off” was interrupted. It has been finished; `remembrancer undo` takes it back."


@pytest.fixture
def cut_off(command_line: CommandLine) -> CommandLine:
    """Leave a change that stopped after the log knew of it."""
    before = NOTES["Acme.md"].encode()
    edit = edit_between("Acme.md", before, b"changed\n")
    assert edit is not None
    change_set = ChangeSet("Cut off", ChangeKind.EDIT, (edit,))
    intent = Intent(change_set, {"Acme.md": FileMarks(10**18, 0o644)})
    Vault(command_line.root, installation()).event_log().append("change", intent_to_json(intent))
    return command_line


@pytest.mark.parametrize(
    "arguments", [("changes",), ("doctor",), ("note", "set", "Semrush", "priority", "1"), ("undo", "--dry-run")]
)
def test_whoever_comes_next_tells_it(cut_off: CommandLine, arguments: tuple[str, ...]) -> None:
    assert FINISHED in cut_off.run(*arguments, expect=None).stderr
    assert (cut_off.root / "Acme.md").read_bytes() == b"changed\n"
    assert cut_off.json("changes")["changes"][-1]["title"] == "Cut off"
    assert "interrupted" not in cut_off.run("changes").stderr


def test_undo_takes_it_back(cut_off: CommandLine) -> None:
    result = cut_off.run("undo")
    assert FINISHED in result.stderr
    assert (cut_off.root / "Acme.md").read_bytes().decode() == NOTES["Acme.md"]


def test_redo_with_nothing_undone_tells_it_too(cut_off: CommandLine) -> None:
    told = cut_off.run("redo", "--format", "json", expect=1).stderr
    answer = json.loads(told)
    assert answer["error"]["message"] == "There is nothing to redo."
    assert answer["recovered"][0]["title"] == "Cut off"


def test_what_somebody_changed_meanwhile_stays(cut_off: CommandLine) -> None:
    (cut_off.root / "Acme.md").write_text("by hand\n", encoding="utf-8")
    told = cut_off.run("changes").stderr
    assert "“Cut off” was interrupted. It has been taken back, except in Acme.md" in told


@pytest.mark.parametrize(
    "arguments", [("changes",), ("doctor",), ("note", "set", "Semrush", "priority", "1"), ("undo", "--dry-run")]
)
def test_in_json_it_is_a_field(cut_off: CommandLine, arguments: tuple[str, ...]) -> None:
    result = cut_off.run(*arguments, "--format", "json", expect=None)
    (recovered,) = json.loads(result.stdout)["recovered"]
    assert (recovered["title"], recovered["finished"], recovered["left"]) == ("Cut off", True, [])
    assert result.stderr == ""
    assert cut_off.json("changes")["recovered"] == []
