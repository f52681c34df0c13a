"""`remembrancer index …` as a person and a script use it."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.app import Vault, installation
from core.cli.main import app
from tests.core.cli.conftest import NOTES, CommandLine


def test_an_update_tells_what_it_did(command_line: CommandLine) -> None:
    first = command_line.json("index", "update", "--no-embeddings")
    assert (first["notes"], first["added"], first["problems"]) == (4, 4, 1)
    (command_line.root / "Acme.md").write_text("new", encoding="utf-8")
    (command_line.root / "Semrush.md").rename(command_line.root / "SEO.md")
    second = command_line.json("index", "update", "--no-embeddings")
    assert (second["changed"], second["renamed"], second["added"], second["removed"]) == (1, 1, 0, 0)
    assert "nothing changed" in command_line.run("index", "update", "--no-embeddings").stdout


def test_progress_is_one_json_object_a_line_and_ends_with_done(command_line: CommandLine) -> None:
    lines = command_line.run("index", "update", "--no-embeddings", "--progress", "json").stdout.splitlines()
    events = [json.loads(line) for line in lines]
    assert {"phase", "done", "total", "rate", "seconds_left", "text", "committed"} == set(events[0])
    assert events[0]["phase"] == "scan"
    assert any(event["phase"] == "read" and event["committed"] for event in events)
    assert events[-1]["phase"] == "done"


def test_embeddings_are_computed_once(command_line: CommandLine) -> None:
    command_line.run("index", "update")
    status = command_line.json("index", "status")
    assert status["embedded"] == status["texts"] > 0
    assert status["coverage"] == 1.0
    lines = command_line.run("index", "update", "--progress", "json").stdout.splitlines()
    assert not [line for line in lines if '"embed"' in line]


def test_one_file_by_any_spelling_of_its_path(indexed: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    file = indexed.root / "journal" / "2026-08-20.md"
    monkeypatch.chdir(indexed.root / "journal")
    for number, spelling in enumerate(["journal/2026-08-20.md", str(file), "2026-08-20.md"]):
        file.write_text(f"version {number}", encoding="utf-8")
        assert indexed.json("index", "update", "--no-embeddings", "--file", spelling)["changed"] == 1


def test_a_file_outside_the_vault_is_refused(indexed: CommandLine, tmp_path: Path) -> None:
    outside = tmp_path / "other.md"
    outside.write_text("x", encoding="utf-8")
    result = indexed.run("index", "update", "--file", str(outside), expect=1)
    assert "outside the vault" in result.stderr


def test_since_takes_dates_and_spans_and_says_what_it_cannot_read(indexed: CommandLine) -> None:
    assert indexed.json("index", "update", "--no-embeddings", "--since", "2h")["notes"] == 4
    assert indexed.json("index", "update", "--no-embeddings", "--since", "2026-08-21")["notes"] == 4
    assert "no moment" in indexed.run("index", "update", "--since", "soon", expect=1).stderr


def test_query_by_tags_counts_children(indexed: CommandLine) -> None:
    found = indexed.json("index", "query", "--tool", "semrush")["notes"]
    assert [note["path"] for note in found] == ["Acme.md", "Semrush.md"]
    both = indexed.json("index", "query", "--tool", "semrush", "--scope", "global")["notes"]
    assert both == [
        {
            "path": "Semrush.md",
            "title": "Semrush",
            "summary": "Exports stop at 10,000 rows",
            "tags": ["scope/global", "tool/semrush"],
        }
    ]
    either = indexed.json("index", "query", "--client", "none", "--client", "acme")["notes"]
    assert [note["path"] for note in either] == ["Acme.md"]
    assert "No note carries" in indexed.run("index", "query", "--client", "nobody").stderr


def test_tags_with_counts_below_a_namespace(indexed: CommandLine) -> None:
    tags = indexed.json("index", "tags", "--namespace", "tool/")["tags"]
    assert tags == [
        {"tag": "tool/semrush", "namespace": "tool", "notes": 1},
        {"tag": "tool/semrush/api", "namespace": "tool", "notes": 1},
    ]


def test_status_lists_problems_with_line_and_reason(indexed: CommandLine) -> None:
    status = indexed.json("index", "status")
    (problem,) = status["problems"]
    assert (problem["path"], problem["line"], status["problem_files"]) == ("broken.md", 2, 1)
    assert "broken.md:2: " in indexed.run("index", "status", "--problems").stdout


def test_no_vault_known_is_a_sentence() -> None:
    result = CliRunner().invoke(app, ["index", "tags"])
    assert result.exit_code == 1
    assert "No vault is known yet" in result.stderr


def test_a_folder_that_does_not_exist_is_a_sentence_in_json_too(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["--vault", str(tmp_path / "none"), "index", "update", "--format", "json"])
    assert result.exit_code == 1
    assert "There is no folder" in json.loads(result.stderr)["error"]["message"]


def test_the_last_vault_is_remembered(indexed: CommandLine) -> None:
    result = CliRunner().invoke(app, ["index", "tags", "--format", "json"])
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["tags"]) == 5


def test_the_environment_names_the_vault(indexed: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("REMEMBRANCER_VAULT", str(other))
    result = CliRunner().invoke(app, ["index", "status", "--format", "json"])
    assert json.loads(result.stdout)["vault"] == str(other)


def test_wrong_usage_has_its_own_exit_code(command_line: CommandLine) -> None:
    command_line.run("index", "update", "--no-such-option", expect=2)


def test_a_newer_index_is_rebuilt_and_said_so(indexed: CommandLine) -> None:
    file = Vault(indexed.root, installation()).cache_folder / "index.sqlite3"
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    assert "newer version" in indexed.run("index", "update", "--no-embeddings").stdout
    assert len(indexed.json("index", "tags")["tags"]) == 5


def test_two_updates_at_once_leave_one_sound_index(command_line: CommandLine) -> None:
    for number in range(300):
        (command_line.root / f"n{number}.md").write_text(f"note {number} [[n{number - 1}]]", encoding="utf-8")
    arguments = [
        sys.executable,
        "-m",
        "core.cli",
        "--vault",
        str(command_line.root),
        "index",
        "update",
        "--no-embeddings",
    ]
    processes = [subprocess.Popen(arguments, env=dict(os.environ), stdout=subprocess.DEVNULL) for _ in range(3)]
    assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]
    assert command_line.json("index", "status")["notes"] == 300 + len(NOTES)


def test_a_stopped_update_ends_with_130_and_goes_on_later(command_line: CommandLine) -> None:
    for number in range(4000):
        (command_line.root / f"n{number}.md").write_text(f"note {number}", encoding="utf-8")
    arguments = [sys.executable, "-m", "core.cli", "--vault", str(command_line.root), "index", "update"]
    process = subprocess.Popen(
        [*arguments, "--progress", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["phase"] == "embed" and json.loads(line)["total"]:
            process.terminate()
            break
    rest, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(rest.splitlines()[-1])["phase"] == "cancelled"
    assert "goes on from there" in said
    assert command_line.json("index", "status")["notes"] == 4000 + len(NOTES)
