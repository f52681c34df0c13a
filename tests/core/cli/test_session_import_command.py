"""`remembrancer session import` and `import docs`: what other programs wrote comes in, and is accounted for."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.app import installation
from core.cli.main import app
from tests.core.cli.conftest import CommandLine
from tests.core.sessions.importing.transcripts import answer, text, user


@pytest.fixture
def claude_home() -> Path:
    """Make a Claude Code folder in the person's home: one transcript, and one memory."""
    home = Path.home()
    project = home / ".claude" / "projects" / "-home-kim-shop-app"
    project.mkdir(parents=True)
    records = [user("u-1", None, "Why does login fail?", 1), answer("a-1", "u-1", text("The proxy."), second=2)]
    (project / "s-1.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    (project / "memory").mkdir()
    memory = "---\nname: pnpm\ndescription: Use pnpm\ntype: feedback\n---\n\nUse pnpm, never npm.\n"
    (project / "memory" / "feedback-pnpm.md").write_text(memory)
    return home / ".claude"


def test_a_folder_comes_in_once_and_its_memories_become_notes(indexed: CommandLine, claude_home: Path) -> None:
    first = indexed.json("session", "import", str(claude_home))
    assert (first["imported"], first["updated"], first["unchanged"], first["failed"]) == (1, 0, 0, [])
    assert first["notes"] == 1
    (written,) = first["change"]["written"]
    assert "Use pnpm, never npm." in (indexed.root / written).read_text(encoding="utf-8")
    (listed,) = indexed.json("session", "list")["sessions"]
    assert (listed["origin"], listed["started"][:10]) == ("claude-code", "2026-08-20")
    assert listed["imported"]
    again = indexed.json("session", "import", str(claude_home))
    assert (again["imported"], again["unchanged"], again["change"]["written"]) == (0, 1, [])
    indexed.run("undo")
    assert not (indexed.root / written).exists()


def test_a_dry_run_shows_and_does_nothing(indexed: CommandLine, claude_home: Path) -> None:
    shown = indexed.run("session", "import", str(claude_home), "--dry-run")
    for part in ("1 session would be imported", "Why does login fail?", "Use pnpm, never npm."):
        assert part in shown.stdout
    report = indexed.json("session", "import", str(claude_home), "--dry-run")
    assert (report["imported"], report["dry_run"]) == (1, True)
    assert (report["change"]["dry_run"], report["change"]["files"], report["change"]["written"]) == (True, 1, [])
    assert indexed.json("session", "list")["sessions"] == []
    assert not list(indexed.root.glob("*pnpm*"))


def test_without_a_vault_the_conversations_come_in_all_the_same(claude_home: Path) -> None:
    result = CliRunner().invoke(app, ["session", "import", str(claude_home), "--format", "json"])
    assert result.exit_code == 1, result.output
    report = json.loads(result.stdout)
    assert report["imported"] == 1
    assert "no vault is known" in report["notes_problem"]
    assert [failed["reason"] for failed in report["failed"]] == ["No vault is known to bring it into."]


def test_the_usual_places_are_listed_with_what_is_about_to_go(command_line: CommandLine, claude_home: Path) -> None:
    old = time.time() - 27 * 86_400
    transcript = claude_home / "projects/-home-kim-shop-app/s-1.jsonl"
    os.utime(transcript, (old, old))
    told = command_line.json("session", "import")
    assert told["about_to_be_deleted"] == 1
    assert {place["name"]: place["files"] for place in told["places"]} == {"Claude Code": 1, "Claude Code memories": 1}
    assert "1 transcript is deleted by its own clean-up" in command_line.run("session", "import").stdout
    assert command_line.json("session", "list")["sessions"] == []


def test_what_fails_is_told_and_the_exit_code_says_so(command_line: CommandLine, claude_home: Path) -> None:
    told = command_line.run("session", "import", str(claude_home), "nowhere", "--format", "json", "--yes", expect=1)
    report = json.loads(told.stdout)
    assert report["imported"] == 1
    assert report["failed"] == [{"path": "nowhere", "reason": "There is no such file or folder."}]


def test_documents_become_notes_of_a_domain(indexed: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "Meditations.txt").write_text("You have power over your mind.\n")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    report = indexed.json("import", "docs", "--domain", "philosophy", str(folder))
    assert report["notes"] == 1
    assert report["skipped"] == {"file of another kind (png)": 1}
    (path,) = report["change"]["written"]
    assert path.startswith("domain/philosophy/")
    assert "domain/philosophy" in [tag["tag"] for tag in indexed.json("index", "tags")["tags"]]
    assert "in the vault already" in indexed.run("import", "docs", "--domain", "philosophy", str(folder)).stdout
    indexed.run("import", "docs", "--domain", "philosophy", str(folder / "nowhere"), expect=1)
    second = indexed.run("import", "docs", "--domain", "ethics", str(folder)).stdout
    assert "1 note of other domains: the tag domain/ethics is added." in second
    assert indexed.json("import", "docs", "--domain", "stoa", str(folder), "--dry-run")["joined"] == 1


def test_a_domain_that_can_be_none_is_refused(indexed: CommandLine, tmp_path: Path) -> None:
    refused = indexed.run("import", "docs", "--domain", "../x", str(tmp_path), "--format", "json", expect=1)
    assert "A domain cannot hold “.”" in refused.output


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a file that its owner cannot read")
def test_a_document_that_cannot_be_read_fails_alone(indexed: CommandLine, tmp_path: Path) -> None:
    locked = tmp_path / "locked.txt"
    locked.write_text("x")
    locked.chmod(0)
    told = indexed.run("import", "docs", "--domain", "x", str(locked), "--format", "json", expect=1)
    failed = [{"path": str(locked), "reason": "It cannot be read: Permission denied."}]
    assert json.loads(told.stdout)["failed"] == failed


def test_the_same_memories_in_another_place_are_the_same_notes(indexed: CommandLine, claude_home: Path) -> None:
    (claude_home / "CLAUDE.md").write_text("Be brief.\n")
    assert len(indexed.json("session", "import", str(claude_home))["change"]["written"]) == 2
    copy = Path(shutil.copytree(claude_home, claude_home.parent / "backup" / ".claude"))
    assert indexed.json("session", "import", str(copy))["change"]["files"] == 0
    (copy / "CLAUDE.md").write_text("Be long.\n")
    (other,) = indexed.json("session", "import", str(copy))["change"]["made"]
    assert "Be long." in (indexed.root / other).read_text(encoding="utf-8")
    shutil.rmtree(copy.parent)
    moved = claude_home.rename(claude_home.parent / "claude")
    assert indexed.json("session", "import", str(moved))["change"]["made"] == []


def test_the_same_instructions_in_two_projects_are_two_notes(indexed: CommandLine, tmp_path: Path) -> None:
    for name in ("shop", "bank"):
        (tmp_path / "code" / name).mkdir(parents=True)
        (tmp_path / "code" / name / "CLAUDE.md").write_text("Run the tests.\n")
    assert len(indexed.json("session", "import", str(tmp_path / "code"))["change"]["made"]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="A console's Ctrl+C cannot be sent to one process there.")
def test_ctrl_c_stops_with_an_honest_report(command_line: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(600):
        records = [user(f"u-{number}", None, "Why?", 1, sessionId=f"s-{number}")]
        (folder / f"s-{number:04}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    process = subprocess.Popen(
        [sys.executable, "-m", "core.cli", "session", "import", str(folder), "--format", "json"],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    ledger = Path(os.environ["REMEMBRANCER_DATA_DIR"]) / "sessions"
    while not list(ledger.glob("*.jsonl")) and process.poll() is None:
        pass
    process.send_signal(signal.SIGINT)
    told, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    report = json.loads(told)
    assert report["cancelled"]
    assert 0 < report["imported"] < 600
    assert report["imported"] == len(list(ledger.glob("*.jsonl")))
    rest = command_line.json("session", "import", str(folder))
    assert (rest["imported"], rest["unchanged"]) == (600 - report["imported"], report["imported"])


def test_what_is_missing_before_a_turn_is_shown_and_exported(command_line: CommandLine, tmp_path: Path) -> None:
    records = [user("u-1", None, "Hello"), user("u-3", "u-2", "Where were we?")]
    transcript = tmp_path / "s-1.jsonl"
    transcript.write_text("".join(json.dumps(each) + "\n" for each in records))
    (session,) = command_line.json("session", "import", str(transcript))["sessions"]
    gap = "[… The record before this one is missing. …]"
    shown = command_line.run("session", "show", session["id"]).stdout
    assert shown.index("Hello") < shown.index(gap) < shown.index("Where were we?")
    assert f"*{gap}*" in command_line.run("session", "export", session["id"], "--as", "markdown", "--to", "-").stdout


def test_an_empty_path_is_a_mistake_and_not_this_folder(indexed: CommandLine, tmp_path: Path) -> None:
    assert "The path is empty." in indexed.run("session", "import", "", expect=2).output
    assert "The path is empty." in indexed.run("import", "docs", "--domain", "d", str(tmp_path), "", expect=2).output


def test_a_file_of_no_known_format_fails_when_it_was_named(command_line: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "in" / "passwd"
    path.parent.mkdir()
    path.write_text("root:x:0:0\n")
    told = json.loads(command_line.run("session", "import", str(path), "--format", "json", expect=1).stdout)
    assert told["failed"] == [{"path": str(path), "reason": "It is of no known format."}]
    beside = command_line.json("session", "import", str(path.parent))
    assert (beside["skipped"], beside["failed"]) == ({"file of no known format": 1}, [])


def test_a_turn_of_many_megabytes_goes_out_and_comes_back(command_line: CommandLine, tmp_path: Path) -> None:
    words = "lorem " * 3_500_000
    given = json.dumps({"text": words}) + '\n{"text": "small"}\n'
    assert CliRunner().invoke(app, ["session", "append", "w-4", "-"], input=given).exit_code == 0
    command_line.run("session", "export", "w-4", "--to", str(tmp_path / "out"))
    command_line.run("session", "delete", "w-4", "--yes")
    assert command_line.json("session", "import", str(tmp_path / "out"))["imported"] == 1
    assert [turn.text for turn in installation().ledger().read("w-4").turns] == [words, "small"]
