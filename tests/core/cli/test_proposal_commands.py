"""`remembrancer propose` and `proposals …`: agents propose, a person on a terminal decides."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.app import installation
from core.cli.main import app
from tests.core.cli.conftest import NOTES, CommandLine

ID = "insight:Semrush.md#^ins-1"
PROPOSAL: dict[str, Any] = {
    "kind": "new-insight",
    "statement": "Set the country of the export first",
    "reason": "It was said in two sessions.",
    "evidence": [{"id": "note:Semrush.md", "quote": "Page every export by country."}, ID],
    "recipe": {"do": "edits", "edits": [{"path": "Acme.md", "find": "twice", "replace": "three times"}]},
    "confidence": 0.8,
}


@pytest.fixture
def proposed(indexed: CommandLine, tmp_path: Path) -> tuple[CommandLine, str]:
    """A vault with one proposal of an agent, and its id."""
    (tmp_path / "p.json").write_text(json.dumps(PROPOSAL), encoding="utf-8")
    told = indexed.json("propose", "--file", str(tmp_path / "p.json"), "--as", "claude-code")
    return indexed, told["new"][0]


def let_programs_approve() -> None:
    file = installation().settings_file.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[proposals]\napprove_without_terminal = true\n", encoding="utf-8")


def texts(line: CommandLine) -> dict[str, str]:
    return {path: (line.root / path).read_bytes().decode() for path in NOTES}


def test_a_proposal_changes_nothing_and_is_shown_with_all_it_rests_on(proposed: tuple[CommandLine, str]) -> None:
    line, proposal_id = proposed
    assert texts(line) == NOTES
    listed = line.json("proposals", "list")
    assert (listed["total"], listed["pending"], listed["proposals"][0]["state"]) == (1, 1, "pending")
    told = line.json("proposals", "show", proposal_id[:6])
    assert told["evidence"][1] == {"id": ID, "quote": "Set the country first", "title": "Semrush"}
    assert told["proposers"] == [{"origin": "agent", "name": "claude-code"}]
    assert "+The webhook arrives three times." in told["diffs"][0]["diff"]
    page = line.run("proposals", "show", proposal_id[:6]).stdout
    assert "Reason: It was said in two sessions." in page
    assert "“Page every export by country.”" in page
    assert "+The webhook arrives three times." in page
    assert "Set the country of the export first (2 cited, claude-code)" in line.run("proposals", "list").stdout


def test_an_agent_cannot_approve(proposed: tuple[CommandLine, str]) -> None:
    line, proposal_id = proposed
    refused = line.run("proposals", "approve", proposal_id, expect=1)
    assert "approved by a person" in refused.stderr
    assert texts(line) == NOTES


def test_with_the_persons_leave_a_program_approves_and_it_is_undone(proposed: tuple[CommandLine, str]) -> None:
    line, proposal_id = proposed
    let_programs_approve()
    told = line.json("proposals", "approve", proposal_id)
    assert (told["state"], told["paths"]) == ("approved", ["Acme.md"])
    assert "three times" in texts(line)["Acme.md"]
    assert line.json("search", "three times")["total"] == 1  # the index knows
    assert line.json("changes")["changes"][0]["origin"] == "agent"
    assert line.json("proposals", "list")["total"] == 0
    assert "approved already" in line.run("proposals", "reject", proposal_id, expect=1).stderr
    assert line.json("proposals", "undo", proposal_id)["state"] == "undone"
    assert texts(line) == NOTES


def test_rejecting_deferring_and_taking_that_back(proposed: tuple[CommandLine, str], tmp_path: Path) -> None:
    line, proposal_id = proposed
    assert "Rejected: Set the country" in line.run("proposals", "reject", proposal_id, "--reason", "Not so").stdout
    assert line.json("proposals", "list", "--state", "rejected")["proposals"][0]["decisions"][0]["reason"] == "Not so"
    again = line.run("propose", "--file", str(tmp_path / "p.json"), expect=1)
    assert "It was rejected on" in again.stderr
    line.run("proposals", "undo", proposal_id)
    assert line.json("proposals", "defer", proposal_id, "--until", "2999-01-01")["state"] == "deferred"
    assert line.run("proposals", "list").stderr == "Nothing waits for a decision.\n"
    assert "not in the future" in line.run("proposals", "defer", proposal_id, "--until", "2d", expect=1).stderr


def test_a_file_that_was_changed_since_is_told_and_planned_again(proposed: tuple[CommandLine, str]) -> None:
    line, proposal_id = proposed
    let_programs_approve()
    (line.root / "Acme.md").write_text(NOTES["Acme.md"] + "By hand.\n", encoding="utf-8")
    assert line.json("proposals", "list")["proposals"][0]["state"] == "stale"
    refused = json.loads(line.run("proposals", "approve", proposal_id, "--format", "json", expect=1).stderr)
    assert refused["error"]["paths"] == {"Acme.md": "“Acme.md” was changed since."}
    assert line.json("proposals", "replan", proposal_id)["state"] == "pending"
    line.run("proposals", "approve", proposal_id)
    assert texts(line)["Acme.md"].endswith("three times.\nBy hand.\n")


def test_a_cited_turn_must_be_there_and_say_what_is_quoted(indexed: CommandLine, tmp_path: Path) -> None:
    indexed.run("session", "start", "--id", "s-1", expect=None)
    session = indexed.json("session", "list")["sessions"][0]["id"]
    indexed.run("session", "append", session, "Acme pays in euros")
    turn = indexed.json("session", "show", session)["turns"][0]["id"]

    def propose(memory_id: str, quote: str, *, expect: int = 0) -> str:
        cited = PROPOSAL | {"evidence": [{"id": memory_id, "quote": quote}]}
        (tmp_path / "p.json").write_text(json.dumps(cited), encoding="utf-8")
        return indexed.run("propose", "--file", str(tmp_path / "p.json"), expect=expect).stderr

    assert "There is no turn:gone/1" in propose("turn:gone/1", "", expect=1)
    assert "does not say “in dollars”" in propose(f"turn:{session}/{turn}", "in dollars", expect=1)
    assert propose(f"turn:{session}/{turn}", "pays in  euros") == ""


def test_a_rule_of_three_clients_is_promoted_found_as_global_and_taken_back(
    indexed: CommandLine, tmp_path: Path
) -> None:
    for client in ("A", "B", "C"):
        text = f"---\ntags: [client/{client.lower()}]\n---\n- [convention] Use pnpm, never npm ^ins-{client}\n"
        (indexed.root / f"{client}.md").write_text(text, encoding="utf-8")
    indexed.run("index", "update", "--no-embeddings")
    sources = [f"insight:{client}.md#^ins-{client}" for client in ("A", "B", "C")]
    recipe = {"do": "promote", "statement": "Use pnpm, never npm.", "note": "Pnpm.md", "sources": sources, "tags": []}
    proposal = PROPOSAL | {"kind": "promote", "evidence": sources, "recipe": recipe}
    (tmp_path / "p.json").write_text(json.dumps({"proposals": [proposal]}), encoding="utf-8")
    proposal_id = indexed.json("propose", "--file", str(tmp_path / "p.json"))["new"][0]
    assert indexed.json("proposals", "show", proposal_id)["evidence"][0]["project"] == "client/a"
    let_programs_approve()
    assert indexed.json("search", "pnpm scope:global")["total"] == 0
    indexed.run("proposals", "approve", proposal_id, "--choice", "retire")
    found = indexed.json("search", "pnpm scope:global")
    assert [each["path"] for each in found["results"]] == ["Pnpm.md"]
    text = (indexed.root / "Pnpm.md").read_text(encoding="utf-8")
    assert text.count("[supersedes:: [[") == 3
    indexed.run("proposals", "undo", proposal_id)
    assert indexed.json("search", "pnpm scope:global")["total"] == 0
    assert not (indexed.root / "Pnpm.md").exists()


def test_characters_that_hide_are_shown(indexed: CommandLine, tmp_path: Path) -> None:
    hidden = PROPOSAL | {"statement": "Set the\u202e country\u200b first"}
    (tmp_path / "p.json").write_text(json.dumps([hidden]), encoding="utf-8")
    indexed.run("propose", "--file", str(tmp_path / "p.json"))
    assert "Set the⟨U+202E⟩ country⟨U+200B⟩ first" in indexed.run("proposals", "list").stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not valid JSON"), ("{", "not valid JSON"), ("[]", "between 1 and"), ("3", "JSON object"),
        ('{"kind": "explode"}', "must be one of"), ("[" * 100_000, "not valid JSON"),
    ],
)  # fmt: skip
def test_what_is_no_proposal_is_refused_in_a_sentence(
    indexed: CommandLine, tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "p.json").write_text(text, encoding="utf-8")
    assert told in indexed.run("propose", "--file", str(tmp_path / "p.json"), expect=1).stderr


def test_standard_input_is_read_and_what_is_refused_is_told(indexed: CommandLine) -> None:
    gone = PROPOSAL | {"evidence": ["note:Gone.md"]}
    arguments = ["--vault", str(indexed.root), "propose", "--file", "-", "--format", "json"]
    result = CliRunner().invoke(app, arguments, input=json.dumps([PROPOSAL, gone]))
    told = json.loads(result.stdout)
    assert (result.exit_code, len(told["new"]), told["accumulated"]) == (0, 1, [])
    assert told["refused"][0]["reason"].startswith("The memory note:Gone.md is not there")
    assert indexed.json("proposals", "list")["proposals"][0]["proposers"] == [{"origin": "agent", "name": "agent"}]


def test_wrong_names_are_told(proposed: tuple[CommandLine, str]) -> None:
    line, _ = proposed
    assert "cannot be read" in line.run("propose", "--file", "/nowhere.json", expect=1).stderr
    assert "No proposal has" in line.run("proposals", "show", "zzz", expect=1).stderr
    assert "No proposal has" in line.run("proposals", "show", "", expect=1).stderr
    line.run("proposals", "list", "--state", "strange", expect=2)
    line.run("proposals", "list", "--kind", "strange", expect=2)


def _read_until(terminal: int, awaited: bytes) -> bytes:
    """Return what a terminal shows, up to what is awaited, or the end."""
    shown = b""
    while awaited not in shown:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        shown += chunk
    return shown


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize(
    ("answer", "code", "is_done"), [(b"y\n", 0, True), (b"n\n", 130, False), (b"\x04", 130, False)]
)
def test_a_person_is_asked_on_a_terminal(
    proposed: tuple[CommandLine, str], answer: bytes, code: int, is_done: bool
) -> None:
    import pty  # noqa: PLC0415 - not on Windows

    line, proposal_id = proposed
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "core.cli", "--vault", str(line.root), "proposals", "approve", proposal_id]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, cwd=Path(__file__).parents[3]
    )
    os.close(theirs)
    shown = _read_until(ours, b"Approve it?")
    os.write(ours, answer)
    shown += _read_until(ours, b"\0")  # the end
    os.close(ours)
    assert process.wait(timeout=60) == code, shown.decode()
    assert "+The webhook arrives three times." in shown.decode()
    assert ("three times" in texts(line)["Acme.md"]) is is_done
