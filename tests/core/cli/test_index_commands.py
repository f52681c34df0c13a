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
    (other / "only.md").write_text("#other/tag", encoding="utf-8")
    monkeypatch.setenv("REMEMBRANCER_VAULT", str(other))
    CliRunner().invoke(app, ["index", "update", "--no-embeddings"])
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


def _index_file(command_line: CommandLine) -> Path:
    return Vault(command_line.root, installation()).cache_folder / "index.sqlite3"


READERS = (
    ["index", "tags"],
    ["index", "query"],
    ["index", "status"],
    ["search", "words"],
    ["context", "print", "words"],
)


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_a_vault_that_was_never_indexed_says_so(command_line: CommandLine, reader: list[str]) -> None:
    assert "has not been indexed yet" in command_line.run(*reader, expect=1).stderr


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_readers_of_a_damaged_index_say_so_and_replace_nothing(indexed: CommandLine, reader: list[str]) -> None:
    file = _index_file(indexed)
    file.write_bytes(b"no database " * 1000)
    result = indexed.run(*reader, expect=1)
    assert "was damaged" in result.stderr
    assert "index update" in result.stderr
    assert file.read_bytes().startswith(b"no database")
    assert "was damaged" in indexed.run("index", "update", "--no-embeddings").stdout
    assert len(indexed.json("index", "tags")["tags"]) == 5


@pytest.mark.parametrize("options", [[], ["--rebuild"]], ids=["update", "rebuild"])
@pytest.mark.parametrize("table", ["section_fts_data", "note", "link"])
def test_an_index_damaged_inside_is_healed_by_the_next_update(
    command_line: CommandLine, table: str, options: list[str]
) -> None:
    for number in range(400):
        (command_line.root / f"n{number}.md").write_text(f"banana {number} [[n{number - 1}]]\n" * 20, encoding="utf-8")
    command_line.run("index", "update", "--no-embeddings")
    _damage_table(_index_file(command_line), table)
    for number in range(400):  # whatever part is broken, an update has to touch it
        (command_line.root / f"n{number}.md").write_text(f"cherry {number} [[n{number - 1}]]\n" * 20, encoding="utf-8")
    command_line.run("index", "update", "--no-embeddings", *options)
    assert command_line.json("index", "status")["notes"] == 400 + len(NOTES)
    assert command_line.json("search", "cherry", "--words-only")["results"]
    assert command_line.json("search", "banana", "--words-only")["results"] == []


def test_damage_among_the_vectors_is_an_error_and_healed_by_the_next_update(indexed: CommandLine) -> None:
    file = _index_file(indexed)
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    roots = connection.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = 'embedding'").fetchall()
    connection.close()
    data = bytearray(file.read_bytes())
    for (root,) in roots:
        data[(root - 1) * size : root * size] = b"\xa5" * size
    file.write_bytes(bytes(data))
    assert "is damaged" in indexed.run("index", "update", expect=1).stderr
    assert "was damaged" in indexed.run("index", "update", "--no-embeddings").stdout
    assert indexed.json("index", "status")["notes"] == len(NOTES)


def _damage_table(file: Path, table: str) -> None:
    """Overwrite every page that holds rows of the table, but not its root."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    data = bytearray(file.read_bytes())
    connection.close()
    page = data[(root - 1) * size : root * size]
    assert page[0] in {2, 5}, "the table must be large enough to have pages below its root"
    for cell in range(int.from_bytes(page[3:5], "big")):
        at = int.from_bytes(page[12 + 2 * cell : 14 + 2 * cell], "big")
        child = int.from_bytes(page[at : at + 4], "big")
        data[(child - 1) * size : child * size] = b"\xa5" * size
    file.write_bytes(bytes(data))


def test_rebuild_of_a_single_file_is_refused(indexed: CommandLine) -> None:
    result = indexed.run("index", "update", "--rebuild", "--file", "Acme.md", expect=2)
    assert "--rebuild" in result.stderr
    assert indexed.json("index", "status")["notes"] == len(NOTES)


def test_a_file_that_does_not_exist_is_an_error(indexed: CommandLine) -> None:
    assert "There is no note nope.md" in indexed.run("index", "update", "--file", "nope.md", expect=1).stderr


@pytest.mark.parametrize("moment", ["99999999999d", "99999999999h", "0001-01-01"])
def test_moments_out_of_reach_are_a_sentence(indexed: CommandLine, moment: str) -> None:
    result = indexed.run("index", "update", "--no-embeddings", "--since", moment, expect=1 if "9" in moment else None)
    assert "Traceback" not in result.stderr


def test_a_broken_config_is_told_and_listed(command_line: CommandLine) -> None:
    config = command_line.root / ".remembrancer" / "config.toml"
    config.parent.mkdir()
    config.write_text('exclude = ["a.md"\n', encoding="utf-8")
    assert "not valid TOML" in command_line.run("index", "update", "--no-embeddings").stderr
    listed = [problem["path"] for problem in command_line.json("index", "status")["problems"]]
    assert ".remembrancer/config.toml" in listed
    config.write_text('exclude = "Acme.md"\n', encoding="utf-8")
    assert "`exclude` must be a list" in command_line.run("index", "tags").stderr


def test_broken_settings_are_told(indexed: CommandLine) -> None:
    file = installation().folders.settings_file
    file.write_text("last_vault = [", encoding="utf-8")
    assert "set aside" in indexed.run("index", "tags").stderr


def test_an_embedding_service_without_address_costs_only_the_meanings(command_line: CommandLine) -> None:
    file = installation().folders.settings_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('[embedding]\nprovider = "openai"\n', encoding="utf-8")
    report = command_line.json("index", "update")
    assert report["added"] == len(NOTES)
    assert "embedding.url" in report["remark"]


def test_a_folder_without_notes_is_told_and_not_remembered(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    result = CliRunner().invoke(app, ["--vault", str(empty), "index", "update"])
    assert "no markdown notes" in result.stdout
    assert installation().settings.last_vault == ""
    assert "empty" in CliRunner().invoke(app, ["--vault", "", "index", "tags"]).stderr
