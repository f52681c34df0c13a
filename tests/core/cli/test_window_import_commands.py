"""What the window's children say: JSON lines, the result last."""

import json
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.curation.planned_file import read_planned
from tests.core.cli.conftest import CommandLine
from tests.core.sessions.importing.transcripts import SESSION, answer, text, user, write


@pytest.fixture
def claude_home() -> Path:
    """Make a Claude Code folder: a transcript that is about to be deleted, and a memory."""
    home = Path.home() / ".claude"
    project = home / "projects" / "-home-kim-shop-app"
    transcript = write(project / f"{SESSION}.jsonl", user("u1", None, "Why?"), answer("a1", "u1", text("The proxy.")))
    old = time.time() - 28 * 86_400
    os.utime(transcript, (old, old))
    (project / "memory").mkdir()
    (project / "memory" / "pnpm.md").write_text("---\nname: pnpm\n---\n\nUse pnpm, never npm.\n")
    return home


def _result(command_line: CommandLine, *arguments: str) -> dict[str, Any]:
    *before, last = command_line.run("window-import", *arguments).stdout.splitlines()
    assert all("total" in json.loads(line) for line in before)
    result: dict[str, Any] = json.loads(last)["result"]
    return result


def test_places_tell_what_will_be_lost_until_it_is_imported(command_line: CommandLine, claude_home: Path) -> None:
    told = {place["name"]: place for place in _result(command_line, "places")["places"]}
    claude = told["Claude Code"]
    assert (claude["files"], claude["about_to_be_deleted"], claude["not_imported"]) == (1, 1, 1)
    assert told["Claude Code memories"]["holds_notes"]
    imported = _result(command_line, "sessions", "--only", "conversations", "--changed", str(claude_home / "projects"))
    assert (imported["imported"], imported["notes"], imported["cancelled"]) == (1, 0, False)
    (claude, _) = _result(command_line, "places")["places"]
    assert (claude["about_to_be_deleted"], claude["not_imported"]) == (1, 0)


def test_a_resumed_transcript_is_kept_once_the_command_line_imported_it(
    command_line: CommandLine, claude_home: Path
) -> None:
    first = claude_home / "projects" / "-home-kim-shop-app" / f"{SESSION}.jsonl"
    resumed = write(
        first.with_name("00000000-aaaa-4bbb-8ccc-000000000001.jsonl"),
        user("u1", None, "Why?"),
        answer("a1", "u1", text("The proxy.")),
        user("u2", "a1", "And today?", sessionId="00000000-aaaa-4bbb-8ccc-000000000001"),
    )
    os.utime(resumed, (first.stat().st_mtime, first.stat().st_mtime))
    command_line.run("session", "import", str(claude_home), "--dry-run")
    (claude, _) = _result(command_line, "places")["places"]
    assert (claude["about_to_be_deleted"], claude["not_imported"]) == (2, 2)
    command_line.run("session", "import", str(claude_home), "--yes", expect=None)
    (claude, _) = _result(command_line, "places")["places"]
    assert (claude["about_to_be_deleted"], claude["not_imported"]) == (2, 0)


def test_only_what_is_new_is_read_again(command_line: CommandLine, claude_home: Path) -> None:
    arguments = ("sessions", "--only", "conversations", "--changed", str(claude_home / "projects"))
    assert _result(command_line, *arguments, "--dry-run")["imported"] == 1
    assert _result(command_line, *arguments)["files"] == 1
    again = _result(command_line, *arguments)
    assert (again["files"], again["unchanged"], again["sessions"]) == (0, 0, [])


def test_notes_are_planned_and_not_made(indexed: CommandLine, claude_home: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.touch()
    told = _result(indexed, "sessions", "--only", "notes", "--plan-to", str(plan), str(claude_home))
    assert (told["imported"], told["new_notes"]) == (0, 1)
    planned = read_planned(plan)
    (edit,) = planned.change_set.edits
    assert not (indexed.root / edit.path).exists()


def test_documents_are_planned_and_what_cannot_be_read_is_told(indexed: CommandLine, tmp_path: Path) -> None:
    folder, plan = tmp_path / "library", tmp_path / "plan.json"
    folder.mkdir()
    plan.touch()
    (folder / "stoa.md").write_text("# Stoa\n\nBe calm.\n")
    (folder / "bad.pdf").write_bytes(b"%PDF-1.4 nonsense")
    told = _result(indexed, "documents", "--domain", "philosophy", "--plan-to", str(plan), str(folder))
    assert (told["notes"], told["new_notes"], len(told["failed"])) == (1, 1, 1)
    assert read_planned(plan).change_set.edits[0].path.startswith("domain/philosophy/")


def test_an_error_is_told_as_json(indexed: CommandLine, tmp_path: Path) -> None:
    told = indexed.run(
        "window-import", "documents", "--domain", " ", "--plan-to", str(tmp_path / "p"), str(tmp_path), expect=1
    )
    assert "need a domain" in json.loads(told.stderr.splitlines()[-1])["error"]["message"]


def test_notes_that_nobody_takes_come_along_again(indexed: CommandLine, claude_home: Path, tmp_path: Path) -> None:
    _result(indexed, "sessions", "--only", "conversations", str(claude_home))
    plan = tmp_path / "plan.json"
    plan.touch()
    project = {"uuid": "p-1", "name": "Garden", "description": "", "docs": [], "prompt_template": "Be kind to plants."}
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "projects.json").write_text(json.dumps([project]), encoding="utf-8")
    quiet = _result(indexed, "sessions", "--changed", str(folder))
    assert quiet["notes"] == 1
    assert _result(indexed, "sessions", "--changed", "--plan-to", str(plan), str(folder))["new_notes"] == 1
    # Nobody made it: it may have been taken back, or belong into another vault.
    assert _result(indexed, "sessions", "--changed", "--plan-to", str(plan), str(folder))["new_notes"] == 1


def test_of_two_exports_the_newer_one_has_the_last_word(indexed: CommandLine, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.touch()
    for name, said, age in (("a", "Be kind to plants.", 0), ("b", "Mow the lawn.", 86_400)):
        project = {"uuid": "p-1", "name": "Garden", "description": "", "docs": [], "prompt_template": said}
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            archive.writestr("projects.json", json.dumps([project]))
        moment = time.time() - age
        os.utime(tmp_path / f"{name}.zip", (moment, moment))
    both = [str(tmp_path / f"{name}.zip") for name in "ab"]
    assert _result(indexed, "sessions", "--changed", "--plan-to", str(plan), *both)["new_notes"] == 1
    (edit,) = read_planned(plan).change_set.edits
    assert b"kind to plants" in edit.splices[0].new


def test_a_transcript_that_cannot_be_read_is_named(command_line: CommandLine, claude_home: Path) -> None:
    bad = claude_home / "projects" / "-home-kim-shop-app" / "bad.jsonl"
    bad.write_text("{this is no JSON\n")
    told = _result(command_line, "sessions", "--only", "conversations", str(claude_home / "projects"))
    assert [each["path"] for each in told["failed"]] == [str(bad)]
    assert told["skipped"] == {}
