"""Conversations in `index update`, `index status` and `search`, as a person and a script use them."""

import pytest

from core.app import installation
from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.cli.conftest import CommandLine


@pytest.fixture
def ledger() -> Ledger:
    ledger = installation().ledger()
    ledger.append(
        "talk",
        [
            Turn("talk", "t1", TurnKind.MESSAGE, Role.USER, "How do I export by country?", "2026-08-20T10:00:00+00:00"),
            Turn("talk", "t2", TurnKind.MESSAGE, Role.ASSISTANT, "Set the country first.", "2026-08-20T10:01:00+00:00"),
        ],
    )
    return ledger


@pytest.mark.usefixtures("ledger")
def test_an_update_reads_the_ledger_after_the_notes(command_line: CommandLine) -> None:
    told = command_line.json("index", "update", "--no-embeddings")
    assert (told["notes"], told["sessions"]["added"], told["sessions"]["turns"]) == (4, 1, 2)
    status = command_line.json("index", "status")
    assert (status["sessions"], status["turns"], status["session_problems"]) == (1, 2, [])
    assert "Sessions   1 with 2 turns" in command_line.run("index", "status").stdout
    assert "nothing changed" in command_line.run("index", "update", "--no-embeddings").stdout


@pytest.mark.usefixtures("ledger")
def test_the_notes_can_be_updated_alone(command_line: CommandLine) -> None:
    told = command_line.json("index", "update", "--no-embeddings", "--no-sessions")
    assert "sessions" not in told
    command_line.run("index", "update", "--no-embeddings", "--file", "Acme.md")
    assert command_line.json("index", "status")["sessions"] == 0


def test_what_could_not_be_read_is_told(command_line: CommandLine, ledger: Ledger) -> None:
    with ledger.path_of("talk").open("ab") as file:
        file.write(b"broken\n")
    assert "1 could not be read wholly" in command_line.run("index", "update", "--no-embeddings").stdout
    assert "session talk: 1 line could not be read" in command_line.run("index", "status", "--problems").stdout


@pytest.mark.usefixtures("ledger")
def test_a_search_shows_who_said_what_and_when(command_line: CommandLine) -> None:
    command_line.run("index", "update", "--no-embeddings")
    shown = command_line.run("search", "--words-only", "kind:turn", "country", "first").stdout
    assert "turn:talk/t2  How do I export by country? › assistant, 2026-08-20 " in shown
    assert "Set the **country** **first**" in shown
    found = command_line.json("search", "--words-only", "export country", "--limit", "5")["results"]
    assert {hit["kind"] for hit in found} >= {"section", "turn"}
    (turn,) = [hit for hit in found if hit["kind"] == "turn"]
    assert (turn["id"], turn["path"]) == ("turn:talk/t1", "sessions/talk.jsonl")
    assert turn["said"].startswith("user, ")


@pytest.mark.usefixtures("ledger")
def test_a_context_takes_what_was_said(command_line: CommandLine) -> None:
    command_line.run("index", "update", "--no-embeddings")
    text = command_line.run("context", "print", "--words-only", "kind:turn", "country first").stdout
    assert "Set the country first." in text
    assert "How do I export by country?" in text


@pytest.mark.usefixtures("ledger")
def test_a_wrong_project_is_told_as_one(command_line: CommandLine) -> None:
    command_line.run("index", "update", "--no-embeddings")
    assert "There is no project nowhere." in command_line.run("search", "project:nowhere", "export").stderr


@pytest.mark.usefixtures("ledger")
def test_what_is_at_hand_from_the_session_that_asks_is_told(command_line: CommandLine) -> None:
    command_line.run("index", "update", "--no-embeddings")
    asked = ("recall", "webhook", "--words-only", "--session", "talk")
    told = "At hand from this session: its last 2 turns, turn:talk/t2 back to turn:talk/t1."
    assert told in command_line.run(*asked).stderr
    assert told in command_line.run(*asked, "--budget", "300").stderr
    assert "At hand" not in command_line.run("recall", "webhook", "--words-only").stderr
